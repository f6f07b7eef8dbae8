// TIME-5: ticks, then jobs, until there are none; meanwhile all clocks stand still.
const { spend } = require('hemiola:clock');
setTimeout(() => {
  const times = () => `${currentTime('A') - start} ${currentTime('B') - start}`;
  process.nextTick(() => {
    console.log('tick', times());
    Promise.resolve().then(() => { spend(20); console.log('job of a tick', times()); });
  });
  (async () => {
    for (let i = 0; i < 3; i++) {
      await null;
      console.log('awaited', i, times());
    }
    process.nextTick(() => console.log('tick of a job', times()));
  })();
  console.log('action', times());
}, 10, 'A');
const start = currentTime('A');
for (const at of [5, 12, 15]) setTimeout(() => console.log('B', currentTime('B') - start), at, 'B');
setTimeout(() => console.log('second of the action'), 10, 'A');
