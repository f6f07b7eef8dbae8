// exec and execFile: their callbacks, their promises, their limits.
const cp = require('child_process');
const { promisify } = require('util');

const plain = (error) => error && { name: error.name, message: error.message, code: error.code, killed: error.killed, signal: error.signal, cmd: error.cmd, path: error.path, spawnargs: error.spawnargs, stdout: error.stdout, stderr: error.stderr };
function run(name, form, ...args) {
  return new Promise((resolve) => {
    const child = cp[form](...args, (error, stdout, stderr) => {
      console.log(name, plain(error), [stdout, stderr].map((text) => (text.length > 60 ? text.length : text)));
      resolve(child);
    });
  });
}

(async () => {
  // CHILD-11.
  await run('exec', 'exec', 'echo $((1 + 1)); echo e >&2');
  // CHILD-12.
  await run('exec fails', 'exec', 'echo why >&2; exit 3');
  await run('exec is killed', 'exec', 'kill -9 $$');
  await run('exec in a directory', 'exec', 'pwd', { cwd: '/usr' });
  await run('exec with variables', 'exec', 'echo $A', { env: { A: 'b' } });
  await run('exec in another shell', 'exec', 'echo $0', { shell: '/bin/bash' });
  await run('exec without a shell', 'exec', 'echo x', { shell: '/no/shell' });
  await run('exec of bytes', 'exec', 'echo x', { encoding: 'buffer' });
  await run('exec in an unknown encoding', 'exec', 'echo x', { encoding: 'unknown' });
  await run('exec in hex', 'exec', 'echo x', { encoding: 'hex' });
  await run('execFile', 'execFile', 'echo', ['a', 'b']);
  await run('execFile without arguments', 'execFile', 'true');
  await run('execFile with options', 'execFile', 'pwd', { cwd: '/usr' });
  await run('execFile with null', 'execFile', 'echo', null, null);
  await run('execFile is missing', 'execFile', 'no-such-program', ['x']);
  await run('execFile fails', 'execFile', 'sh', ['-c', 'echo no >&2; exit 9']);
  await run('execFile by a shell', 'execFile', 'echo', ['$A'], { shell: true, env: { A: 'c' } });
  // CHILD-13.
  await run('too late', 'exec', 'exec sleep 20', { timeout: 60 });
  await run('too late, and deaf', 'execFile', 'sh', ['-c', 'trap "" TERM; while :; do sleep 1; done'], { timeout: 200, killSignal: 'SIGKILL' });
  await run('too much', 'exec', 'printf 1234567890; exec sleep 20', { maxBuffer: 4 });
  await run('too much of text', 'exec', 'printf äöüäöü; exec sleep 20', { maxBuffer: 5 });
  await run('too many errors', 'exec', 'printf 1234567890 >&2; exec sleep 20', { maxBuffer: 4 });
  await run('too many bytes', 'exec', 'printf 1234567890; exec sleep 20', { maxBuffer: 4, encoding: 'buffer' });
  await run('just enough', 'exec', 'printf 1234', { maxBuffer: 4 });
  await run('no limit', 'exec', 'yes | head -c 3000000', { maxBuffer: Infinity });
  await run('the usual limit', 'exec', 'yes | head -c 3000000');
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  await run('aborted', 'execFile', 'sleep', ['20'], { signal: controller.signal });
  await run('aborted before', 'execFile', 'sleep', ['20'], { signal: AbortSignal.abort() });

  // CHILD-14.
  const promised = promisify(cp.exec)('echo p');
  console.log(promised.child instanceof cp.ChildProcess, await promised);
  console.log(await promisify(cp.execFile)('echo', ['q']));
  await promisify(cp.exec)('echo out; echo err >&2; exit 4').catch((error) => console.log(plain(error)));
  await promisify(cp.execFile)('no-such-program').catch((error) => console.log(plain(error)));

  // Nobody need listen.
  await new Promise((resolve) => cp.exec('exit 1').on('close', resolve));
  const child = await run('settled', 'exec', 'exit 5');
  console.log(child.exitCode, child.signalCode, child.killed, child.spawnfile, child.spawnargs);

  for (const [form, ...args] of [
    ['exec'], ['exec', ''], ['exec', 1], ['exec', 'a\0'], ['exec', 'ls', 1], ['exec', 'ls', {}, 1], ['exec', 'ls', { timeout: -1 }], ['exec', 'ls', { maxBuffer: 'x' }],
    ['execFile'], ['execFile', 'ls', 1], ['execFile', 'ls', [], 1], ['execFile', 'ls', [], {}, 1], ['execFile', 'ls', [], { killSignal: 'x' }],
    ['execFile', 'ls', [], { argv0: 1 }], ['execFile', 'ls', [], { signal: 1 }],
  ]) {
    try {
      cp[form](...args).on('error', () => {}).kill();
      console.log(form, args, 'passed');
    } catch (error) {
      console.log(form, args, error.name, error.code, error.message);
    }
  }
})();
