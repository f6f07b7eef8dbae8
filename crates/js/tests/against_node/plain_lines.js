// Lines of texts, numbers and the like, before anything else is printed and after.
function lines() {
  console.log('one', 'two');
  console.log('a', 1, -0, 0, 1.5, -1e21, 1e-7, NaN, Infinity, 2 ** 53, null, undefined, true, false);
  console.log(5);
  console.log(-0);
  console.log(null, 'x');
  console.log(undefined);
  console.log(false, '%s', 1);
  console.log('', '');
  console.log('é', '\u{1f600}', '\ud800', '\udc00x');
  console.info('info', 1);
  console.debug('debug', 2);
  console.dirxml('dirxml', 3);
}
lines();
console.log('%');
console.log(1, '100%');
console.log('%s and %d', 'text', '4', 'more');
lines();
console.log('a', [1], 'b', Symbol('s'), 10n, () => {});
lines();
console.group();
lines();
