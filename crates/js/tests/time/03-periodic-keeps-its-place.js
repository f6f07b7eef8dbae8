// TIME-3: a periodic callback keeps the ordinal of its one release, before all that came after it.
const log = (what) => console.log(currentTime('A') - start, what);
setTimeout(() => log('timeout released before'), 30, 'A');
const start = currentTime('A');
const interval = setInterval(() => log('interval'), 10, 'A');
setTimeout(() => {
  log('one-shot of 20');
  setTimeout(() => log('timeout released in between'), 10, 'A');
}, 20, 'A');
const other = setInterval(() => log('interval of 15'), 15, 'A');
setTimeout(() => { clearInterval(interval); clearInterval(other); }, 60, 'A');
