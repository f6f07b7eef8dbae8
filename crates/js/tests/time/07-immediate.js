// TIME-7: an immediate of an action sees the clock where the action left it.
const show = (what) => console.log(what, currentTime('A') - start);
setTimeout(() => {
  show('action');
  setImmediate(() => {
    show('immediate');
    setTimeout(() => show('released by it'), 5, 'A');
    setTimeout(() => show('released by it without delay'), 0, 'A');
  });
}, 10, 'A');
const start = currentTime('A');
setTimeout(() => show('last'), 20, 'A');
