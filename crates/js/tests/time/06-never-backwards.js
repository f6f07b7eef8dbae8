// TIME-6: on a domain whose clock has reached T, too, a release without delay comes after what ran.
setTimeout(() => console.log('A acts'), 10, 'A');
const start = currentTime('A');
setTimeout(() => {
  console.log('B acts');
  // A stands at the same instant, and has acted.
  setTimeout(() => console.log('A, once more', currentTime('A') - start), 0, 'A');
  setTimeout(() => console.log('B, once more'), 0, 'B');
}, 10, 'B');
setTimeout(() => {}, 50, 'A');
