// Loads files of lib/ outside Hemiola: under Node (`node run.mjs FILE`) or under the bare engine
// (`qjs -m --std run.mjs FILE`). FILE is a script that gets `load(name)` and `print(text)`.
const node = typeof process !== 'undefined' && process.versions?.node;
let read, file, print;
const here = import.meta.url.replace(/^file:\/\//, '').replace(/[^/]*$/, '');
if (node) {
  const fs = await import('node:fs');
  read = (path) => { try { return fs.readFileSync(path, 'utf8'); } catch { return null; } };
  file = process.argv[2];
  print = (text) => process.stdout.write(text + '\n');
} else {
  read = (path) => std.loadFile(path);
  file = scriptArgs[1];
  print = globalThis.print;
}
const lib = here + '../../../node/lib/';
const cache = new Map();
export const binding = {};
function load(name) {
  name = name.replace(/^node:/, '');
  if (cache.has(name)) return cache.get(name).exports;
  const source = read(lib + name + '.js');
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
