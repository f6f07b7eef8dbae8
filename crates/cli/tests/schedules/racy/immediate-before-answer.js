// A table is filled in an immediate, "before any answer can come".
// Race: an answer that is there when the loop first polls comes before the immediates.
'use strict';
const { lookup } = require('dns');

let known;
setImmediate(() => { known = new Map(); });
lookup('localhost', (error, address) => {
  if (error) throw error;
  known.set('localhost', address);
});
