// Three tasks of two steps each: 90 orders.
const fs = require('fs');
const order = [];
for (const name of ['a', 'b', 'c']) {
  fs.access('/', () => {
    order.push(name + 1);
    fs.access('/', () => {
      order.push(name + 2);
      if (order.length === 6) console.log(order.join(' '));
    });
  });
}
