const assert = require('node:assert');
const { rm } = require('node:fs/promises');
const { after, test } = require('node:test');
const { load, save } = require('./store');

after(() => rm('kept-notes', { recursive: true, force: true }));

test('a note is kept', async () => {
  await save('monday', 'rain');
  assert.equal(await load('monday'), 'rain');
});

test('a note needs a name', async () => {
  await assert.rejects(save('', 'rain'));
});
