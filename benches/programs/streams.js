// Streams: bytes through a pipeline, values through `Readable.from` and a loop, values through three
// transforms, and bytes through gzip and back. Times are per chunk.
const { Readable, Transform, Writable } = require('stream');
const { pipeline } = require('stream/promises');
const zlib = require('zlib');

const CHUNKS = 20_000;
const chunk = Buffer.from('the quick brown fox jumps over the lazy dog, '.repeat(20));

function source(count) {
  let left = count;
  return new Readable({ read() { this.push(left-- > 0 ? chunk : null); } });
}

function sink(options) {
  return new Writable({ ...options, write(_chunk, _encoding, done) { done(); } });
}

function* numbers(count) {
  for (let i = 0; i < count; i++) yield i;
}

function next() {
  return new Transform({ objectMode: true, transform(value, _encoding, done) { done(null, value + 1); } });
}

const parts = {
  pipeline: () => pipeline(source(CHUNKS), sink()),
  async from() {
    let sum = 0;
    for await (const value of Readable.from(numbers(CHUNKS))) sum += value;
    if (sum !== CHUNKS * (CHUNKS - 1) / 2) throw new Error(`${sum}`);
  },
  transforms: () => pipeline(Readable.from(numbers(CHUNKS)), next(), next(), next(), sink({ objectMode: true })),
  gzip: () => pipeline(source(CHUNKS), zlib.createGzip({ level: 1 }), zlib.createGunzip(), sink()),
};

(async () => {
  const times = {};
  for (const [name, run] of Object.entries(parts)) {
    const start = performance.now();
    await run();
    times[name] = { ms: performance.now() - start, ops: CHUNKS };
  }
  console.log(JSON.stringify(times));
})();
