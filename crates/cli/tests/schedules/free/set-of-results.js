// Benign: results go into a set and are sorted before anybody looks.
'use strict';
const fs = require('fs/promises');

const found = new Set();
(async () => {
  await Promise.all(['x', 'y'].map(async (name) => {
    await fs.writeFile(name, name);
    found.add(await fs.readFile(name, 'utf8'));
  }));
  console.log([...found].sort().join());
})();
