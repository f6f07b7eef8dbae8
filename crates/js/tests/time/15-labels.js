// TIME-15: any non-empty text is a label; it is passed to the callback all the same.
const labels = ['A', '__proto__', 'constructor', 'toString', ' ', '0', 'ünï😀', 'a\0b', 'x'.repeat(1000), '\ud800', '\udc00'];
for (const label of labels) {
  setTimeout((...args) => {
    console.log(args.length, args[0] === label, args[1], currentTime(label) !== undefined, currentTime(`${label}?`));
  }, 5, label, 'more');
}
for (const other of [undefined, null, 5, 0, '', {}, ['A'], true, Symbol('A'), new String('A'), 7n]) {
  const timer = setTimeout((...args) => console.log(typeof args[0], args.length), 200, other);
  console.log(typeof other, require('util').inspect(timer).includes('label'));
}
