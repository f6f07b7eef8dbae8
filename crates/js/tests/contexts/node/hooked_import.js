// A hook is on while a module of the other kind is imported.
const { createHook } = require('async_hooks');
const { mkdtempSync, rmSync, writeFileSync } = require('fs');
const folder = mkdtempSync('/tmp/hooked-');
writeFileSync(`${folder}/plain.cjs`, 'exports.value = 1;');
let heard = 0;
const hook = createHook({ init() { heard++; } }).enable();
import(`${folder}/plain.cjs`).then(({ value }) => {
  hook.disable();
  rmSync(folder, { recursive: true });
  console.log(value, heard > 0);
}, (error) => console.log(error.message));
