// Many children at once, and nothing of them left behind: neither processes nor descriptors.
const cp = require('child_process');
const fs = require('fs');

const descriptors = () => fs.readdirSync('/proc/self/fd').length;
// Dead children that nobody has waited for.
function zombies() {
  let count = 0;
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [, rest] = fs.readFileSync(`/proc/${name}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
      const [state, parent] = rest.split(' ');
      if (state === 'Z' && Number(parent) === process.pid) count++;
    } catch {
      // It has gone meanwhile.
    }
  }
  return count;
}

async function main() {
  // What is opened once stays.
  await new Promise((resolve) => cp.spawn('true').on('close', resolve));
  const before = descriptors();

  const ends = [];
  for (let at = 0; at < 200; at++) {
    ends.push(new Promise((resolve) => {
      const child = cp.spawn('sh', ['-c', `read line; echo "$line" ${at}; exit ${at % 7}`]);
      let said = '';
      child.stdout.on('data', (chunk) => { said += chunk; });
      child.stdin.end(`line ${at}\n`);
      child.on('close', (code) => resolve(said === `line ${at} ${at}\n` && code === at % 7));
    }));
  }
  console.log((await Promise.all(ends)).filter(Boolean).length);
  console.log('zombies', zombies(), 'descriptors', descriptors() - before);

  const failures = [];
  for (let at = 0; at < 50; at++) {
    failures.push(new Promise((resolve) => cp.spawn('no-such-program', { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] }).on('error', resolve)));
    cp.spawnSync('no-such-program', { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    cp.spawnSync('true', { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  }
  console.log((await Promise.all(failures)).every((error) => error.code === 'ENOENT'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log('zombies', zombies(), 'descriptors', descriptors() - before);

  const forked = [];
  for (let at = 0; at < 20; at++) {
    forked.push(new Promise((resolve) => {
      const child = cp.fork(__filename, ['child']);
      child.on('message', (message) => { if (message === at) child.disconnect(); });
      child.send(at);
      child.on('exit', (code) => resolve(code));
    }));
  }
  console.log((await Promise.all(forked)).filter((code) => code === 0).length);
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log('zombies', zombies(), 'descriptors', descriptors() - before);

  // A child gets no socket but what it is given.
  const count = 'ls -l /proc/self/fd | grep -c socket';
  console.log(String(cp.spawnSync('sh', ['-c', count]).stdout).trim());
  const child = cp.spawn('sh', ['-c', count], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
  child.stdout.on('data', (text) => console.log(String(text).trim()));
}

if (process.argv[2] === 'child') process.on('message', (message) => process.send(message));
else main();
