// A record is read between the two steps of its writing: the file is empty, and nothing can be parsed.
// published: https://github.com/alexkwolfe/json-fs-store/issues/12 (NodeRT)
// buggy: json-fs-store@1.0.1
// repaired: json-fs-store@1.0.1 waiting
// race: index.js:53 index.js:99
const assert = require('node:assert');
const store = require(process.argv[2])('store');
const waiting = process.argv[3] === 'waiting';

const load = () => store.load('1', (error, record) => {
  assert.ifError(error);
  assert.equal(record.name, 'donkey');
});
store.add({ id: '1', name: 'donkey' }, (error) => {
  assert.ifError(error);
  store.add({ id: '1', name: 'donkey', colour: 'brown' }, () => { if (waiting) load(); });
  if (!waiting) load();
});
