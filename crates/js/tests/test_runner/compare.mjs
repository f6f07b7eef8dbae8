// Runs programs with tests under Node and under Hemiola, in real and in virtual time, and compares what
// they report and how they end, durations, places and stack frames aside. The first line of a program may have flags.
//
//     node compare.mjs HEMIOLA [NAME...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const programs = new URL('programs', import.meta.url).pathname;
const [binary, ...asked] = process.argv.slice(2);
const hemiola = resolve(binary);

function plain({ stdout, stderr, status }) {
  const lines = [];
  let stackAt = -1;
  for (const line of `${stdout}exit ${status}\n${stderr}`.split('\n')) {
    const indent = /^ */.exec(line)[0].length;
    if (stackAt >= 0 && indent > stackAt) continue;
    stackAt = /^ *stack: \|-$/.test(line) ? indent : -1;
    if (stackAt >= 0 || /^ *location: |duration_ms|^ *at |^test at |lines matching cause|^\s*$/.test(line)) continue;
    lines.push(line
      .replace(/ \([\d.e-]+ms\)/, '')
      .replace(/ at [^ ]*:\d+:\d+ /, ' ')
      .replace(/^(not ok \d+ - |✖ )(?:\/.*|<root>)$/, '$1FILE')
      .replace(/ \{$/, ''));
  }
  return lines.join('\n').trimEnd();
}

function compare(name, reporter) {
  const program = join(programs, name);
  const [, flags] = /^\/\/ flags: (.*)/.exec(readFileSync(program, 'utf8')) ?? [];
  const given = ['--no-warnings', ...flags?.split(' ') ?? [], `--test-reporter=${reporter}`];
  const run = (command, ...before) => plain(spawnSync(command, [...before, ...given, program], { encoding: 'utf8', timeout: 60_000 }));
  const expected = run(process.execPath);
  let isSame = true;
  for (const [how, found] of [['run', run(hemiola, 'run', '--timers=node')], ['simulate', run(hemiola, 'simulate', '--timers=node')]]) {
    if (expected === found) continue;
    isSame = false;
    console.log(`--- ${name} ${reporter} ${how}: differs`);
    const work = mkdtempSync(join(tmpdir(), 'hemiola-tests-'));
    writeFileSync(join(work, 'node'), `${expected}\n`);
    writeFileSync(join(work, 'hemiola'), `${found}\n`);
    console.log(spawnSync('diff', ['-U2', 'node', 'hemiola'], { cwd: work, encoding: 'utf8' }).stdout);
    rmSync(work, { recursive: true });
  }
  if (isSame) console.log(`${name} ${reporter}: the same, ${expected.split('\n').length} lines`);
  return isSame;
}

const names = asked.length > 0 ? asked : readdirSync(programs).sort();
const results = names.flatMap((name) => ['tap', 'spec'].map((reporter) => compare(name, reporter)));
process.exitCode = results.every(Boolean) ? 0 : 1;
