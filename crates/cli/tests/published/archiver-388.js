// An archive never ends if the last file that is looked for is missing.
// published: https://github.com/archiverjs/node-archiver/pull/388 (NodeRacer, NACD)
// buggy: archiver@3.1.1
// repaired: archiver@4.0.0
// race: lib/core.js:211 lib/core.js:421
const fs = require('node:fs');
const archiver = require(process.argv[2]);

fs.writeFileSync('here.txt', 'here');
process.exitCode = 1;
const archive = archiver('tar');
archive.on('warning', () => {});
archive.on('end', () => { process.exitCode = 0; });
archive.resume();
archive.file('here.txt', { name: 'here.txt' });
archive.file('missing.txt', { name: 'missing.txt' });
archive.finalize();
