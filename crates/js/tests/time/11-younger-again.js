// TIME-11, TIME-1: a label that was given up is a younger domain when it comes again.
setTimeout(() => {}, 1, 'A');
setTimeout(() => {
  setTimeout(() => {
    setTimeout(() => console.log('A, the younger'), 0, 'A');
    setTimeout(() => console.log('B, the older'), 0, 'B');
  }, 0, 'C');
}, 10, 'B');
setTimeout(() => {}, 60, 'B');
