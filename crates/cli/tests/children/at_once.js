// spawnSync, execFileSync, execSync: what they give and what they throw.
const cp = require('child_process');
const fs = require('fs');

// A result or an error without what differs from run to run.
function plain(value) {
  if (value instanceof Error) {
    const { name, message, code, errno, syscall, path, spawnargs, status, signal, output } = value;
    return { name, message, code, errno, syscall, path, spawnargs, status, signal, output };
  }
  if (value && typeof value === 'object' && 'pid' in value) {
    const { pid, error, ...rest } = value;
    return { ...rest, hasPid: pid > 0, error: error && plain(error) };
  }
  return value;
}
function show(name, run) {
  let value;
  try { value = plain(run()); } catch (error) { value = ['threw', plain(error)]; }
  console.log(name, value);
}
const text = (file, args, options) => String(cp.spawnSync(file, args, options).stdout);

// CHILD-15.
show('plain', () => cp.spawnSync('echo', ['hi']));
show('text', () => cp.spawnSync('sh', ['-c', 'echo out; echo err >&2; exit 3'], { encoding: 'utf8' }));
show('missing', () => cp.spawnSync('no-such-program', ['a', 'b']));
show('a directory', () => cp.spawnSync('/etc', []));
show('a missing directory', () => cp.spawnSync('pwd', { cwd: '/no/such/directory' }));
// CHILD-4 and CHILD-13: limits of time and of bytes.
show('too late', () => cp.spawnSync('sleep', ['20'], { timeout: 60, encoding: 'utf8' }));
show('too late for a deaf one', () => cp.spawnSync('sh', ['-c', 'trap "" TERM; echo deaf; sleep 20'], { timeout: 150, killSignal: 'SIGKILL', encoding: 'utf8' }));
show('too much', () => cp.spawnSync('sh', ['-c', 'printf 123456789012345; exec sleep 20'], { maxBuffer: 10, encoding: 'utf8' }));
show('more than a megabyte', () => cp.spawnSync('sh', ['-c', 'yes | head -c 3000000']).error.code);
show('as much as it wants', () => cp.spawnSync('sh', ['-c', 'yes | head -c 3000000'], { maxBuffer: Infinity }).stdout.length);
show('signalled', () => cp.spawnSync('sh', ['-c', 'kill -HUP $$']));
show('fed', () => cp.spawnSync('cat', [], { input: 'abc', encoding: 'utf8' }));
show('fed bytes', () => text('cat', [], { input: new Uint16Array([0x6161, 0x6262]) }));
show('fed in an encoding', () => cp.spawnSync('cat', [], { input: 'äöü', encoding: 'latin1' }).stdout);
show('fed in hex', () => cp.spawnSync('cat', [], { input: '6162', encoding: 'hex' }).stdout);
show('fed much', () => cp.spawnSync('cat', [], { input: Buffer.alloc(900000, 'x') }).stdout.length);
show('fed in vain', () => cp.spawnSync('true', [], { input: Buffer.alloc(1000000) }).error.code);
show('not fed', () => cp.spawnSync('cat', [], { input: 'abc', stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' }));
// CHILD-5.
show('further descriptors', () => cp.spawnSync('sh', ['-c', 'echo 3 >&3; echo 4 >&4'], { stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'], encoding: 'utf8' }));
show('ignored', () => cp.spawnSync('echo', ['x'], { stdio: 'ignore' }));
show('some ignored', () => cp.spawnSync('sh', ['-c', 'echo o; echo e >&2'], { stdio: ['pipe', 'ignore', 'pipe', null, undefined], encoding: 'utf8' }));
show('texts of anything', () => text('echo', [1, null, undefined, 'x', true]));
show('own name', () => text('sh', ['-c', 'echo $0'], { argv0: 'zero' }));
// CHILD-3.
show('inherited variables', () => text('sh', ['-c', 'echo $A $B'], { env: Object.create({ A: 'inherited' }) }));
show('no variables', () => text('/usr/bin/env', [], { env: { ONE: 1, NONE: undefined, EMPTY: '' } }).split('\n').sort());
show('the path is the child\'s', () => cp.spawnSync('echo', ['x'], { env: { PATH: '/nowhere' } }).error.code);
// CHILD-2.
show('a shell', () => text('echo', ['$A', '"b  c"'], { shell: true, env: { A: 'a' } }));
show('another shell', () => text('echo', ['$0'], { shell: '/bin/bash' }));
show('a missing shell', () => cp.spawnSync('echo', [], { shell: '/no/shell' }).error.message);
show('a directory as URL', () => text('pwd', { cwd: new URL('file:///usr') }));
show('empty directory', () => cp.spawnSync('pwd', { cwd: '' }).status);
show('changed directory', () => { process.chdir('/usr'); return [text('pwd'), text('pwd', { cwd: 'bin/..' })]; });
{
  const file = `/tmp/hemiola-children-${process.pid}`;
  const fd = fs.openSync(file, 'w+');
  cp.spawnSync('echo', ['into the file'], { stdio: ['ignore', fd, 'inherit'] });
  show('a descriptor', () => fs.readFileSync(file, 'utf8'));
  fs.closeSync(fd);
  fs.unlinkSync(file);
}
// CHILD-16.
show('execFileSync', () => cp.execFileSync('echo', ['a'], { encoding: 'buffer' }));
show('execFileSync fails', () => cp.execFileSync('sh', ['-c', 'exit 2'], { argv0: 'name', encoding: 'utf8' }));
show('execFileSync is missing', () => cp.execFileSync('no-such-program', ['a']));
show('execFileSync is late', () => cp.execFileSync('sleep', ['20'], { timeout: 50 }));
show('execSync', () => cp.execSync('echo $((1 + 1))', { encoding: 'utf8' }));
show('execSync fails', () => cp.execSync('echo why >&2; exit 3', { stdio: 'pipe', encoding: 'utf8' }));
show('execSync is killed', () => cp.execSync('kill -9 $$', { encoding: 'utf8' }));
show('execSync says too much', () => cp.execSync('printf 1234567890; exec sleep 20', { maxBuffer: 5, encoding: 'utf8' }));
show('execSync ignored', () => cp.execSync('exit 1', { stdio: 'ignore' }));

// CHILD-1, CHILD-4 and CHILD-5: what is refused, and in what order.
for (const [name, ...args] of [
  ['spawnSync'], ['spawnSync', 1], ['spawnSync', ''], ['spawnSync', 'a\0b'], ['spawnSync', 'a', ['x\0']],
  ['spawnSync', 'ls', 1], ['spawnSync', 'ls', [], 1], ['spawnSync', 'ls', [], null],
  ['spawnSync', 'ls', [], { stdio: 'wrong' }], ['spawnSync', 'ls', [], { stdio: ['ipc'] }],
  ['spawnSync', 'ls', [], { stdio: [{}] }], ['spawnSync', 'ls', [], { stdio: 5 }],
  ['spawnSync', 'ls', [], { timeout: -1 }], ['spawnSync', 'ls', [], { timeout: '1' }],
  ['spawnSync', 'ls', [], { maxBuffer: -1 }], ['spawnSync', 'ls', [], { maxBuffer: '1' }],
  ['spawnSync', 'ls', [], { maxBuffer: NaN }], ['spawnSync', 'ls', [], { killSignal: 'SIGWRONG' }],
  ['spawnSync', 'ls', [], { killSignal: 1.5 }], ['spawnSync', 'ls', [], { killSignal: {} }],
  ['spawnSync', 'ls', [], { input: 1 }], ['spawnSync', 'ls', [], { encoding: 'wrong' }],
  ['spawnSync', 'ls', [], { uid: 'a' }], ['spawnSync', 'ls', [], { gid: 1.5 }], ['spawnSync', 'ls', [], { shell: 1 }],
  ['spawnSync', 'ls', [], { argv0: 1 }], ['spawnSync', 'ls', [], { detached: 1 }], ['spawnSync', 'ls', [], { cwd: 1 }],
  ['spawnSync', 'ls', [], { env: { A: 'x\0' } }], ['spawnSync', 'ls', [], { windowsHide: 1 }],
  ['execSync'], ['execSync', 1], ['execSync', 'a\0'], ['execSync', '', { stdio: 'pipe' }],
  ['execFileSync', 'ls', 1], ['execFileSync', 'ls', [], 1], ['execFileSync', 'ls', [], 'x'],
]) {
  try {
    cp[name](...args);
    console.log(name, args, 'passed');
  } catch (error) {
    console.log(name, args, error.name, error.code, error.message);
  }
}
