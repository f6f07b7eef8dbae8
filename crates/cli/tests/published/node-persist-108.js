// A value is read between the two steps of its writing: the file is empty, and no storage file.
// published: https://github.com/simonlast/node-persist/issues/108
// buggy: node-persist@3.1.0
// repaired: node-persist@3.1.0 waiting
// race, quickly: src/local-storage.js:302 src/local-storage.js:323
const assert = require('node:assert');
const storage = require(process.argv[2]).create({ dir: 'storage', logging: false });
const waiting = process.argv[3] === 'waiting';

(async () => {
  await storage.init();
  storage.stopExpiredKeysInterval();
  await storage.setItem('animal', 'donkey');
  const written = storage.setItem('animal', 'mule');
  if (waiting) await written;
  assert(['donkey', 'mule'].includes(await storage.getItem('animal')));
  await written;
})();
