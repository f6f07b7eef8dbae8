// packages: c8@10.1.3 ava@6.4.1
// worlds: live
// Tools that start the runtime by its name, and read what it says of coverage.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(__dirname, 'c8-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
write('package.json', '{}');
write('lib.js', `exports.kind = (n) => {
  if (n < 0) {
    return 'negative';
  }
  const even = n % 2 === 0 ? 'even' : 'odd';
  return n > 100 ? \`large and \${even}\` : even;
};

exports.unused = function () {
  return [1, 2].map((x) => x * 2);
};

class Box {
  #value = 1;
  get value() {
    return this.#value ?? 0;
  }
}
exports.Box = Box;
`);
write('child.js', "require('./lib').kind(-1);\n");
write('main.js', `const { kind, Box } = require('./lib');
kind(3);
new Box().value;
require('node:child_process').spawnSync(process.execPath, [__dirname + '/child.js'], { env: {} });
`);
write('lib.test.mjs', `import test from 'ava';
import lib from './lib.js';
test('kind', (t) => {
  t.is(lib.kind(2), 'even');
});
`);
const tool = (file) => path.join(__dirname, 'node_modules', file);
const run = (...words) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  console.log(stdout + stderr, status);
};
run(tool('c8/bin/c8.js'), process.execPath, 'main.js');
run(tool('c8/bin/c8.js'), '--check-coverage', '--lines', '99', '--reporter', 'text-summary', process.execPath, 'child.js');
run(tool('ava/entrypoints/cli.mjs'), '--tap', 'lib.test.mjs');
