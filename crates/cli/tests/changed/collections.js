// Calls functions of many modules while the methods of a class of collections throw: `node collections.js Map`.
'use strict';

const { prototype } = globalThis[process.argv[2]];
const load = (name) => require(name);
const modules = Object.fromEntries(['assert', 'async_hooks', 'crypto', 'dgram', 'diagnostics_channel', 'dns', 'events', 'fs', 'http', 'net',
  'perf_hooks', 'readline', 'stream', 'timers/promises', 'url', 'util', 'v8', 'worker_threads', 'zlib'].map((name) => [name, load(name)]));
const done = (begin) => new Promise((resolve, reject) => begin((error, value) => (error ? reject(error) : resolve(value))));

const calls = {
  assert: (m) => m.deepStrictEqual({ a: [1] }, { a: [1] }),
  async_hooks: (m) => new m.AsyncLocalStorage().run(5, () => new m.AsyncResource('x').runInAsyncScope(() => {})),
  crypto: (m) => m.createHash('md5').update('a').digest('hex'),
  dgram: (m) => done((then) => {
    const socket = m.createSocket('udp4');
    socket.on('message', () => socket.close(then)).bind(0, () => socket.send('x', socket.address().port));
  }),
  diagnostics_channel: (m) => { const c = m.channel('q'); c.subscribe(() => {}); c.publish(1); },
  dns: (m) => done((then) => m.lookup('localhost', then)),
  events: (m) => { const e = new m(); for (let i = 0; i < 50; i++) e.once('a', () => {}); e.emit('a'); return m.once(Object.assign(e, { x: setImmediate(() => e.emit('b')) }), 'b'); },
  fs: async (m) => { await m.promises.stat('.'); await done((then) => m.readdir('.', then)); m.watch('.').close(); },
  http: (m) => done((then) => {
    const server = m.createServer((request, response) => response.end('x')).listen(0, () => {
      m.get({ port: server.address().port, agent: new m.Agent({ keepAlive: true }) }, (response) => {
        response.resume().on('end', () => { server.close(); server.closeAllConnections(); then(); });
      });
    });
  }),
  net: (m) => done((then) => {
    const server = m.createServer((socket) => socket.end('x')).listen(0, () => {
      m.connect(server.address().port).resume().on('close', () => server.close(then));
    });
  }),
  perf_hooks: (m) => { m.performance.mark('a'); m.performance.measure('b', 'a'); m.performance.clearMarks('a'); },
  readline: (m) => done((then) => m.createInterface({ input: modules.stream.Readable.from(['a\nb\n']) }).on('close', then)),
  stream: (m) => done((then) => m.pipeline(m.Readable.from(['a', 'b']), new m.PassThrough(), new m.PassThrough().resume(), then)),
  'timers/promises': (m) => m.setTimeout(1),
  url: (m) => { const p = new m.URL('http://a/?b').searchParams; for (let i = 0; i < 50; i++) p.set(`k${i}`, i); return p.get('k3'); },
  util: (m) => m.inspect({ a: [{}] }),
  v8: (m) => m.deserialize(m.serialize({ a: 1 })),
  worker_threads: (m) => done((then) => {
    const { port1, port2 } = new m.MessageChannel();
    port2.on('message', () => { port1.close(); then(); });
    port1.postMessage({ a: [1] });
  }),
  zlib: (m) => done((then) => m.deflate('x', then)),
  web: async () => {
    const headers = new Headers({ a: 'b' });
    for (const pair of headers) void pair;
    new FormData().append('a', 'b');
    const target = new EventTarget();
    target.addEventListener('x', () => {}, { signal: AbortSignal.any([new AbortController().signal]) });
    target.dispatchEvent(new Event('x'));
    await new Response(new Blob([structuredClone('x')]).stream()).text();
  },
};

const names = Object.keys(calls);
for (const name of Reflect.ownKeys(prototype)) {
  if (name !== 'size' && typeof prototype[name] === 'function' && name !== 'constructor') prototype[name] = () => { throw new Error(`${String(name)} is gone`); };
}
(async () => {
  for (let at = 0; at < names.length; at++) {
    try {
      await calls[names[at]](modules[names[at]]);
    } catch (error) {
      console.log(names[at], error.message);
    }
  }
  console.log('all done');
})();
