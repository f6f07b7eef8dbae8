// What programs put in the place of parts of the module loader, and where it looks.
'use strict';
const fs = require('fs');
const path = require('path');
const Module = require('module');
const { execFileSync } = require('child_process');

const folder = fs.mkdtempSync(path.join(require('os').tmpdir(), 'modules-'));
const file = (name, text) => {
  const full = path.join(folder, name);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
  return full;
};
const run = (args, env = {}) => execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, NODE_PATH: '', ...env } }).trim();

// A builtin of the program's own.
require.cache.fs = { exports: 'mine' };
console.log(require('fs'), require('node:fs') === fs);
delete require.cache.fs;
console.log(require('fs') === fs);

// Out of a directory that is gone.
file('near.cjs', 'module.exports = "near"');
const away = require(file('gone/away.cjs', 'module.exports = () => require("../near.cjs")'));
fs.rmSync(path.join(folder, 'gone'), { recursive: true });
console.log(away());

// What is on the prototype of objects does not matter.
for (const name of ['exports', 'main']) {
  Object.defineProperty(Object.prototype, name, { configurable: true, get() { throw new Error(name); }, set() { throw new Error(name); } });
}
console.log(require(file('plain.cjs', 'module.exports = 1')));
delete Object.prototype.exports;
delete Object.prototype.main;

// The user's folders.
const main = file('main.js', 'console.log(require("there"))');
file('home/.node_modules/there/index.js', 'module.exports = "modules"');
file('older/.node_libraries/there.js', 'module.exports = "libraries"');
file('first/there.js', 'module.exports = "path"');
console.log(run([main], { HOME: path.join(folder, 'home') }));
console.log(run([main], { HOME: path.join(folder, 'older') }));
console.log(run([main], { HOME: path.join(folder, 'home'), NODE_PATH: path.join(folder, 'first') }));

// What runs the program, and what its text is put into.
const hello = file('hello.js', 'console.log("hello", require.main === module)');
const patch = file('patch.js', 'const Module = require("module"); const { runMain } = Module; Module.runMain = (...args) => { console.log("first"); return runMain(...args); };');
console.log(run(['--require', patch, hello]));
console.log(run(['--require', file('wrap.js', 'const Module = require("module"); const { wrap } = Module; Module.wrap = (text) => wrap(`console.log("wrapped");${text}`);'), hello]));
console.log(run(['--require', file('wrapper.js', 'require("module").wrapper[0] += "console.log(typeof __filename);"'), hello]));
console.log(Object.keys(Module).includes('wrap'), Module.wrap('x'));

console.log(process.title === process.argv0, typeof process.config.variables.node_module_version);
fs.rmSync(folder, { recursive: true });
