// Children of a simulated program do as under Node: streams, exit codes, signals, messages. One after the other, so that the
// order is one.
const cp = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const roles = {
  echo() {
    process.stdin.setEncoding('utf8').on('data', (text) => process.stdout.write(text.toUpperCase())).on('end', () => console.error('no more'));
  },
  facts() {
    const { HEMIOLA_TEST: variable, HOME: home } = process.env;
    console.log(process.argv.length, path.basename(process.cwd()), variable, home, process.execArgv, typeof process.send);
    console.log(process.pid > 1, process.ppid === Number(process.argv[3]), process.stdin.isTTY, process.title === '');
  },
  exits() { process.exitCode = 5; },
  leaves() { process.on('exit', (code) => console.log('leaves with', code)); process.exit(7); },
  throws() { throw new TypeError('in the child'); },
  rejects() { Promise.reject(new Error('nobody cares')); },
  waits() { console.log('waits'); setInterval(() => {}, 1000); process.on('exit', () => console.log('never said')); },
  minds() {
    process.on('SIGTERM', (name, number) => { console.log('heard', name, number); if (number === 15) setTimeout(() => process.exit(3), 5); });
    process.once('SIGUSR2', (name) => { console.log('heard', name); });
    setInterval(() => {}, 1000);
    console.log('ready');
  },
  kills() { console.log('before'); process.kill(process.pid, 'SIGHUP'); },
  much() { process.stdout.write('x'.repeat(1 << 20)); console.error('written'); },
  unread() { process.stdout.on('error', (error) => { console.error(error.code); process.exit(4); }); setInterval(() => process.stdout.write('tick\n'), 50); },
  talks() {
    process.on('message', (message) => {
      if (message === 'end') process.disconnect();
      else process.send({ got: message, more: [1, { two: 2 }] });
    });
    process.on('disconnect', () => console.log('disconnected', process.connected));
  },
  parent() {
    const child = cp.spawn(process.execPath, [__filename, 'echo'], { stdio: ['inherit', 'inherit', 'ignore'] });
    child.on('exit', (code) => console.log('the grandchild ended with', code));
  },
  orphan() {
    const child = cp.fork(__filename, ['late'], { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
    child.on('message', (message) => { console.log(message); process.kill(process.pid, 'SIGKILL'); });
  },
  late() { process.send('started'); process.on('disconnect', () => setTimeout(() => console.log('the orphan ends'), 50)); },
  pipes() {
    const net = require('net');
    new net.Socket({ fd: 3 }).on('data', (chunk) => console.log('on 3:', String(chunk))).on('end', () => console.log('3 has ended')).write('from 3');
  },
};

function watch(child, name, prepare) {
  return new Promise((resolve) => {
    const seen = [];
    const said = ['', '', '', ''];
    for (const event of ['spawn', 'exit', 'disconnect', 'message']) child.on(event, (...args) => seen.push([event, ...args.slice(0, 2)]));
    child.on('error', (error) => seen.push(['error', error.code, error.syscall.replace(process.execPath, 'NODE'), error.path.replace(process.execPath, 'NODE'), error.spawnargs]));
    for (const at of [1, 2, 3]) child.stdio?.[at]?.on('data', (chunk) => { said[at] += chunk; });
    child.on('close', (...args) => {
      seen.push(['close', ...args]);
      const errors = said[2].split('\n').filter((line) => line && !/^\s|^Node|^\/|^node:|^throw|^Hemiola|^}|\^$/.test(line)).join("|").replace(" {", "").replace(/'\/.*\//, "'");
      console.log(name, seen, said[1].length > 1000 ? said[1].length : said[1], errors, said[3], [child.exitCode, child.signalCode, child.killed]);
      resolve();
    });
    prepare?.(child);
  });
}

async function main() {
  const spawn = (role, ...rest) => cp.spawn(process.execPath, [__filename, role, ...rest]);
  const when = (stream, act) => stream.once('data', () => act());
  await watch(spawn('echo'), 'echo', (child) => { child.stdin.write('one '); child.stdin.end('two'); });
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'children-'));
  fs.mkdirSync(path.join(directory, 'inside'));
  const facts = cp.spawn(process.execPath, ['--no-warnings', __filename, 'facts', String(process.pid)], { cwd: path.join(directory, 'inside'), env: { HEMIOLA_TEST: 'a b=c', PATH: process.env.PATH } });
  await watch(facts, 'facts', () => console.log(facts.spawnargs.length, facts.pid > 1, facts.connected));
  for (const role of ['exits', 'leaves', 'throws', 'rejects', 'kills', 'much']) await watch(spawn(role), role);
  await watch(spawn('waits'), 'killed', (child) => when(child.stdout, () => console.log(child.kill(), child.killed)));
  await watch(spawn('waits'), 'killed hard', (child) => when(child.stdout, () => child.kill('SIGKILL')));
  await watch(spawn('minds'), 'minds', (child) => when(child.stdout, () => {
    child.kill('SIGUSR2');
    child.kill('SIGTERM');
    console.log(child.kill(0));
  }));
  await watch(spawn('unread'), 'unread', (child) => when(child.stdout, () => child.stdout.destroy()));
  await watch(spawn('waits'), 'aborted', (child) => when(child.stdout, () => process.kill(child.pid, 'SIGINT')));
  await watch(cp.spawn(process.execPath, [__filename, 'waits'], { timeout: 2000, killSignal: 'SIGQUIT' }), 'timed out');
  await watch(cp.spawn(process.execPath, ['-e', 'console.log(process.argv.slice(1), 1 + 1)', 'x', '--y']), 'eval');
  await watch(cp.spawn(process.execPath, ['-p', '[1, 2].map(String)']), 'print');
  await watch(cp.spawn(process.execPath, ['missing.js'], { cwd: directory }), 'no such file');
  await watch(cp.spawn(process.execPath, ['-e', '0'], { cwd: path.join(directory, 'gone') }), 'no such directory');
  await watch(cp.spawn('./gone', ['a'], { cwd: directory }), 'no such program');
  await watch(spawn('parent'), 'grandchild', (child) => child.stdin.end('through two'));
  await watch(cp.fork(__filename, ['talks'], { silent: true }), 'forked', (child) => {
    child.send({ a: [null, 'ä'] });
    child.once('message', () => child.send('end'));
  });
  await watch(cp.fork(__filename, ['talks'], { silent: true, serialization: 'advanced' }), 'advanced', (child) => {
    child.send(new Map([[1, new Date(0)]]));
    child.once('message', () => child.send('end'));
  });
  await watch(spawn('orphan'), 'orphan');
  await watch(cp.spawn(process.execPath, [__filename, 'pipes'], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] }), 'more pipes', (child) => child.stdio[3].end('to 3'));
  const script = path.join(directory, 'script');
  fs.writeFileSync(script, '#!/usr/bin/env node\nconsole.log("a script", process.argv.slice(2));\n', { mode: 0o755 });
  await watch(cp.spawn(script, ['with', 'words']), 'script');
  fs.writeFileSync(path.join(directory, 'made.js'), 'require("fs").writeFileSync("seen.txt", "by the child")');
  await watch(cp.spawn('node', ['made.js'], { cwd: directory }), 'files');
  console.log(fs.readFileSync(path.join(directory, 'seen.txt'), 'utf8'));
  fs.rmSync(directory, { recursive: true });
}

const role = process.argv[2];
if (role !== undefined) roles[role]();
else main();
