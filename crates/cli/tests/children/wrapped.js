// What tools put around whatever starts children: they change its file, words and variables.
const cp = require('child_process');
const low = process.binding('spawn_sync');

function change(options) {
  console.log('starts', options.file, options.args, options.envPairs.filter((pair) => pair.startsWith('OWN=')));
  options.envPairs.push('ADDED=1');
  options.args[options.args.length - 1] += '; echo added $ADDED';
}
const { spawn } = low;
low.spawn = function (options) {
  change(options);
  return spawn.call(this, options);
};
const { spawn: start } = cp.ChildProcess.prototype;
cp.ChildProcess.prototype.spawn = function (options) {
  change(options);
  return start.call(this, options);
};

const env = { OWN: '2', PATH: process.env.PATH };
const { status, stdout } = cp.spawnSync('/bin/sh', ['-c', 'echo own $OWN'], { env, encoding: 'utf8' });
console.log(status, stdout);
console.log(cp.execFileSync('/bin/sh', ['-c', 'echo file $OWN'], { env, encoding: 'utf8' }));
console.log(cp.execSync('echo shell $OWN', { env, encoding: 'utf8' }));
const child = cp.spawn('/bin/sh', ['-c', 'echo later $OWN'], { env });
let said = '';
child.stdout.on('data', (data) => { said += data; });
child.on('close', (code) => console.log(said, 'closed', code));
