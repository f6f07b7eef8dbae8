// What a prompt shows of files that it loads, and of an editor that is left.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { start } from 'node:repl';
import { PassThrough } from 'node:stream';

async function session(terminal, ...texts) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = start({ prompt: '', input, output, terminal, preview: false, useGlobal: true });
  let shown = '';
  output.on('data', (text) => { shown += text; });
  for (const text of [...texts, '.exit\n']) input.write(text);
  await once(server, 'exit');
  // Where the cursor goes is another matter.
  console.log(JSON.stringify(shown.replace(/\x1b\[\d*[A-Za-z]/g, '').replace(/(^|\n) +/g, '$1').replaceAll(root, 'ROOT')));
}

const root = mkdtempSync(`${tmpdir()}/repl-loads-`);
for (const [name, text] of [['whole', 'var a = 1;\nfunction b() {\n  return 2;\n}\nb()\n'], ['open', 'var c = 5;'], ['wrong', '1\nnope.x\n2\n']]) {
  writeFileSync(`${root}/${name}.js`, text);
  for (const terminal of [true, false]) await session(terminal, `.load ${root}/${name}.js\n`, 'b()\n');
}
for (const terminal of [true, false]) await session(terminal, `.load ${root}\n`, `.load ${root}/missing\n`);
await session(true, '.editor\n', '\x03', '2\n');
rmSync(root, { recursive: true });

// Whoever closes a prompt may listen for that afterwards.
const closed = start({ input: new PassThrough(), output: new PassThrough() });
closed.close();
closed.on('close', () => console.log('close')).on('exit', () => console.log('exit'));
console.log('later');
