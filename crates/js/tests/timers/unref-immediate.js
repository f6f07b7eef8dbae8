// only: run
// An immediate that nobody waits for does not run, not even once.
setImmediate(() => console.log('never')).unref();
const due = setTimeout(() => console.log('never'), 1).unref();
const end = Date.now() + 5;
while (Date.now() < end);
process.nextTick(() => console.log('tick'));
process.once('beforeExit', () => {
  console.log('beforeExit', due.hasRef());
  // Now it does: the loop goes round once more.
  setImmediate(() => console.log('immediate'));
  clearTimeout(due);
});
