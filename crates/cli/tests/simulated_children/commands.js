// What is no program of ours is refused by name, unless something stands in for it.
const cp = require('child_process');
const gone = (form, act) => { try { act(); } catch (error) { console.log(form, error.code, error.message); } };
const tell = (name) => (error, stdout, stderr) => console.log(name, error && [error.code, error.message], stdout, stderr);

cp.spawn('ffmpeg', ['-i', 'a']).on('error', (error) => console.log('spawn', error.code, error.syscall, error.path, error.message));
cp.exec('ffmpeg -i a', tell('exec'));
cp.exec('node -p 1 | cat', tell('pipe'));
cp.exec('echo $HOME', tell('variable'));
cp.exec("node -e 'open", tell('quote'));
cp.execFile('convert', ['a', 'b c'], tell('stand-in'));
cp.exec('convert "b c" fails', tell('stand-in in a shell'));
console.log('sync', cp.spawnSync('ffmpeg').error.message);
gone('execSync', () => cp.execSync('ffmpeg -i a'));
gone('execFileSync', () => cp.execFileSync('ls'));
gone('file', () => cp.spawn(process.execPath, ['-e', '0'], { stdio: ['ignore', 'ignore', 'ignore', require('fs').openSync(__filename)] }));
gone('stopped', () => { const child = cp.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1)']); try { child.kill('SIGSTOP'); } finally { child.kill(); } });
for (const words of [['simulate', 'a.js'], ['--no-such-flag'], ['-'], ['--trace', 'x', '-e', '0']]) {
  const { status, stderr } = cp.spawnSync(process.execPath, words);
  console.log(words, status, String(stderr));
}
