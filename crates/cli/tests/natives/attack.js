// Uses the library's public functions while the language around it is watched by `spy.js`.
//
//     hemiola run attack.js DIRECTORY SEED NAMES
//
// Seed 0 replaces every function of the language; any other replaces some, and gives all objects the
// properties NAMES, with commas between them.
'use strict';

// Nothing of the library is loaded before the language is replaced, apart from what finds these.
const [,, directory, seed, names] = process.argv;
const spy = require('./spy.js');

let state = Number(seed);
function draw(below) {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
}

spy.begin();
const replaced = spy.replaceFunctions(() => Number(seed) === 0 || draw(4) === 0);
spy.giveProperties(names.split(','));

const modules = ['assert', 'assert/strict', 'async_hooks', 'buffer', 'child_process', 'cluster', 'console', 'constants',
  'crypto', 'dgram', 'diagnostics_channel', 'dns', 'dns/promises', 'events', 'fs', 'fs/promises', 'hemiola:clock',
  'hemiola:context', 'hemiola:federation', 'hemiola:observe', 'hemiola:scheduler', 'hemiola:tasks', 'http', 'http2', 'https', 'module', 'net',
  'node:test', 'os', 'path', 'perf_hooks', 'process', 'punycode', 'querystring', 'readline', 'readline/promises', 'stream',
  'stream/promises', 'stream/web', 'string_decoder', 'timers', 'timers/promises', 'tls', 'tty', 'url', 'util', 'util/types',
  'v8', 'vm', 'worker_threads', 'zlib'];

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const event = (emitter, ...names) => Promise.race([
  new Promise((resolve) => { for (const name of names) emitter.on(name, resolve); }), pause(10_000)]);
const called = (start) => new Promise((resolve) => { start(resolve); });
const at = (name) => `${directory}/${name}`;

