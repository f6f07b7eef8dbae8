// TIME-3, TIME-5: a sleep ends within the action; what awaits it runs in the tail, with the clock there.
const { clock, spend } = require('hemiola:clock');
const a = clock('A');
a.setTimeout(() => console.log('timeout of 10', a.now() - start), 10);
const start = a.now();
(async () => {
  for (let i = 1; i <= 3; i++) {
    const value = await a.sleep(10, { value: `slept ${i}` });
    spend(7);
    console.log(value, a.now() - start);
    await null;
    console.log('still', a.now() - start);
  }
  console.log(await a.sleep(), await a.sleep(0), a.now() - start);
})();
a.setTimeout(() => console.log('timeout of 10, younger'), 10);
clock('B').setTimeout(() => console.log('B'), 10);
