// A program with a `process.cwd` of its own, and one that was started where there is no directory any more.
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const attempt = (fn) => {
  try {
    console.log(fn());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};

// Paths are relative to what the program's own `process.cwd` gives.
{
  const { cwd } = process;
  for (const directory of ['/x/y', '', 'rel', 'a/b', '.', '..', 'a/../..']) {
    process.cwd = () => directory;
    const resolved = [[], ['a'], ['..'], ['../..'], ['a', '..'], ['/q'], ['']].map((parts) => path.resolve(...parts));
    console.log(directory, resolved.join(' '));
  }
  process.cwd = () => { throw new RangeError('nowhere'); };
  attempt(() => path.resolve('a'));
  attempt(() => path.resolve('/a'));
  process.cwd = cwd;
}

// Children are started where the directory is gone.
{
  const gone = fs.mkdtempSync(`${require('os').tmpdir()}/gone-`);
  const code = 'console.log(require("child_process").spawnSync("echo", ["there"], { encoding: "utf8" }).stdout)';
  const shell = spawnSync('sh', ['-c', 'cd "$1" && rmdir "$1" && exec "$0" -e "$2"', process.execPath, gone, code], { encoding: 'utf8' });
  console.log(shell.stdout, shell.stderr);
}
