// The same with an index that must be unique: the record that breaks it is lost together with the line.
// published: https://github.com/louischatriot/nedb/pull/610 (NodeRacer, NACD)
// buggy: nedb@1.8.0
// repaired: nedb@1.8.0 waiting
// race: lib/persistence.js:200 ./nedb-610.js:14
const assert = require('node:assert');
const fs = require('node:fs');
const Datastore = require(process.argv[2]);
const waiting = process.argv[3] === 'waiting';

const db = new Datastore({ filename: 'animals.db' });
const animals = ['{"_id":"1","z":"ant"}', '{"_id":"2","z":"bee"}', '{"_id":"3","z":"ant"}'].join('\n');
const load = () => {
  fs.writeFile('animals.db', animals, () => db.loadDatabase((error) => {
    assert.equal(error?.errorType, 'uniqueViolated');
  }));
};
db.loadDatabase(() => {
  db.ensureIndex({ fieldName: 'z', unique: true }, waiting ? load : undefined);
  if (!waiting) load();
});
