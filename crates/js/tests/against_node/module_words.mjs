// What is said of packages and imports that are not quite right.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { pathToFileURL } from 'url';

const folder = mkdtempSync('/tmp/words-');
const shown = (text) => text.replaceAll(folder, 'D');
process.on('warning', ({ name, code, message }) => console.log(name, code, shown(message)));
process.noDeprecation = false;

function pack(name, json, files) {
  const at = `${folder}/node_modules/${name}`;
  mkdirSync(`${at}/sub`, { recursive: true });
  writeFileSync(`${at}/package.json`, JSON.stringify(json));
  for (const file of files) writeFileSync(`${at}/${file}`, '');
}
pack('without', { type: 'module' }, ['index.js']);
pack('short', { type: 'module', main: './index' }, ['index.js']);
pack('directory', { type: 'module', main: 'sub' }, ['sub/index.js']);
pack('gone', { type: 'module', main: './gone.js' }, ['index.js']);
pack('named', { type: 'module', main: './sub/main.js' }, ['sub/main.js']);
pack('absolute', { type: 'module', main: `${folder}/node_modules/absolute/index.js` }, ['index.js']);
pack('common', { main: 'sub' }, ['sub/index.js']);
pack('mixed', { type: 'module', main: 'main' }, ['main.cjs', 'index.cjs']);
for (const name of ['without', 'short', 'directory', 'gone', 'named', 'absolute', 'common', 'mixed', 'without']) {
  writeFileSync(`${folder}/${name}.mjs`, `import '${name}';`);
  await import(pathToFileURL(`${folder}/${name}.mjs`)).catch(({ code, message }) => console.log(code, shown(message)));
  await new Promise(setImmediate);
}

// Attributes, of modules that nobody has asked for before, and of such that were refused or loaded already.
let count = 0;
const kinds = {
  js: () => `data:text/javascript,${++count}`,
  json: () => `data:application/json,${++count}`,
  css: () => `data:text/css,${++count}`,
  builtin: () => 'node:fs',
};
const said = [
  {}, { foo: 'bar' }, { type: 'json', foo: 'bar' }, { foo: 'bar', type: 'json' }, { type: 'x' }, { type: 'x', foo: 'bar' },
  { type: 'json' }, { type: '' }, { type: 'javascript' },
];
const load = async (url, attributes) => {
  const outcome = await import(url, { with: attributes }).then(() => 'loaded', ({ code, message }) => `${code} ${message}`);
  console.log(url, JSON.stringify(attributes), outcome);
};
for (const next of Object.values(kinds)) for (const one of said) await load(next(), one);
for (const next of Object.values(kinds)) {
  const url = next();
  for (const one of said) await load(url, one);
}

// The URL of what is not there.
Object.defineProperty(Error.prototype, 'url', { configurable: true, set() { console.log('set'); }, get() { return 'inherited'; } });
for (const name of ['none.mjs', 'node_modules']) {
  await import(`${pathToFileURL(folder)}/${name}`).catch((error) => console.log(error.code, shown(error.url), Object.hasOwn(error, 'url')));
}
rmSync(folder, { recursive: true });
