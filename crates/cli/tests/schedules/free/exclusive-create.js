// Benign: both try to make the file; whoever finds it there knows what to do.
'use strict';
const assert = require('assert');
const fs = require('fs');

function claim() {
  fs.writeFile('claim', 'taken', { flag: 'wx' }, (error) => {
    if (error && error.code !== 'EEXIST') throw error;
  });
}
claim();
setTimeout(claim, 20);
process.on('exit', () => assert(fs.existsSync('claim')));
