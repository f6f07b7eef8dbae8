// TIME-3: ticks gives the logical time of every period, without drift, even to who asks late.
const { clock, spend } = require('hemiola:clock');
const a = clock('A');
(async () => {
  let start;
  a.setTimeout(() => {}, 1);
  start = a.now();
  for await (const time of a.ticks(10)) {
    console.log(time - start, a.now() - start);
    spend(13);
    if (time - start === 50) break;
  }
  await a.sleep(0);
  const from = a.now();
  const ticks = a.ticks(5);
  console.log(typeof ticks.next, ticks[Symbol.asyncIterator]() === ticks);
  const three = [ticks.next(), ticks.next(), ticks.next()];
  for (const next of three) console.log((await next).value - from);
  // Meanwhile some are missed by who does not ask, and kept.
  await a.sleep(12);
  console.log((await ticks.next()).value - from, (await ticks.next()).value - from);
  console.log(await ticks.return('end'), await ticks.next());
  const thrown = a.ticks(1);
  await thrown.next();
  console.log(await thrown.throw(new Error('mine')).catch((error) => error.message), await thrown.next());
})();
