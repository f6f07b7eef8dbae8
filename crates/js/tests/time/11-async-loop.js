// TIME-11: an async loop in a domain does not drift, though it waits for something without a clock.
const sleep = (ms) => new Promise((yes) => setTimeout(yes, ms));
const times = [];
setTimeout(async () => {
  const origin = currentTime('A');
  while (true) {
    await sleep(7);
    if (times.length >= 6) break;
    setTimeout(() => times.push(currentTime('A') - origin), 10, 'A');
  }
  console.log('multiples of ten', times.every((time, at) => time % 10 === 0 && time > 0 && !(time < times[at - 1])));
  setImmediate(() => console.log('still', currentTime('A') !== undefined));
}, 5, 'A');
