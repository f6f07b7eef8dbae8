// Everything that can be set, both ways. With an argument it writes what it compressed to that file, or reads
// such a file: so two runtimes can read each other's.
const zlib = require('zlib');
const fs = require('fs');
const { constants } = zlib;

function samples() {
  let state = 1;
  const noise = Buffer.alloc(5000);
  for (let at = 0; at < noise.length; at++) {
    state = (state * 1103515245 + 12345) % 2147483648;
    noise[at] = state >> 16;
  }
  const words = Buffer.from('the quick brown fox jumps over the lazy dog; '.repeat(300) + noise.toString('hex').slice(0, 4000));
  return { empty: Buffer.alloc(0), short: Buffer.from('abc'), zeros: Buffer.alloc(70000), noise, words };
}

const plain = samples();
const dictionary = Buffer.from('lazy dog quick brown fox jumps over');

function* settings() {
  for (const name of ['deflate', 'gzip', 'deflateRaw']) {
    for (let level = -1; level <= 9; level++) {
      for (let strategy = 0; strategy <= 4; strategy++) yield [name, { level, strategy }];
    }
    for (let windowBits = name === 'gzip' ? 9 : 8; windowBits <= 15; windowBits++) {
      for (const memLevel of [1, 5, 9]) yield [name, { windowBits, memLevel, level: memLevel }];
    }
    yield [name, { chunkSize: 64 }];
    if (name !== 'gzip') yield [name, { dictionary, level: 9 }];
  }
  for (const quality of [0, 1, 2, 4, 5, 9, 10, 11]) {
    for (const lgwin of [10, 16, 22, 24]) {
      yield ['brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: lgwin } }];
    }
    yield ['brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_MODE]: quality % 3, [constants.BROTLI_PARAM_SIZE_HINT]: 5000 } }];
  }
}

const readers = { deflate: 'inflateSync', gzip: 'gunzipSync', deflateRaw: 'inflateRawSync', brotliCompress: 'brotliDecompressSync' };

function check(name, options, title, bytes, wanted) {
  const same = zlib[readers[name]](bytes, options.dictionary ? { dictionary } : undefined).equals(wanted);
  // A reader with a window as large as the writer's is enough.
  const narrow = options.windowBits === undefined
    || zlib[readers[name]](bytes, { windowBits: Math.max(9, options.windowBits) }).equals(wanted);
  if (!same || !narrow) console.log('differs:', name, options, title);
}

const [, , command, file] = process.argv;
const written = [];
let count = 0;
if (command === 'read') {
  for (const [name, options, title, text] of JSON.parse(fs.readFileSync(file, 'utf8'))) {
    check(name, options, title, Buffer.from(text, 'base64'), plain[title]);
    count++;
  }
} else {
  for (const [name, options] of settings()) {
    for (const [title, sample] of Object.entries(plain)) {
      const bytes = zlib[`${name}Sync`](sample, options);
      if (command === 'write') written.push([name, options, title, bytes.toString('base64')]);
      else check(name, options, title, bytes, sample);
      count++;
    }
  }
  if (command === 'write') fs.writeFileSync(file, JSON.stringify(written));
}
console.log(count);
