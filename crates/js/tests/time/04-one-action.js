// TIME-4: nothing runs between the callbacks of one action: no tick, no job, no other clock.
const log = (what) => console.log(what);
for (const name of ['first', 'second', 'third']) {
  setTimeout(() => {
    log(name);
    process.nextTick(() => log(`tick of ${name}`));
    Promise.resolve().then(() => log(`job of ${name}`));
    setTimeout(() => log(`microstep of ${name}`), 0, 'A');
  }, 10, 'A');
}
setTimeout(() => log('B'), 10, 'B');
setTimeout(() => log('B at 9'), 9, 'B');
