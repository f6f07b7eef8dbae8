// See scripts/compare-messages-with-node.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = 'crates/cli/tests/messages';
const update = process.argv.includes('--update');

// Sections of a file, by their headings: `=== program.cjs 1`.
function sections(text) {
  const found = new Map();
  for (const part of text.split(/^=== /m).slice(1)) {
    const end = part.indexOf('\n');
    found.set(part.slice(0, end), part.slice(end + 1).replace(/\n$/, ''));
  }
  return found;
}

// What is compared: all before the first frame, and where the first frame of the program is.
function shown(output, directory) {
  const text = output.replaceAll(`file://${directory}/`, '').replaceAll(`${directory}/`, '')
    .replace(/^\(node:\d+\) Warning: To load an ES module[^\n]*\n\(Use [^\n]*\n/, '');
  const head = text.split('\n    at ')[0].split('\n').map((line) => line.trimEnd());
  const place = /\n    at (?:.*\()?(program\.[cm]js:\d+:\d+)\)?/.exec(text)?.[1] ?? 'nowhere';
  return `${head.filter((line) => line !== '' && !line.startsWith('Node.js v')).join('\n')}\nat ${place}`;
}

const programs = sections(readFileSync(join(folder, 'programs.txt'), 'utf8'));
const expected = sections(readFileSync(join(folder, 'node.txt'), 'utf8'));
const results = new Map();
const waiting = [...programs];
async function work() {
  const directory = mkdtempSync(join(tmpdir(), 'messages-'));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, source] = next;
    const file = join(directory, name.split(' ')[0]);
    writeFileSync(file, source);
    const child = spawn('node', [file], { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (text) => { output += text; });
    await new Promise((resolve) => { child.on('close', resolve); });
    results.set(name, shown(output, directory));
  }
  rmSync(directory, { recursive: true });
}
await Promise.all([work(), work()]);
if (update) {
  writeFileSync(join(folder, 'node.txt'), [...programs.keys()].map((name) => `=== ${name}\n${results.get(name)}\n`).join(''));
} else {
  let wrong = 0;
  for (const name of programs.keys()) {
    if (results.get(name) === expected.get(name)) continue;
    wrong += 1;
    console.error(`${name}:\n${programs.get(name)}\n--- Node:\n${results.get(name)}\n--- expected:\n${expected.get(name)}\n`);
  }
  console.log(`${programs.size - wrong} of ${programs.size} mistakes are told as Node tells them`);
  process.exitCode = wrong > 0 ? 1 : 0;
}
