// `Promise.race` takes the first of the work and a default; the loser is not stopped.
// Race: the work may end after the default was taken, and overwrites what was decided.
'use strict';
const assert = require('assert');
const fs = require('fs/promises');

const settings = { theme: 'none' };

async function load() {
  await fs.stat('.');
  settings.theme = 'dark';
  return settings.theme;
}

const fallback = new Promise((resolve) => {
  setTimeout(() => {
    settings.theme = 'light';
    resolve('light');
  }, 50).unref();
});

Promise.race([load(), fallback]).then((chosen) => {
  process.on('exit', () => assert.strictEqual(settings.theme, chosen));
});
