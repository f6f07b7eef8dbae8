// TIME-11: a continuation counts until its promise is gone: what nobody can settle any more holds nothing.
const never = () => new Promise(() => {});
const ways = {
  then: () => never().then(() => {}),
  finally: () => never().finally(() => {}),
  all: () => Promise.all([never(), never()]).then(() => {}),
  race: () => Promise.race([never(), never()]).then(() => {}),
  await: async () => { await never(); },
  'await in a block': async () => {
    try {
      await never();
    } catch {
      await 0;
    } finally {
      await 1;
    }
  },
  'await of a call': async () => { await (async () => { await never(); })(); },
  'async generator': () => (async function* () { await never(); })().next(),
  yield: () => (async function* () { yield never(); })().next(),
  'return in a generator': () => (async function* () { return never(); })().next(),
};
for (const [name, attach] of Object.entries(ways)) setTimeout(() => { attach(); }, 5, name);
setTimeout(() => {
  for (const name of Object.keys(ways)) console.log(name, currentTime(name) !== undefined);
}, 10, 'C');

// Given up by an action, and with the last callback that knew it.
const used = (when) => console.log(when, ['A', 'B'].map((label) => currentTime(label) !== undefined));
let kept = never();
setTimeout(() => { kept.then(() => {}); }, 5, 'A');
{
  const known = never();
  setTimeout(() => { known.then(() => {}); }, 5, 'B');
  setTimeout(() => { known.then(() => {}); }, 40, 'C');
}
setTimeout(() => used('kept'), 20, 'C');
setTimeout(() => { kept = undefined; }, 30, 'C');
setTimeout(() => used('A given up'), 35, 'C');
setTimeout(() => used('both given up'), 50, 'C');
