// A shop that sells its last tea twice, for the picture of a failure in docs/view.md.
const { readFile } = require('node:fs');
const stock = new Map([['tea', 1]]);

function sell(item) {
  const left = stock.get(item);
  if (!left) throw new TypeError(`no ${item} left`);
  stock.set(item, left - 1);
}

readFile(__filename, function opened() {
  setTimeout(function first() {
    sell('tea');
  }, 5, 'shop');
  setTimeout(function second() {
    Promise.resolve('tea').then(sell);
  }, 10, 'shop');
});
