// Goes in and out again, at the time that it is told.
setTimeout(() => {
  obs('in');
  setTimeout(() => obs('out'), 50);
}, Number(process.argv[2]));
