// Two parts of a program make a file if it is not there. Each looks first and writes then.
// Race: both may look before either has written, and the second exclusive write finds the file.
'use strict';
const fs = require('fs');

function claim(owner) {
  fs.access('claim.txt', (missing) => {
    if (!missing) return;
    fs.writeFile('claim.txt', owner, { flag: 'wx' }, (error) => {
      if (error) throw error;
    });
  });
}

claim('first');
setTimeout(() => claim('second'), 50); // Long after the first is done, it seems.
