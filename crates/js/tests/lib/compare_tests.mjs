// Runs the programs of test_runner/ with our node:test under the bare engine and with Node's, and
// compares what they report, durations, places and stack frames aside.
//
//     node compare_tests.mjs [NAME...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = new URL('.', import.meta.url).pathname;
const engine = process.env.QJS ?? '/tmp/qjs/qjs';
const programs = join(here, 'test_runner');
const loop = readFileSync(join(programs, 'loop.js'), 'utf8');

function plain(output) {
  const lines = [];
  let stackAt = -1;
  for (const line of output.split('\n')) {
    const indent = /^ */.exec(line)[0].length;
    if (stackAt >= 0 && indent > stackAt) continue;
    stackAt = /^ *stack: \|-$/.test(line) ? indent : -1;
    if (stackAt >= 0 || /^ *location: |duration_ms|^ *at |^test at |lines matching cause|^\s*$/.test(line)) continue;
    lines.push(line.replace(/ \([\d.e-]+ms\)/, '').replace(/ at [^ ]*:\d+:\d+ /, ' ').replace(/^(not ok \d+ - |✖ )(?:\/.*|<root>)$/, '$1FILE').replace(/ \{$/, ''));
  }
  return lines.join('\n').trimEnd();
}

function compare(name, reporter) {
  const source = readFileSync(join(programs, `${name}.js`), 'utf8');
  const theirs = spawnSync(process.execPath, ['--no-warnings', `--test-reporter=${reporter}`, join(programs, `${name}.js`)], { encoding: 'utf8' });
  const dir = mkdtempSync(join(tmpdir(), 'hemiola-tests-'));
  const file = join(dir, `${name}.js`);
  writeFileSync(file, `${loop}\nbinding.testOptions = { reporter: '${reporter}' };\n(() => {${source}\n})();\nawait runLoop();\n`);
  const ours = spawnSync(engine, ['--std', '-m', join(here, 'run.mjs'), file], { encoding: 'utf8', timeout: 20000 });
  rmSync(dir, { recursive: true });
  const expected = plain(`${theirs.stdout}exit ${theirs.status}`);
  const found = plain(ours.stdout);
  if (expected === found) {
    console.log(`${name} ${reporter}: the same, ${expected.split('\n').length} lines`);
    return true;
  }
  console.log(`--- ${name} ${reporter}: differs${ours.stderr ? `\n${ours.stderr}` : ''}`);
  const dirs = mkdtempSync(join(tmpdir(), 'hemiola-tests-'));
  writeFileSync(join(dirs, 'node'), `${expected}\n`);
  writeFileSync(join(dirs, 'ours'), `${found}\n`);
  console.log(spawnSync('diff', ['-U2', 'node', 'ours'], { cwd: dirs, encoding: 'utf8' }).stdout);
  rmSync(dirs, { recursive: true });
  return false;
}

const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : readdirSync(programs).map((file) => file.replace(/\.js$/, '')).filter((name) => name !== 'loop');
const results = names.flatMap((name) => ['tap', 'spec'].map((reporter) => compare(name, reporter)));
process.exitCode = results.every(Boolean) ? 0 : 1;
