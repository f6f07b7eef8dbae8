// A whole file is read in four trips through the poll phase, so three immediates in a row come before it.
const fs = require('fs');
const assert = require('assert');
let immediates = 0;
fs.readFile(__filename, () => assert.strictEqual(immediates, 3));
setImmediate(() => {
  immediates++;
  setImmediate(() => {
    immediates++;
    setImmediate(() => immediates++);
  });
});
