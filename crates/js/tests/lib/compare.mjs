// Runs the same cases on a file of lib/ under the bare engine and on Node's own module under Node,
// and compares what they print.
//
//     node compare.mjs NAME... [--seed=N] [--all]
//
// NAME stands for NAME.cases.js, a script that gets `load(name)`, `binding` and:
//   test(label, fn)      one case; `fn` returns what is to be the same, or throws it; may be async
//   onNode               whether this is the side with Node's modules
//   folder               where these files are, for cases that import one
//   seed                 a number, for cases that are drawn at random
//   withoutFrames(text)  the text without lines that show stack frames, in which the engines differ
// The engine is the program named by QJS, else /tmp/qjs/qjs. `--all` shows every difference.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';

const here = new URL('.', import.meta.url).pathname;
const engine = process.env.QJS ?? '/tmp/qjs/qjs';

// What every cases file starts and ends with. A case prints one line: its label and its result.
const prelude = (onNode, seed) => `'use strict';
const onNode = ${onNode}, seed = ${seed}, folder = ${JSON.stringify(here)};
const cases = [];
const test = (label, fn) => cases.push([label, fn]);
const withoutFrames = (text) => text.replace(/\\n *(?:\\x1b\\[\\d+m)?'? *(?:at |\\.\\.\\. \\d+ lines matching cause)[^\\n]*/g, '');
const describe = (value) => {
  if (value instanceof Error) return value.name + ' ' + value.code + ' ' + value.message;
  return typeof value === 'string' ? value : Array.isArray(value) ? value.map(describe).join('|') : String(value);
};
`;
const postlude = `
for (const [label, fn] of cases) {
  let result;
  try { result = describe(await fn()); } catch (error) { result = 'throws ' + describe(error); }
  print(JSON.stringify([label, result]));
}
`;

if (process.argv[2] === '--node-side') {
  const require = createRequire(import.meta.url);
  const body = new Function('load', 'print', 'binding', `return (async () => {${readFileSync(process.argv[3])}\n})()`);
  await body((name) => require(name), (text) => process.stdout.write(`${text}\n`), {});
} else {
  const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const option = (name) => process.argv.find((arg) => arg.startsWith(`--${name}`))?.split('=')[1] ?? '';
  let failed = false;
  for (const name of names) failed = !compare(name, Number(option('seed')) || 1) || failed;
  process.exitCode = failed ? 1 : 0;
}

function compare(name, seed) {
  const source = readFileSync(join(here, `${name}.cases.js`), 'utf8');
  const dir = mkdtempSync(join(tmpdir(), 'hemiola-lib-'));
  const side = (onNode, command, ...args) => {
    const file = join(dir, onNode ? 'node.js' : 'engine.js');
    writeFileSync(file, prelude(onNode, seed) + source + postlude);
    const run = spawnSync(command, [...args, file], { encoding: 'utf8', maxBuffer: 1 << 28 });
    if (run.status !== 0 || run.stderr) process.stderr.write(`${name}, ${command}: exit ${run.status}\n${run.stderr}`);
    return run.stdout.split('\n').filter((line) => line.startsWith('[')).map((line) => JSON.parse(line));
  };
  const ours = side(false, engine, '--std', '-m', join(here, 'run.mjs'));
  const theirs = side(true, process.execPath, '--expose-internals', '--no-warnings', join(here, 'compare.mjs'), '--node-side');
  rmSync(dir, { recursive: true });

  let different = 0;
  const count = Math.max(ours.length, theirs.length);
  for (let i = 0; i < count; i++) {
    const [label, mine] = ours[i] ?? [theirs[i][0], '(no such case)'];
    const [, expected] = theirs[i] ?? [, '(no such case)'];
    if (mine === expected) continue;
    if (++different <= 10 || process.argv.includes('--all')) {
      console.log(`--- ${name}: ${label}\nnode:\n${expected}\nours:\n${mine}`);
    }
  }
  console.log(`${name}: ${count - different} of ${count} cases agree`);
  return different === 0 && count > 0;
}
