// TIME-5, TIME-3: what a tail releases counts from the time of the action it belongs to.
setTimeout(() => {
  Promise.resolve().then(() => setTimeout(() => show('from a job'), 5, 'A'));
  process.nextTick(() => setTimeout(() => show('from a tick'), 5, 'A'));
  setTimeout(() => show('from the action'), 5, 'A');
  setTimeout(() => show('from the action, no delay'), 0, 'A');
  process.nextTick(() => setTimeout(() => show('from a tick, no delay'), 0, 'A'));
}, 10, 'A');
const start = currentTime('A');
function show(what) {
  console.log(what, currentTime('A') - start);
}
