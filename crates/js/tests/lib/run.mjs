// Loads files of the library outside Hemiola: under Node (`node run.mjs FILE`) or under the bare engine
// (`qjs -m --std run.mjs FILE`). FILE is a script that gets `load(name)` and `print(text)`.
const node = typeof process !== 'undefined' && process.versions?.node;
let list, read, file, print;
const here = import.meta.url.replace(/^file:\/\//, '').replace(/[^/]*$/, '');
if (node) {
  const fs = await import('node:fs');
  list = (path) => fs.readdirSync(path);
  read = (path) => { try { return fs.readFileSync(path, 'utf8'); } catch { return null; } };
  file = process.argv[2];
  print = (text) => process.stdout.write(text + '\n');
} else {
  list = (path) => os.readdir(path)[0].filter((name) => !name.startsWith('.'));
  read = (path) => std.loadFile(path);
  file = scriptArgs[1];
  print = globalThis.print;
}
const subjects = here + '../../../node/src/';
const folders = list(subjects).filter((name) => !name.endsWith('.rs')).map((name) => `${subjects}${name}/lib/`);
const cache = new Map();
export const binding = {};
function load(name) {
  name = name.replace(/^node:/, '');
  if (cache.has(name)) return cache.get(name).exports;
  let source = null;
  for (const folder of folders) source ??= read(`${folder}${name}.js`);
  if (source === null) throw new Error(`no library file ${name}`);
  const module = { exports: {} };
  cache.set(name, module);
  const body = new Function('exports', 'require', 'module', 'binding', source + `\n//# sourceURL=${name}`);
  body.call(undefined, module.exports, load, module, binding);
  return module.exports;
}
const test = read(file);
if (test === null) throw new Error(`cannot read ${file}`);
await new Function('load', 'print', 'binding', `return (async () => {${test}\n})()`)(load, print, binding);
