// A watchdog looks whether the work is done and finds the program broken if it is not.
// Race: the work is input and output, which may take longer than any time limit.
'use strict';
const fs = require('fs');

fs.writeFileSync('input', 'x');
let result = null;

fs.readFile('input', (error, data) => {
  if (error) throw error;
  result = data;
});
setTimeout(() => {
  if (result === null) throw new Error('the work hangs');
}, 100);
