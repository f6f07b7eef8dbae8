// Files in several trips, a labelled clock that is late, and a random number.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { clock, spend } = require('hemiola:clock');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fixture-'));
const file = path.join(folder, 'a.txt');
fs.writeFile(file, 'one', () => {
  setImmediate(() => console.log('immediate'));
  fs.readFile(file, 'utf8', (error, text) => {
    console.log('read', text);
    fs.promises.rm(folder, { recursive: true }).then(() => console.log('removed'));
  });
});
const a = clock('A');
a.deadline(5, () => console.log('late'));
a.setTimeout(() => spend(30), 10);
a.setTimeout(() => console.log('action', a.now()), 20);
setTimeout(() => console.log('random', Math.random()), 200);
