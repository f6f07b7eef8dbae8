// Two directories are copied to a third that neither finds: of two calls one fails, because the other made it.
// published: https://github.com/jprichardson/node-fs-extra/issues/967
// buggy: fs-extra@9.1.0
// repaired: fs-extra@9.1.0 made
// race: lib/copy/copy.js:153
const fs = require('node:fs');
const { copy } = require(process.argv[2]);

fs.mkdirSync('styles');
fs.mkdirSync('images');
if (process.argv[3] === 'made') fs.mkdirSync('public');
copy('styles', 'public');
copy('images', 'public');
