// TIME-11: a continuation that was linked from an action of a clock holds it until it has run, and counts
// for it, however it was attached. Each way has a clock of its own.
const ways = {
  then: (gate, go) => gate.then(go),
  'then, rejected': (gate, go) => gate.then(() => { throw 0; }).then(null, go),
  catch: (gate, go) => gate.then(() => Promise.reject()).catch(go),
  finally: (gate, go) => gate.finally(go),
  await: async (gate, go) => { await gate; go(); },
  'await in an arrow': (gate, go) => (async () => go(await gate))(),
  'await, twice': async (gate, go) => { await gate; await null; go(); },
  'await of a call': async (gate, go) => { await (async () => { await gate; })(); go(); },
  'await of a thenable': async (gate, go) => { await { then: (yes) => void gate.then(yes) }; go(); },
  'for await': async (gate, go) => { for await (const _ of [gate]) go(); },
  'after for await': async (gate, go) => { for await (const _ of [gate]); go(); },
  'for await, left': async (gate, go) => { for await (const _ of [gate]) break; go(); },
  'async generator': (gate, go) => (async function* () { await gate; go(); })().next(),
  'yield*': (gate, go) => (async function* () { yield* [gate]; })().next().then(go),
  'return in a generator': (gate, go) => (async function* () { return gate; })().next().then(go),
  all: (gate, go) => Promise.all([0, gate]).then(go),
  allSettled: (gate, go) => Promise.allSettled([0, gate]).then(go),
  race: (gate, go) => Promise.race([gate]).then(go),
  any: (gate, go) => Promise.any([gate]).then(go),
  'resolved by a promise': (gate, go) => new Promise((yes) => yes(gate)).then(go),
  queueMicrotask: (gate, go) => gate.then(() => queueMicrotask(() => queueMicrotask(go))),
  nextTick: (gate, go) => gate.then(() => process.nextTick(go)),
  'catch block': async (gate, go) => { try { await gate.then(() => { throw 0; }); } catch { go(); } },
  'finally block': async (gate, go) => { try { await gate; } finally { go(); } },
  'finally after return': async (gate, go) => { try { return await gate; } finally { go(); } },
  method: (gate, go) => ({ async m() { await gate; go(); } }).m(),
  'class field': (gate, go) => new (class { run = async () => { await gate; go(); }; })().run(),
  subclass: (gate, go) => (class P extends Promise {}).resolve(gate).then(go),
  'default value': (gate, go) => (async (a = (async () => { await gate; go(); })()) => { await a; })(),
};
const seen = new Map(Object.keys(ways).map((name) => [name, []]));
const note = (name, what) => seen.get(name).push(`${what} ${currentTime(name) !== undefined}`);
let open;
const gate = new Promise((yes) => { open = yes; });
for (const [name, attach] of Object.entries(ways)) {
  setTimeout(() => {
    attach(gate, () => {
      note(name, 'runs');
      setImmediate(() => note(name, 'linked'));
    });
  }, 5, name);
}
const all = (what) => { for (const name of seen.keys()) note(name, what); };
setTimeout(() => all('waits'), 10, 'C');
setTimeout(() => open(), 20, 'C');
setTimeout(() => {
  all('later');
  for (const [name, notes] of seen) console.log(`${name}: ${notes.join(', ')}`);
}, 30, 'C');
