// A file that is no program of the system, because nothing says who runs it, is one of the shell.
const { execFile, execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scripts-'));
const file = path.join(folder, 'greet');
fs.writeFileSync(file, 'echo "hello $1 $#"\n', { mode: 0o755 });
console.log(execFileSync(file, ['at once']).toString().trim());
execFile(file, ['later', 'twice'], (error, out) => {
  console.log(error, out.trim());
  spawn(file, { stdio: 'inherit', argv0: 'another' }).on('close', (code) => {
    console.log(code);
    fs.rmSync(folder, { recursive: true });
  });
});
