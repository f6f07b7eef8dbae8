// Files of the parent as standard streams of its children: they go on where the parent is, and after it has closed them.
const cp = require('child_process');
const fs = require('fs');
const path = require('path');

const directory = fs.mkdtempSync(path.join(require('os').tmpdir(), 'files-'));
const at = (name) => path.join(directory, name);
const text = (name) => fs.readFileSync(at(name), 'utf8');
const run = (code, stdio, more) => new Promise((resolve) => {
  cp.spawn(process.execPath, ['-e', code], { stdio, ...more }).on('exit', (...how) => resolve(how)).on('error', (error) => resolve([error.code, error.syscall]));
});
const upper = 'process.stdin.setEncoding("utf8").on("data", (said) => process.stdout.write(said.toUpperCase()))';

async function main() {
  // One file for both, that the parent writes before and after.
  const both = fs.openSync(at('both'), 'w');
  fs.writeSync(both, 'before\n');
  const first = run('console.log("out"); console.error("err"); fs.writeSync(1, "sync\\n")', ['ignore', both, both]);
  console.log(await first);
  fs.writeSync(both, 'after\n');
  fs.closeSync(both);
  console.log(text('both'));

  // What is appended, by two at once, of whose file the parent has forgotten the name and the number.
  const log = fs.openSync(at('log'), 'a');
  const two = [1, 2].map((n) => run(`let i = 0; const timer = setInterval(() => { console.log(${n}, ++i); if (i === 3) clearInterval(timer); }, 20 + ${n})`, ['ignore', log, 'ignore']));
  fs.closeSync(log);
  console.log(await Promise.all(two), text('log').split('\n').sort());

  // Standard input, of which the parent has read the beginning.
  fs.writeFileSync(at('in'), 'skipped, and read');
  const input = fs.openSync(at('in'));
  fs.readSync(input, Buffer.alloc(9), 0, 9, null);
  const output = fs.createWriteStream(at('out'));
  await new Promise((resolve) => output.once('open', resolve));
  console.log(await run(upper, [input, output, 'inherit']), [text('out')]);

  // Waited for, and handed on to grandchildren.
  fs.writeFileSync(at('in'), 'of a file');
  const { status, output: said } = cp.spawnSync(process.execPath, ['-e', upper], { stdio: [fs.openSync(at('in')), 'pipe', 'inherit'] });
  console.log(status, String(said[1]));
  const last = fs.openSync(at('last'), 'w');
  console.log(await run(`console.log("child"); require("child_process").spawnSync(process.execPath, ["-e", "console.log('grandchild')"], { stdio: "inherit" }); console.log("child again")`, ['ignore', last, 'inherit']));
  console.log(text('last'), fs.fstatSync(last).size);

  // What cannot be.
  fs.closeSync(last);
  console.log(await run('console.log(1)', ['ignore', fs.openSync(at('last'), 'r'), 'ignore']), [text('last').length]);
  fs.rmSync(directory, { recursive: true });
}
main();
