// `Promise.all` waits for both parts, whatever their order. Its accesses are ordered.
'use strict';
const assert = require('assert');
const fs = require('fs/promises');

let size = null;
let names = null;
const one = fs.stat('.').then((stats) => { size = stats.size; });
const two = fs.readdir('.').then((entries) => { names = entries; });
Promise.all([one, two]).then(() => {
  assert(size !== null && names !== null);
});
