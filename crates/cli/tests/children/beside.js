// spawn: the child runs beside the program. One after the other, so that the order is one.
const cp = require('child_process');
const fs = require('fs');
const net = require('net');

const plain = (value) => (value instanceof Error
  ? { name: value.name, message: value.message, code: value.code, syscall: value.syscall, path: value.path, spawnargs: value.spawnargs, cause: value.cause }
  : value);
// Runs to its end; what it says, and its events in order.
function watch(child, name, prepare) {
  return new Promise((resolve) => {
    const seen = [];
    const said = ['', '', ''];
    for (const event of ['spawn', 'exit', 'error', 'disconnect']) child.on(event, (...args) => seen.push([event, ...args.map(plain)]));
    for (const at of [1, 2]) child.stdio?.[at]?.on('data', (chunk) => { said[at] += chunk; });
    child.on('close', (...args) => {
      seen.push(['close', ...args]);
      console.log(name, seen, said.slice(1), [child.exitCode, child.signalCode, child.killed]);
      resolve();
    });
    prepare?.(child);
  });
}
const node = (code, ...rest) => [process.execPath, ['-e', code, ...rest]];

(async () => {
  const first = cp.spawn('echo', ['x']);
  console.log(first instanceof cp.ChildProcess, first.constructor.name, first.spawnfile, first.spawnargs, typeof first.pid);
  console.log([first.exitCode, first.signalCode, first.killed, first.connected, first.channel, first.stdio.length]);
  console.log(first.stdin instanceof net.Socket, first.stdin.readable, first.stdin.writable, first.stdout.readable);
  // CHILD-6, CHILD-7 and CHILD-8.
  await watch(first, 'plain');
  await watch(cp.spawn('sh', ['-c', 'echo out; echo err >&2; exit 3']), 'both streams');
  // CHILD-6.
  await watch(cp.spawn('no-such-program', ['a']), 'missing', (child) => console.log(child.pid, child.stdio.length));
  await watch(cp.spawn('pwd', { cwd: '/no/such' }), 'missing directory');
  await watch(cp.spawn('cat'), 'fed', (child) => { child.stdin.write('one '); child.stdin.end('two'); });
  await watch(cp.spawn('wc', ['-c']), 'fed much', (child) => child.stdin.end(Buffer.alloc(3e6)));
  // CHILD-7.
  await watch(cp.spawn('head', ['-c', '2000000', '/dev/zero']), 'nobody reads', (child) => {
    child.stdout.removeAllListeners('data');
    child.stdout.pause();
    child.stdout.on('readable', () => { while (child.stdout.read() !== null); });
  });
  await watch(cp.spawn('true'), 'leaves early', (child) => {
    child.stdin.on('error', (error) => console.log('stdin', error.code, error.syscall));
    child.on('exit', () => {});
    const more = () => { if (!child.stdin.destroyed && child.stdin.writable) child.stdin.write(Buffer.alloc(65536), more); };
    more();
  });
  // CHILD-9.
  await watch(cp.spawn('cat'), 'killed', (child) => {
    console.log(child.kill(0), child.killed);
    console.log(child.kill('SIGINT'), child.killed);
    for (const wrong of ['SIGWRONG', 1.5, {}, 999]) try { child.kill(wrong); } catch (error) { console.log(error.code, error.message); }
  });
  // CHILD-10.
  await watch(cp.spawn('sleep', ['20'], { timeout: 60 }), 'too late');
  await watch(cp.spawn('sh', ['-c', 'trap "" TERM; echo deaf; while :; do sleep 1; done'], { timeout: 200, killSignal: 'SIGKILL', stdio: ['ignore', 'ignore', 'ignore'] }), 'deaf');
  const controller = new AbortController();
  await watch(cp.spawn('sleep', ['20'], { signal: controller.signal }), 'aborted', () => controller.abort('why'));
  await watch(cp.spawn('sleep', ['20'], { signal: AbortSignal.abort('before') }), 'aborted before');
  await watch(cp.spawn('sh', ['-c', 'echo shell $0 $A'], { shell: false, env: { A: 'v' }, argv0: 'me' }), 'own name');
  await watch(cp.spawn('echo a; echo', ['b  c'], { shell: true }), 'a shell');
  // CHILD-5.
  await watch(cp.spawn('echo', ['x'], { stdio: 'ignore' }), 'ignored', (child) => console.log(child.stdin, child.stdout, child.stdio));
  await watch(cp.spawn('sh', ['-c', 'read a <&3; echo "got $a" >&3; echo four >&4'], { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] }), 'further', (child) => {
    child.stdio[3].write('line\n');
    child.stdio[3].on('data', (chunk) => console.log('3:', String(chunk)));
    child.stdio[4].on('data', (chunk) => console.log('4:', String(chunk)));
  });
  const file = `/tmp/hemiola-beside-${process.pid}`;
  const out = fs.openSync(file, 'w');
  await watch(cp.spawn('echo', ['to a file'], { stdio: ['ignore', out, 'pipe'] }), 'a descriptor');
  fs.closeSync(out);
  console.log(fs.readFileSync(file, 'utf8'));
  const stream = fs.createWriteStream(file);
  await new Promise((resolve) => stream.on('open', resolve));
  await watch(cp.spawn('echo', ['by a stream'], { stdio: ['ignore', stream, 'pipe'] }), 'a stream');
  stream.destroy();
  console.log(fs.readFileSync(file, 'utf8'));
  fs.unlinkSync(file);

  // The streams of one child are those of another.
  const cat = cp.spawn('cat');
  const done = watch(cat, 'the other');
  await new Promise((resolve) => cat.on('spawn', resolve));
  await watch(cp.spawn('echo', ['through a cat'], { stdio: ['ignore', cat.stdin, 'pipe'] }), 'a pipe of another');
  cat.stdin.end();
  await done;

  // A process group: the child leads it, and a signal reaches all of it.
  await watch(cp.spawn('sh', ['-c', 'sleep 30 & echo ready; wait'], { detached: true }), 'a group', (child) => {
    child.stdout.once('data', () => process.kill(-child.pid, 'SIGKILL'));
  });
  await watch(cp.spawn('sh', ['-c', 'test "$(ps -o sid= -p $$ | tr -d " ")" = $$ && echo leads'], { detached: true }), 'a session');

  // Nobody waits for one that is not referenced.
  await watch(cp.spawn(...node("const child = require('child_process').spawn('sleep', ['30'], { stdio: 'ignore', detached: true }); child.unref(); console.log(child.pid > 0); process.on('exit', () => process.kill(child.pid));")), 'unreferenced');
  await watch(cp.spawn(...node("process.stdin.on('data', (text) => process.stdout.write(String(text).toUpperCase())).on('end', () => console.error('end'))")), 'our own', (child) => child.stdin.end('abc'));
  await watch(cp.spawn(...node("process.kill(process.pid, 'SIGTERM')")), 'ends itself');
  await watch(cp.spawn(...node("setInterval(() => {}, 1000); console.log('ready')")), 'asked to end', (child) => child.stdout.once('data', () => child.kill()));
  await watch(cp.spawn(...node("require('fs').writeSync(3, 'on three')"), { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] }), 'fs on a descriptor', (child) => child.stdio[3].on('data', (text) => console.log(String(text))));

  // CHILD-1.
  for (const [...args] of [
    [], [''], ['a\0'], ['ls', 5], ['ls', [], { stdio: 'wrong' }], ['ls', [], { stdio: ['ipc', 'ipc'] }], ['ls', [], { stdio: [Buffer.from('x')] }],
    ['ls', [], { timeout: -1 }], ['ls', [], { signal: 1 }], ['ls', [], { killSignal: 'x' }], ['ls', [], { serialization: 'x', stdio: ['ipc'] }],
  ]) {
    try { cp.spawn(...args); } catch (error) { console.log(error.name, error.code, error.message); }
  }
  for (const wrong of [undefined, 1, {}, { file: 1 }, { file: 'x', args: 1 }, { file: 'x', envPairs: 1, stdio: ['ipc'] }]) {
    try { new cp.ChildProcess().spawn(wrong); } catch (error) { console.log(error.name, error.code, error.message); }
  }
})();
