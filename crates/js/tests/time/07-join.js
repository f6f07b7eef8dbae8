// only: simulate
// TIME-7: an asynchronous callback moves no clock, and joins a domain at its last logical time.
const show = (what) => console.log(what, currentTime('A'), currentTime());
const interval = setInterval(() => show('A'), 10, 'A');
setTimeout(() => {
  show('joins');
  setTimeout(() => show('joined, 10'), 10, 'A');
  setTimeout(() => show('joined, 3: already past, as soon as possible'), 3, 'A');
}, 25);
setTimeout(() => clearInterval(interval), 45);
