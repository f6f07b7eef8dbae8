// The coverage that Node writes for the programs of the tests, as a text to a program: each function with its name,
// and each of its ranges with its count.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = path.resolve('crates/cli/tests/coverage');
const update = process.argv.includes('--update');
let different = 0;
for (const name of fs.readdirSync(folder).filter((name) => /\.[cm]js$/.test(name))) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'coverage-'));
  spawnSync(process.execPath, [path.join(folder, name)], { env: { ...process.env, NODE_V8_COVERAGE: directory } });
  const [file] = fs.readdirSync(directory);
  const { result } = JSON.parse(fs.readFileSync(path.join(directory, file), 'utf8'));
  fs.rmSync(directory, { recursive: true });
  const script = result.find(({ url }) => url.endsWith(`/${name}`));
  const lines = script.functions.flatMap(({ functionName, ranges, isBlockCoverage }) => [
    `${JSON.stringify(functionName)}${isBlockCoverage ? '' : ' never called'}`,
    ...ranges.map(({ startOffset, endOffset, count }) => `  ${startOffset}-${endOffset} ${count}`),
  ]);
  const text = `${lines.join('\n')}\n`;
  const golden = path.join(folder, `${name}.ranges`);
  if (update) fs.writeFileSync(golden, text);
  else if (!fs.existsSync(golden) || fs.readFileSync(golden, 'utf8') !== text) {
    console.log(`${name} is different`);
    different++;
  }
}
process.exitCode = different === 0 ? 0 : 1;
