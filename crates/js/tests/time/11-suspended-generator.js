// TIME-11: a generator that waits at a `yield` is no continuation: nobody has asked it to go on.
const used = (when) => console.log(when, currentTime('A') !== undefined);
const plain = (async function* () { try { yield 1; yield 2; } finally { used('closed'); } })();
const delegating = (async function* () { yield* [3, 4]; })();
setTimeout(async () => {
  console.log(await plain.next(), await delegating.next());
  used('action');
}, 5, 'A');
setTimeout(() => used('later'), 10, 'C');
setTimeout(async () => {
  console.log(await plain.next());
  await plain.return();
  used('for C');
}, 20, 'C');
