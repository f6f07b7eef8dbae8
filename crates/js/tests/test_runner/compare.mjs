// Runs the programs of this folder with our node:test and with Node's, and compares what they report,
// durations, places and stack frames aside.
//
//     node compare.mjs HEMIOLA [NAME...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const programs = new URL('.', import.meta.url).pathname;
const [hemiola, ...asked] = process.argv.slice(2);

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

// Programs with timeouts run in real time: on a busy machine a report may come before or after what the
// program prints at the same moment. Twice in a row that does not happen without a reason.
function compare(name, reporter, attempts = 3) {
  const args = ['--no-warnings', `--test-reporter=${reporter}`, join(programs, `${name}.js`)];
  const theirs = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const ours = spawnSync(hemiola, ['run', ...args], { encoding: 'utf8', timeout: 20000 });
  const expected = plain(`${theirs.stdout}exit ${theirs.status}`);
  const found = plain(`${ours.stdout}exit ${ours.status}`);
  if (expected === found) {
    console.log(`${name} ${reporter}: the same, ${expected.split('\n').length} lines`);
    return true;
  }
  if (attempts > 1) return compare(name, reporter, attempts - 1);
  console.log(`--- ${name} ${reporter}: differs${ours.stderr ? `\n${ours.stderr}` : ''}`);
  const dirs = mkdtempSync(join(tmpdir(), 'hemiola-tests-'));
  writeFileSync(join(dirs, 'node'), `${expected}\n`);
  writeFileSync(join(dirs, 'ours'), `${found}\n`);
  console.log(spawnSync('diff', ['-U2', 'node', 'ours'], { cwd: dirs, encoding: 'utf8' }).stdout);
  rmSync(dirs, { recursive: true });
  return false;
}

const names = asked.length > 0 ? asked : readdirSync(programs).filter((file) => file.endsWith('.js')).map((file) => file.slice(0, -3));
const results = names.flatMap((name) => ['tap', 'spec'].map((reporter) => compare(name, reporter)));
process.exitCode = results.every(Boolean) ? 0 : 1;
