// Children that share their streams, and what a child's process cannot be told by accident.
'use strict';
const { execFileSync, fork, spawn, spawnSync } = require('child_process');

if (process.argv[2] === 'forked') {
  console.log('in the child', process._channel === process.channel);
  process.disconnect();
  return;
}

const closed = (child) => new Promise((resolve) => child.once('exit', resolve));

async function pipeline() {
  const numbers = spawn('sh', ['-c', 'seq 1 200000']);
  const some = spawn('grep', ['1'], { stdio: [numbers.stdout, 'pipe', 'inherit'] });
  const count = spawn('wc', ['-c'], { stdio: [some.stdout, 'pipe', 'inherit'] });
  for await (const chunk of count.stdout) console.log('counted', Number(chunk));
}

async function inTurn() {
  const cat = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
  const head = spawn('head', ['-n1'], { stdio: [cat.stdout, 'pipe', 'inherit'] });
  head.stdout.on('data', (chunk) => console.log('head:', `${chunk}`.trim()));
  cat.stdin.write('for the child\n');
  await closed(head);
  cat.stdout.on('data', (chunk) => console.log('here:', `${chunk}`.trim()));
  console.log(cat.stdout.isPaused(), cat.stdout.readableFlowing);
  cat.stdout.resume();
  cat.stdin.end('for the program\n');
  await closed(cat);
}

function options() {
  Object.prototype.cwd = '/not/there';
  Object.prototype.shell = true;
  console.log(spawnSync('pwd').stdout.toString().trim() === process.cwd());
  console.log(execFileSync('pwd').toString().trim() === process.cwd());
  spawn('echo', ['&&', 'pwd']).stdout.on('data', (chunk) => console.log(`${chunk}`.trim()));
  delete Object.prototype.cwd;
  delete Object.prototype.shell;
  for (const serialization of [null, 42, 'xml']) {
    try {
      spawn('true', { serialization });
    } catch ({ code, message }) {
      console.log(code, message);
    }
  }
}

async function channel() {
  const child = fork(__filename, ['forked'], { execArgv: ['--no-warnings'], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  child.stdout.on('data', (chunk) => console.log(`${chunk}`.trim()));
  const { enumerable } = Object.getOwnPropertyDescriptor(child, '_channel');
  console.log('_channel', enumerable);
  await closed(child);
}

function limits() {
  // Who writes too much is told, and goes on.
  const program = 'try { fs.writeFileSync(process.argv[1], "x".repeat(1 << 16)) } catch ({ code, syscall }) { console.log(code, syscall) }';
  const file = `${require('fs').mkdtempSync(`${require('os').tmpdir()}/limit-`)}/file`;
  const told = execFileSync('/bin/sh', ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, '-e', program, file]);
  console.log(`${told}`.trim());
  require('fs').rmSync(require('path').dirname(file), { recursive: true });
  // What a descriptor is called that is no file.
  const where = 'console.log(fs.realpathSync("/dev/stdin").replace(/[0-9]+/g, "N"))';
  console.log(execFileSync('/bin/sh', ['-c', ': | "$0" -e "$1"', process.execPath, where]).toString().trim());
}

(async () => {
  await pipeline();
  await inTurn();
  options();
  await channel();
  limits();
})();