const parts = {
  environment() {
    process.env.ATTACKED = '1';
    delete process.env.ATTACKED;
    return 'HOME' in process.env && process.env.HOME;
  },
  dates() {
    new Date(0).toString();
    new Date('1 Jan 2020');
    Date.now();
    structuredClone(new Date());
  },
  stacks() {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = (error, sites) => {
      for (const site of sites) {
        spy.inspect(site, [site.getFunction(), site.getThis()], 'a call site');
        site.toString();
        site.getFunctionName();
      }
      return 'stack';
    };
    const seen = () => `${new Error('seen').stack}`;
    [1].map(seen);
    require('fs').existsSync({ toString: seen, valueOf: seen, [Symbol.toPrimitive]: seen });
    const options = new Proxy({}, { get: seen, has: seen, ownKeys() { seen(); return []; } });
    const attempts = [
      () => require('fs').readFileSync(at('x'), options), () => require('fs').mkdirSync(at('x'), options),
      () => require('net').connect(options).destroy(), () => require('child_process').spawnSync('true', [], options),
      () => require('crypto').createHash('sha1', options), () => require('zlib').gzipSync('x', options),
      () => process.kill({ valueOf: seen }, 0), () => structuredClone(options), () => process.hrtime(options),
      () => Buffer.from(options), () => Buffer.from({ length: { valueOf: seen } }), () => new TextDecoder('utf-8', options),
      () => new Intl.NumberFormat('en', options), () => setTimeout(() => {}, { valueOf: seen }),
      () => console.log(options), () => require('util').inspect(options, options), () => fetch(options).catch(() => {}),
      () => require('dgram').createSocket(options).close(), () => new URL({ toString: seen }),
      () => new (require('worker_threads').MessageChannel)().port1.postMessage(options),
    ];
    for (const attempt of attempts) {
      try {
        attempt();
      } catch {
        // What it says does not matter here.
      }
    }
    process.nextTick(seen);
    queueMicrotask(seen);
    Error.prepareStackTrace = prepareStackTrace;
    return pause(1);
  },
  modules() {
    for (const name of modules) require(name);
  },
  files() {
    const fs = require('fs');
    fs.mkdirSync(at('a/b'), { recursive: true });
    fs.writeFileSync(at('x'), 'hello');
    fs.appendFileSync(at('x'), ' you');
    fs.readFileSync(at('x'), 'utf8');
    for (const name of ['statSync', 'lstatSync', 'existsSync', 'accessSync', 'realpathSync', 'readdirSync', 'statfsSync']) fs[name](directory);
    const fd = fs.openSync(at('x'), 'r+');
    fs.readSync(fd, Buffer.alloc(3));
    fs.writeSync(fd, 'abc');
    fs.fstatSync(fd);
    fs.ftruncateSync(fd, 2);
    fs.fsyncSync(fd);
    fs.futimesSync(fd, 1, 2);
    fs.closeSync(fd);
    fs.symlinkSync('x', at('link'));
    fs.readlinkSync(at('link'));
    fs.copyFileSync(at('x'), at('copy'));
    fs.renameSync(at('copy'), at('moved'));
    fs.cpSync(at('a'), at('c'), { recursive: true });
    fs.readdirSync(directory, { withFileTypes: true, recursive: true });
    fs.opendirSync(directory).closeSync();
    fs.mkdtempSync(at('t'));
    fs.unlinkSync(at('moved'));
    fs.rmSync(at('c'), { recursive: true });
    fs.watch(directory).close();
    fs.watchFile(at('x'), () => {});
    fs.unwatchFile(at('x'));
    try {
      fs.readFileSync(at('none'));
    } catch {
      // There is none.
    }
  },
  async filesLater() {
    const fs = require('fs');
    const { promises } = fs;
    await promises.writeFile(at('y'), 'z');
    await promises.readFile(at('y'));
    await promises.stat(directory);
    const handle = await promises.open(at('y'));
    await handle.read(Buffer.alloc(1));
    await handle.stat();
    await handle.close();
    for await (const entry of await promises.opendir(directory)) entry.isFile();
    await promises.cp(at('a'), at('d'), { recursive: true });
    await promises.rm(at('d'), { recursive: true });
    await promises.readFile(at('none')).catch(() => {});
    await called((done) => fs.readFile(at('y'), done));
    await called((done) => fs.readdir(directory, done));
    await called((done) => fs.mkdtemp(at('u'), done));
    await event(fs.createReadStream(at('y')).on('data', () => {}), 'close');
    await called((done) => fs.createWriteStream(at('w')).end('abc', done));
  },
  async sockets() {
    const net = require('net');
    const server = net.createServer((socket) => socket.on('error', () => {}).pipe(socket));
    await called((done) => server.listen(0, '127.0.0.1', done));
    const client = net.connect(server.address().port, '127.0.0.1');
    client.setTimeout(1000).setNoDelay().setKeepAlive(true).write('x');
    client.on('data', () => client.end());
    await event(client, 'close', 'error');
    server.close();
    new net.BlockList().addAddress('1.2.3.4');
    await event(net.connect(1, '127.0.0.1'), 'error');
  },
  async http() {
    const http = require('http');
    const server = http.createServer((request, response) => {
      response.setHeader('a', 'b');
      request.on('data', () => {}).on('end', () => response.end('hi'));
    });
    await called((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address();
    for (const agent of [undefined, new http.Agent({ keepAlive: true })]) {
      await called((done) => {
        const request = http.request({ port, host: '127.0.0.1', method: 'POST', agent }, (response) => response.resume().on('end', done));
        request.write('a');
        request.end('x');
      });
    }
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'a', headers: { x: 'y' } });
    await response.text();
    const client = require('net').connect(port, '127.0.0.1');
    client.end('GARBAGE\r\n\r\n');
    await event(client.resume(), 'close');
    server.closeAllConnections();
    server.close();
  },
  async webSockets() {
    const server = require('http').createServer();
    server.on('upgrade', (request, socket) => {
      const key = require('crypto').createHash('sha1')
        .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
      socket.write(Buffer.from([0x81, 2, 104, 105]));
      socket.on('data', () => socket.end(Buffer.from([0x88, 0]))).on('error', () => {});
    });
    await called((done) => server.listen(0, '127.0.0.1', done));
    const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
    socket.onmessage = () => {
      socket.send('x');
      socket.close();
    };
    await Promise.race([called((done) => { socket.onclose = socket.onerror = done; }), pause(5_000)]);
    server.closeAllConnections();
    server.close();
  },
  async datagrams() {
    const socket = require('dgram').createSocket('udp4');
    await called((done) => socket.bind(0, '127.0.0.1', done));
    socket.send('x', socket.address().port, '127.0.0.1');
    await event(socket, 'message');
    socket.close();
    await require('dns').promises.lookup('127.0.0.1');
    new (require('dns').Resolver)().cancel();
  },
  async crypto() {
    const crypto = require('crypto');
    crypto.createHash('sha256').update('x').digest('hex');
    crypto.createHmac('sha1', 'k').update('x').digest();
    await called((done) => crypto.randomBytes(4, done));
    crypto.randomUUID();
    crypto.randomInt(5);
    crypto.pbkdf2Sync('a', 'b', 1, 8, 'sha1');
    await called((done) => crypto.scrypt('a', 'b', 8, { N: 2 }, done));
    crypto.hkdfSync('sha1', 'a', 'b', 'c', 4);
    const [key, iv] = [crypto.randomBytes(32), crypto.randomBytes(16)];
    const cipher = crypto.createCipheriv('aes-256-cbc', key, iv);
    const secret = Buffer.concat([cipher.update('abc'), cipher.final()]);
    const back = crypto.createDecipheriv('aes-256-cbc', key, iv);
    back.update(secret);
    back.final();
    const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
    crypto.verify('sha256', Buffer.from('a'), publicKey, crypto.sign('sha256', Buffer.from('a'), privateKey));
    publicKey.export({ type: 'spki', format: 'pem' });
    crypto.createSecretKey(key).export();
    await globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(2));
    globalThis.crypto.getRandomValues(new Uint8Array(2));
  },
  async zlib() {
    const zlib = require('zlib');
    for (const [pack, unpack] of [['gzip', 'gunzip'], ['brotliCompress', 'brotliDecompress'], ['deflateRaw', 'inflateRaw']]) {
      zlib[`${unpack}Sync`](zlib[`${pack}Sync`]('abc'));
      await called((done) => zlib[pack]('abc', done));
    }
    const stream = new CompressionStream('gzip');
    const writer = stream.writable.getWriter();
    writer.write(Buffer.from('a'));
    writer.close();
    for await (const chunk of stream.readable) chunk.length;
  },
  async children() {
    const children = require('child_process');
    children.spawnSync('true');
    await called((done) => children.exec('echo 2', done));
    const child = children.spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.stdin.end('x');
    await event(child, 'close', 'error');
    await event(children.spawn('/none/x'), 'error');
  },
  async workers() {
    const { Worker, MessageChannel, receiveMessageOnPort, BroadcastChannel } = require('worker_threads');
    const worker = new Worker("require('worker_threads').parentPort.once('message', (m) => { console.log('w'); process.exit(); })",
      { eval: true, stdout: true, workerData: { a: [1] } });
    worker.postMessage({ x: new Map([[1, 2]]), s: new SharedArrayBuffer(8) });
    await event(worker, 'exit', 'error');
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(1);
    receiveMessageOnPort(port2);
    port1.close();
    const channel = new BroadcastChannel('x');
    channel.postMessage(1);
    channel.close();
    structuredClone({ a: new Date(), b: /x/, c: new Error('x'), d: new Uint8Array(2) });
  },
  async streams() {
    const { Readable, PassThrough } = require('stream');
    await require('stream/promises').pipeline(Readable.from(['a', 'b']), new PassThrough(), async function* (source) {
      for await (const chunk of source) yield chunk;
    }, new PassThrough().resume());
    await Readable.from([1, 2]).map((x) => x).filter(() => true).toArray();
    const [one, other] = new ReadableStream({ start(controller) { controller.enqueue('a'); controller.close(); } }).tee();
    for await (const chunk of one) chunk.length;
    await other.pipeTo(new WritableStream());
    const input = new PassThrough();
    const lines = require('readline').createInterface({ input, output: new PassThrough() });
    input.end('a\nb\n');
    for await (const line of lines) line.length;
    new (require('string_decoder').StringDecoder)('utf8').write(Buffer.from('abc'));
  },
  async events() {
    const { EventEmitter, once } = require('events');
    const emitter = new EventEmitter({ captureRejections: true });
    emitter.on('a', async () => { throw new Error('rejected'); });
    emitter.emit('a');
    await event(emitter, 'error');
    setTimeout(() => emitter.emit('b'));
    await once(emitter, 'b');
    const target = new EventTarget();
    target.addEventListener('x', () => {}, { once: true, signal: AbortSignal.timeout(5) });
    target.dispatchEvent(new Event('x'));
    AbortSignal.any([AbortSignal.abort()]);
  },
  async timers() {
    await require('timers/promises').setTimeout(1);
    for await (const _ of require('timers/promises').setInterval(1)) break;
    clearTimeout(setTimeout(() => {}, 5).unref().ref().refresh());
    await called((done) => setImmediate(done));
    setTimeout(() => {}, 1, 'label');
    await scheduler.postTask(() => 1);
    currentTime('label');
    obs(1);
    await pause(5);
  },
  async contexts() {
    const { AsyncLocalStorage, AsyncResource, createHook } = require('async_hooks');
    const storage = new AsyncLocalStorage();
    await storage.run(1, async () => {
      await null;
      storage.getStore();
    });
    const resources = [];
    const hook = createHook({ init(id, type, trigger, resource) { resources.push(resource); } }).enable();
    await pause(1);
    await called((done) => require('fs').stat(directory, done));
    hook.disable();
    for (const resource of resources) spy.inspect(resource, [], 'a hook');
    new AsyncResource('X').runInAsyncScope(() => {});
    require('diagnostics_channel').channel('x').publish(1);
  },
  util() {
    const util = require('util');
    const values = { a: [1, new Map([[1, 2]]), new Set([1]), Promise.resolve(1), new Proxy({}, {}), class A {}, new Error('x'), /x/g, new Uint8Array(3)] };
    util.inspect(values, { depth: 5, showHidden: true, colors: true });
    util.inspect(process.env, { showProxy: true });
    util.format('%s %o %d %j', 1, {}, 2, {});
    util.isDeepStrictEqual({ a: new Map() }, { a: new Map() });
    util.parseArgs({ args: ['--a'], options: { a: { type: 'boolean' } } });
    try {
      require('assert').deepStrictEqual({ a: 1 }, { a: 2 });
    } catch {
      // They differ.
    }
    const { Console } = console;
    const { PassThrough } = require('stream');
    const shown = new Console(new PassThrough().resume());
    shown.table([{ a: 1 }]);
    shown.trace('x');
    new Intl.DateTimeFormat('en').format();
    (1).toLocaleString();
    for (const encoding of ['hex', 'base64', 'latin1', 'utf16le', 'utf8']) Buffer.from(Buffer.from('abc').toString(encoding), encoding);
    const url = new URL('http://u:p@h.example:80/p?q=1#f');
    url.searchParams.append('a', 'b');
    require('url').parse('http://a/b?c');
    require('querystring').parse('a=b&c');
  },
  async loading() {
    const { writeFileSync } = require('fs');
    require('vm').runInThisContext('1 + 1');
    require('module').createRequire(at('x.js')).resolve('fs');
    writeFileSync(at('m.mjs'), 'export default 1; export { readFileSync } from "fs"; await null;');
    writeFileSync(at('m.js'), 'exports.a = require; exports.b = module.children;');
    writeFileSync(at('j.json'), '{"a":1}');
    writeFileSync(at('bad.mjs'), 'import { nope } from "fs"');
    await import(at('m.mjs'));
    require(at('m.js'));
    require(at('j.json'));
    await import('data:text/javascript,export default 2');
    await import(at('nope.mjs')).catch(() => {});
    await import(at('bad.mjs')).catch(() => {});
    for (const text of ['(', 'require("./nope")']) {
      try {
        require('vm').runInThisContext(text);
      } catch {
        // It does not run.
      }
    }
  },
  async process() {
    for (const name of ['memoryUsage', 'hrtime', 'cpuUsage', 'uptime', 'cwd', 'umask', 'getuid', 'resourceUsage', 'getActiveResourcesInfo']) process[name]();
    process.chdir(directory);
    process.emitWarning('a warning');
    process.on('SIGUSR2', () => {});
    process.kill(process.pid, 0);
    process.kill(process.pid, 'SIGUSR2');
    await pause(5);
    process.removeAllListeners('SIGUSR2');
    process.once('unhandledRejection', () => {});
    Promise.reject(new Error('unhandled'));
    process.once('uncaughtException', () => {});
    setTimeout(() => { throw new Error('uncaught'); });
    await pause(5);
    const os = require('os');
    for (const name of ['cpus', 'hostname', 'networkInterfaces', 'userInfo', 'tmpdir', 'loadavg', 'getPriority', 'homedir', 'freemem']) os[name]();
    performance.mark('a');
    performance.measure('b', 'a');
    const { serialize, deserialize, getHeapStatistics } = require('v8');
    getHeapStatistics();
    deserialize(serialize({ a: 1 }));
    require('tls').createSecureContext();
    await event(require('tls').connect(1, '127.0.0.1'), 'error');
  },
};

// What changes the order in which files of the library are first used.
const order = Object.keys(parts);
if (Number(seed) !== 0) order.sort(() => draw(3) - 1);

(async () => {
  const failed = [];
  for (const name of order) {
    try {
      await parts[name]();
    } catch (error) {
      failed.push(`${name}: ${error?.stack ?? error}`);
    }
  }
  const { list, looks } = spy.leaks(modules);
  require('fs').writeFileSync(at('report.json'), JSON.stringify({ leaks: list, failed, looks, replaced }));
  process.exit();
})();
