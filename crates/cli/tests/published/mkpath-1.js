// Looks whether a directory is there and makes it then: of two calls one fails, because the other was faster.
// published: https://github.com/jonvuri/mkpath/issues/1
// buggy: mkpath@0.1.0
// repaired: mkpath@1.0.0
// race, quickly: mkpath.js:16 mkpath.js:23
const assert = require('node:assert');
const mkpath = require(process.argv[2]);

const make = () => mkpath('made/once', (error) => assert.ifError(error));
make();
setTimeout(make, 5);
