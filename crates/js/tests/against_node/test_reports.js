// What reporters of tests are told, and what JUnit gets.
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const folder = fs.mkdtempSync(`${require('os').tmpdir()}/reports-`);
const write = (name, text) => {
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};
const all = write('all.test.js', `
const { test, describe, it } = require('node:test');
test('a', async (t) => {
  await t.test('a1', () => {});
  await t.test('a2', { skip: 'why' }, () => {});
  await t.test('a3', async (t) => { await t.test('deep', () => { throw new Error('no <x'); }); });
});
test('b', { todo: 'later' }, () => {});
describe('s', { concurrency: 2 }, () => {
  it('s1', async () => { await new Promise((resolve) => { setTimeout(resolve, 50); }); });
  it('s2', () => {});
  it.skip('s3');
  it.todo('s4', () => { throw new Error('not yet'); });
});
describe('empty', () => {});
test('slow', { timeout: 5 }, async () => { await new Promise((resolve) => { setTimeout(resolve, 50); }); });
`);
const none = write('none.test.js', 'process.exit(3);');
const reporter = write('reporter.mjs', `
export default async function* report(source) {
  for await (const { type, data } of source) {
    if (type === 'test:diagnostic') continue;
    const { details, file, ...rest } = data;
    const { duration_ms: duration, error, ...others } = details ?? {};
    const about = { ...rest, file: file?.split('/').pop(), ...others, duration: typeof duration, error: error?.message };
    yield JSON.stringify([type, about]) + '\\n';
  }
}`);

const run = (...words) => spawnSync(process.execPath, ['--no-warnings', ...words], { cwd: folder, encoding: 'utf8' }).stdout;

// Which of them are told first depends on when the first test begins; what is of one kind has an order.
const kinds = (text) => {
  const lines = text.replaceAll(folder, '').trim().split('\n');
  const byKind = {};
  for (const line of lines) (byKind[JSON.parse(line)[0]] ??= []).push(line);
  return Object.keys(byKind).sort().flatMap((kind) => (kind === 'test:enqueue' ? byKind[kind].sort() : byKind[kind])).join('\n');
};
console.log(kinds(run(`--test-reporter=${reporter}`, all)));
console.log(kinds(run('--test', `--test-reporter=${reporter}`, all, none)).replace(/("name":"\/none.test.js","nesting":0,"testNumber":)\d/g, '$1N'));
const inElements = (text) => text.replaceAll(folder, '').replace(/ time="[\d.]+"/g, '').split('\n').filter((line) => /^\t*<(?!!-- duration)/.test(line)).join('\n');
console.log(inElements(run('--test', '--test-reporter=junit', all, none)));
fs.rmSync(folder, { recursive: true });
