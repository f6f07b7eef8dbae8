// A table is filled in an immediate, "before any input can come".
// Race: an answer that is there when the loop first polls comes before the immediates.
'use strict';
const { pbkdf2 } = require('crypto');

let keys;
setImmediate(() => { keys = new Map(); });
pbkdf2('password', 'salt', 5000, 8, 'sha256', (error, key) => {
  if (error) throw error;
  keys.set('password', key);
});
