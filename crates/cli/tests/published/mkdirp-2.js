// Looks whether a directory is there and makes it then: of two calls one fails, because the other was faster.
// published: https://github.com/substack/node-mkdirp/issues/2 (Node.fz, NodeRacer, NACD)
// buggy: mkdirp@0.0.1
// repaired: mkdirp@0.0.7
// race, quickly: index.js:9 index.js:13
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
// As in the Node of its time.
path.exists = fs.exists;
process.EEXIST = -17;
const { mkdirp } = require(process.argv[2]);

const make = () => mkdirp(path.join(__dirname, 'made/once'), 0o755, (error) => assert.ifError(error));
make();
setTimeout(make, 5);
