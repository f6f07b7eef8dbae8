// A program closes its database when it is told to stop.
// Race: a query may still wait for its first step, and uses the closed handle in the second.
'use strict';
const fs = require('fs');

let handle = fs.openSync('.', 'r');

fs.fstat(handle, (error) => {
  if (error) throw error;
  fs.fstat(handle, (error) => {
    if (error) throw error;
  });
});
setTimeout(() => {
  fs.closeSync(handle);
  handle = null;
}, 100);
