// TIME-11, TIME-1: a label that was given up is a younger domain when it comes again.
setTimeout(() => {}, 1, 'A');
setTimeout(() => {
  setTimeout(() => {
    setTimeout(() => {
      console.log('A, the younger');
      clearTimeout(kept);
    }, 0, 'A');
    setTimeout(() => console.log('B, the older'), 0, 'B');
  }, 0, 'C');
}, 10, 'B');
// However late the others are, B is not given up.
const kept = setTimeout(() => {}, 60_000, 'B');
