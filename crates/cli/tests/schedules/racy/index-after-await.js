// A row is found by its index, something is looked up, and the row at that index is changed.
// Race: a row before it may be removed meanwhile.
'use strict';
const assert = require('assert');
const { stat } = require('fs/promises');

const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];

async function mark(id) {
  const index = rows.findIndex((row) => row.id === id);
  await stat('.');
  rows[index].marked = true;
}

mark(3);
setTimeout(() => rows.splice(0, 1), 40);
process.on('exit', () => assert.strictEqual(rows.find((row) => row.id === 3).marked, true));
