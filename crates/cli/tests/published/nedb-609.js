// ensureIndex writes to the file without being waited for: its line ends up behind the last line of what the
// program writes, and nothing can be loaded.
// published: https://github.com/louischatriot/nedb/issues/609 (NodeRacer, NACD)
// buggy: nedb@1.8.0
// repaired: nedb@1.8.0 waiting
// race: lib/persistence.js:200 ./nedb-609.js:15
const assert = require('node:assert');
const fs = require('node:fs');
const Datastore = require(process.argv[2]);
const waiting = process.argv[3] === 'waiting';

const db = new Datastore({ filename: 'animals.db' });
const animals = ['{"_id":"1","z":"ant"}', '{"_id":"2","z":"bee"}', '{"_id":"3","z":"cow"}'].join('\n');
const load = () => {
  fs.writeFile('animals.db', animals, () => db.loadDatabase(() => {
    assert.equal(db.getAllData().length, 3);
  }));
};
db.loadDatabase(() => {
  db.ensureIndex({ fieldName: 'z' }, waiting ? load : undefined);
  if (!waiting) load();
});
