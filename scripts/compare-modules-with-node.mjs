// See compare-modules-with-node.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const folder = new URL('../crates/cli/tests/modules/', import.meta.url).pathname;
const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted.map((name) => `${name}.case`) : readdirSync(folder).sort();

// What is left of a text when all that belongs to one of the two alone is gone.
function essence(text, root) {
  return text
    .replaceAll(root, '/ROOT')
    .replaceAll(/^node:internal\/.*\n.*\n.*\^\n\n/gm, '')
    // Above an error of the loader Node shows its own line, we show the program's.
    .replaceAll(/^(?:file:\/\/)?[/[][^\n]*:\d+\n[^\n]*\n *\^\n\n(?=Error: Cannot find module)/gm, '')
    .replaceAll(/^ +at .*(?:node:internal|-wrapper:|node:events).*?(?: \{)?\n/gm, (frame) => (frame.endsWith('{\n') ? ' {\n' : ''))
    .replaceAll(/\n? +\{\n/g, ' {\n')
    .replaceAll(/\(node:\d+\)/g, '(hemiola)')
    .replaceAll(/^\(Use `node --trace-.*\n/gm, '')
    .replaceAll(/(?:Node\.js|Hemiola) v[\d.]+/g, 'VERSION');
}

let failed = 0;
let compared = 0;
for (const name of names) {
  const text = readFileSync(join(folder, name), 'utf8');
  const at = text.indexOf('-- expected --\n');
  const [head, ...files] = text.slice(0, at).split('\n-- ');
  if (/^differs: /m.test(head)) continue;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'modules-')));
  for (const file of files) {
    const end = file.search(/ --(?:\n|$)/);
    const [path, content] = [file.slice(0, end), file.slice(end + ' --\n'.length)];
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content === '' || content.endsWith('\n') ? content : `${content}\n`);
  }
  for (const [, link, target] of head.matchAll(/^link: (.*) -> (.*)$/gm)) symlinkSync(target, join(root, link));
  let seen = '';
  for (const [, line] of head.matchAll(/^run: (.*)$/gm)) {
    const { stdout, stderr, status } = spawnSync('sh', ['-c', `exec node ${line}`], { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '', NODE_OPTIONS: '' } });
    seen += `$ ${line}\n${stdout}${stderr === '' ? '' : `--- stderr\n${stderr}`}--- exit ${status}\n`;
  }
  const ours = essence(text.slice(at + '-- expected --\n'.length), root).split('\n');
  const theirs = essence(seen, root).split('\n');
  compared += 1;
  const different = theirs.findIndex((line, index) => line !== ours[index]);
  if (different >= 0 || ours.length !== theirs.length) {
    failed += 1;
    const place = different >= 0 ? different : theirs.length;
    console.log(`${name}, line ${place + 1} of what is expected\n  ours: ${ours[place]}\n  Node: ${theirs[place]}`);
    if (wanted.length > 0) console.log(theirs.join('\n'));
  }
  rmSync(root, { recursive: true });
}
console.log(`${compared} cases compared with Node ${process.versions.node}, ${failed} differ`);
process.exitCode = failed > 0 ? 1 : 0;
