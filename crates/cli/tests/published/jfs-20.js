// A record is saved and deleted at once: which of the two is in the file in the end is left to chance.
// published: https://github.com/flosse/json-file-store/issues/20 (NRace, NodeRT)
// buggy: jfs@0.3.0
// repaired: jfs@0.3.0 waiting
// race: Store.js:118 Store.js:118
const assert = require('node:assert');
const fs = require('node:fs');
const Store = require(process.argv[2]);
const waiting = process.argv[3] === 'waiting';

const db = new Store('data.json', { type: 'single' });
let left = 2;
const done = (error) => {
  assert.ifError(error);
  if (--left === 0) assert.equal(fs.readFileSync('data.json', 'utf8'), '{}');
};
const remove = () => db.delete('1', done);
db.save('1', { name: 'donkey' }, (error) => {
  done(error);
  if (waiting) remove();
});
if (!waiting) remove();
