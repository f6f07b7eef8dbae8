// A copy of a file is stopped when it takes too long, and is expected to be whole.
// Race: reading may take longer than the limit.
'use strict';
const assert = require('assert');
const fs = require('fs');

fs.writeFileSync('source', 'all of it');
let text = '';
const stream = fs.createReadStream('source', 'utf8');
stream.on('data', (part) => { text += part; });
stream.on('close', () => assert.strictEqual(text, 'all of it'));
setTimeout(() => stream.destroy(), 150);
