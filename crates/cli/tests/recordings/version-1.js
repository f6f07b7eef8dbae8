// Asks a little of everything that a program can ask, so that its recording has a line of every family.
'use strict';
const fs = require('fs');
const os = require('os');
const net = require('net');
const dns = require('dns');
const dgram = require('dgram');
const path = require('path');
const zlib = require('zlib');
const { execFileSync, execFile } = require('child_process');
const { Worker, isMainThread, parentPort, SHARE_ENV } = require('worker_threads');

async function files() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fixture-'));
  const file = path.join(folder, 'a.txt');
  const watcher = fs.watch(folder);
  const changed = new Promise((resolve) => watcher.once('change', resolve));
  fs.writeFileSync(file, 'one\n', { flush: true });
  await fs.promises.appendFile(file, 'two\n');
  await changed;
  watcher.close();
  const handle = await fs.promises.open(file, 'r+');
  const { bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  await handle.write('x', 0);
  await handle.write(Buffer.from('y'));
  await handle.chmod(0o600);
  await handle.utimes(1, 2.5);
  await handle.truncate(6);
  await handle.sync();
  await handle.datasync();
  await handle.stat();
  await handle.close();
  fs.linkSync(file, path.join(folder, 'b.txt'));
  fs.symlinkSync('a.txt', path.join(folder, 'c.txt'));
  fs.copyFileSync(file, path.join(folder, 'd.txt'));
  fs.renameSync(path.join(folder, 'd.txt'), path.join(folder, 'e.txt'));
  fs.mkdirSync(path.join(folder, 'f/g'), { recursive: true });
  fs.rmdirSync(path.join(folder, 'f/g'));
  fs.chmodSync(file, 0o640);
  fs.chownSync(file, process.getuid(), process.getgid());
  fs.lchownSync(path.join(folder, 'c.txt'), process.getuid(), process.getgid());
  fs.utimesSync(file, 1, 2);
  fs.lutimesSync(path.join(folder, 'c.txt'), 1, 2);
  fs.truncateSync(file, 3);
  fs.accessSync(file, fs.constants.R_OK);
  console.log('files', bytesRead, fs.readFileSync(file, 'utf8'), fs.readlinkSync(path.join(folder, 'c.txt')),
    fs.readdirSync(folder).join(), fs.readdirSync(folder, { recursive: true }).length,
    fs.statSync(file).size, fs.lstatSync(path.join(folder, 'c.txt')).isSymbolicLink(), fs.statfsSync('/').bsize > 0,
    fs.realpathSync(folder) === fs.realpathSync.native(folder), fs.existsSync('/nowhere'));
  for await (const entry of fs.opendirSync(folder)) if (entry.name === 'b.txt') fs.unlinkSync(path.join(folder, 'b.txt'));
  process.umask(process.umask());
  await fs.promises.readFile(Buffer.from(file));
  await fs.promises.rm(folder, { recursive: true });
  await fs.promises.readFile('/nowhere').catch((error) => console.log(error.code));
}

async function network() {
  const server = net.createServer((socket) => socket.setNoDelay(true).setKeepAlive(true, 1000).end('hello'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = net.connect(server.address().port, '127.0.0.1');
  const heard = await new Promise((resolve) => socket.once('data', resolve));
  await new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => server.close(resolve));
  console.log('network', `${heard}`);
  await new Promise((resolve) => net.connect(1, '127.0.0.1').once('error', resolve));

  const one = dgram.createSocket('udp4');
  const other = dgram.createSocket('udp4');
  await new Promise((resolve) => one.bind(0, '127.0.0.1', resolve));
  one.setTTL(9);
  const message = new Promise((resolve) => one.once('message', resolve));
  other.send('datagram', one.address().port, '127.0.0.1');
  console.log('datagram', `${await message}`);
  await new Promise((resolve) => other.connect(one.address().port, '127.0.0.1', resolve));
  other.send('again');
  await new Promise((resolve) => one.once('message', resolve));
  other.disconnect();
  other.close();
  one.close();
  const { address } = await dns.promises.lookup('localhost', { family: 4 });
  console.log('names', address, (await dns.promises.lookupService('127.0.0.1', 80)).service, dns.getServers().length > 0);
}

async function others() {
  console.log('child', execFileSync('/bin/echo', ['hello']).toString());
  const child = execFile('/bin/sleep', ['100']);
  await new Promise((resolve) => child.once('spawn', resolve));
  child.kill();
  await new Promise((resolve) => child.once('close', resolve));
  const worker = new Worker(__filename, { env: SHARE_ENV });
  const cell = new Int32Array(new SharedArrayBuffer(8));
  console.log('wait', Atomics.wait(cell, 0, 1), Atomics.wait(cell, 0, 0, 1), Atomics.notify(cell, 0));
  console.log('worker', await new Promise((resolve) => worker.once('message', resolve)));
  worker.postMessage('end');
  await new Promise((resolve) => worker.once('exit', resolve));
  await new Promise((resolve) => zlib.gzip('text', resolve));
  console.log('system', os.cpus().length > 0, os.userInfo().uid === process.getuid(), os.getPriority(), process.memoryUsage().rss > 0,
    process.resourceUsage().maxRSS > 0, process.kill(process.pid, 0));
  process.on('SIGUSR2', () => {}).removeAllListeners('SIGUSR2');
  process.stdin.on('data', () => {}).on('end', () => console.log('input'));
}

if (isMainThread) files().then(network).then(others).then(() => setTimeout(() => console.log('done'), 5));
else {
  process.env.FIXTURE = 'set';
  parentPort.once('message', () => parentPort.close());
  parentPort.postMessage('from the worker');
}
