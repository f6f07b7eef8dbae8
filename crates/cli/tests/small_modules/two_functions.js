// Some calls of files take an option before their callback; a function in its place is no callback if another follows.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'two-'));
const file = path.join(folder, 'file');
const link = path.join(folder, 'link');

/// Calls with two functions at the end, and waits for one of them.
const ask = (name, ...args) => new Promise((resolve) => {
  const hear = (which) => (error, value) => {
    console.log(name, which, error?.code ?? (typeof value === 'number' ? 'a number' : String(value)));
    resolve();
  };
  try {
    fs[name](...args, hear('first'), hear('second'));
  } catch (error) {
    console.log(name, error.code, error.message);
    resolve();
  }
});

(async () => {
  await ask('writeFile', file, 'text');
  await ask('appendFile', file, ', more');
  await ask('readFile', file);
  await ask('symlink', file, link);
  await ask('stat', file.repeat(9));
  await ask('open', file);
  await ask('open', file, 'r');
  await ask('access', file);
  console.log(fs.readFileSync(file, 'utf8'), fs.readdirSync(folder));
  fs.rmSync(folder, { recursive: true });
})();
