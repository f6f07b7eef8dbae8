// Files that `run` of node:test is given go by those names.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { run } from 'node:test';

const root = realpathSync(mkdtempSync(`${tmpdir()}/run-files-`));
process.chdir(root);
mkdirSync('sub');
writeFileSync('passes.js', 'console.log("shown");');
writeFileSync('sub/fails.js', 'process.exitCode = 3;');
for (const files of [['passes.js', './sub/../sub/fails.js'], [`${root}/passes.js`]]) {
  for await (const { type, data } of run({ files })) {
    const { name, file, line, column, details } = data;
    if (/start|pass|fail|stdout/.test(type)) console.log(type, name?.replace(root, 'ROOT'), file?.replace(root, 'ROOT'), line, column, details?.error?.exitCode);
  }
}
rmSync(root, { recursive: true });
