// TIME-11: a continuation that was attached before, by nobody's action, is not a clock's, even when an
// action of the clock lets it run.
const ways = {
  then: (gate, go) => gate.then(go),
  await: async (gate, go) => { await gate; go(); },
  'for await': async (gate, go) => { for await (const _ of [gate]) go(); },
  'async generator': (gate, go) => (async function* () { await gate; go(); })().next(),
  finally: (gate, go) => gate.finally(go),
  all: (gate, go) => Promise.all([gate]).then(go),
  'catch block': async (gate, go) => { try { await gate.then(() => { throw 0; }); } catch { go(); } },
  queueMicrotask: (gate, go) => gate.then(() => queueMicrotask(go)),
};
let open;
setTimeout(() => {}, 1, 'B');
const gate = new Promise((yes) => { open = yes; });
for (const [name, attach] of Object.entries(ways)) {
  attach(gate, () => {
    const tail = currentTime('A') !== undefined;
    setImmediate(() => console.log(`${name}: in the tail ${tail}, linked ${currentTime('A') !== undefined}`));
  });
}
setTimeout(() => open(), 5, 'A');
