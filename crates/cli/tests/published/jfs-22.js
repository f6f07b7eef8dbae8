// A record is saved twice: the first of the two may be the one that stays.
// published: https://github.com/flosse/json-file-store/issues/22 (NodeRT)
// buggy: jfs@0.3.0
// repaired: jfs@0.3.0 waiting
// race: Store.js:118 Store.js:118
const assert = require('node:assert');
const Store = require(process.argv[2]);
const waiting = process.argv[3] === 'waiting';

const db = new Store('data');
let left = 2;
const done = (error) => {
  assert.ifError(error);
  if (--left === 0) assert.equal(db.getSync('id').number, 2);
};
const second = () => db.save('id', { number: 2 }, done);
db.save('id', { number: 1 }, (error) => {
  done(error);
  if (waiting) second();
});
if (!waiting) second();
