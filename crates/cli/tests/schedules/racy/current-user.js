// The user of a request is kept in a variable of the module while the request is served.
// Race: another request may set the variable while the first one waits.
'use strict';
const assert = require('assert');
const fs = require('fs/promises');

let currentUser = null;

async function serve(user) {
  currentUser = user;
  await fs.stat('.');
  assert.strictEqual(currentUser, user);
}

serve('ada');
setTimeout(() => serve('bob'), 10);
