// Reactions run in the order in which they were attached. Its accesses are ordered.
'use strict';
const assert = require('assert');

let text = '';
const ready = Promise.resolve();
ready.then(() => { text += 'a'; });
ready.then(() => { text += 'b'; }).then(() => { text += 'd'; });
ready.then(() => { text += 'c'; });
setImmediate(() => assert.strictEqual(text, 'abcd'));
