// What the module has, and what it says to options and arguments that make no sense.
const zlib = require('zlib');

console.log(Object.keys(zlib).join(' '));
console.log(Object.getOwnPropertyNames(zlib).join(' '));
console.log(zlib.constants, zlib.codes);
for (const [name, value] of Object.entries(zlib)) {
  const { writable, configurable } = Object.getOwnPropertyDescriptor(zlib, name);
  console.log(name, typeof value, value.name, value.length, writable, configurable, Object.isFrozen(value));
}
// ZLIB-1.
for (const name of ['Deflate', 'Unzip', 'BrotliCompress']) {
  const stream = new zlib[name]();
  for (let proto = stream; proto !== require('stream').Transform.prototype; proto = Object.getPrototypeOf(proto)) {
    console.log(proto === stream ? name : proto.constructor.name, Object.getOwnPropertyNames(proto).filter((key) => key !== '_events'));
  }
  console.log(stream._handle.constructor.name, Object.getOwnPropertyNames(stream._handle), stream instanceof zlib[name]);
  console.log(zlib[name]() instanceof zlib[name], zlib[`create${name}`]({}).constructor === zlib[name]);
}

function attempt(title, run) {
  try {
    const result = run();
    console.log(title, 'gives', result instanceof require('stream') ? result.constructor.name : result);
  } catch (error) {
    console.log(title, error.name, error.code, error.errno, error.message, Object.keys(error).join());
  }
}

const odd = [undefined, null, -1, -2, 0, 1, 5, 6, 7, 8, 9, 10, 15, 16, 63, 64, 1.5, NaN, Infinity, '9', '', true, {}, [], 'abc', 1n];
// ZLIB-2, ZLIB-3 and ZLIB-4.
for (const option of ['windowBits', 'level', 'memLevel', 'strategy', 'chunkSize', 'flush', 'finishFlush', 'maxOutputLength', 'dictionary']) {
  for (const name of ['Deflate', 'Inflate', 'Gzip', 'DeflateRaw', 'InflateRaw', 'Unzip', 'BrotliCompress', 'BrotliDecompress']) {
    for (const value of odd) attempt(`${name} ${option} ${typeof value} ${String(value)}`, () => new zlib[name]({ [option]: value }));
  }
}
// ZLIB-5.
for (const params of [{}, { 0: 1 }, { 1: 11 }, { 1: 99 }, { 2: 9 }, { 2: 30, 6: true }, { 9: 1 }, { '-1': 1 }, { x: 1 }, { 1: '1' }, { 1: null }, { 4: 1 }, { 4: 2 }, { 1: 1.5 }, { 7: 1, 8: 4 }, { 5: 1000 }, { 3: 20 }]) {
  attempt(`compress ${JSON.stringify(params)}`, () => String(zlib.brotliDecompressSync(zlib.brotliCompressSync('abc abc abc', { params }))));
  attempt(`decompress ${JSON.stringify(params)}`, () => String(zlib.brotliDecompressSync(Buffer.from('iwWAYWJjIGFiYyBhYmMD', 'base64'), { params })));
}
// ZLIB-6.
for (const name of ['Deflate', 'Gunzip', 'BrotliCompress']) {
  for (const options of [{ encoding: 'utf8' }, { objectMode: true }, { writableObjectMode: true }, { readableObjectMode: true }, { highWaterMark: 5 }, { autoDestroy: false }]) {
    const { _readableState: readable, _writableState: writable } = new zlib[name](options);
    console.log(name, options, readable.objectMode, writable.objectMode, readable.highWaterMark, writable.highWaterMark, readable.encoding, readable.autoDestroy);
  }
}
for (const value of [undefined, null, 1, true, {}, [], () => {}, Symbol('s')]) {
  attempt(`gzipSync ${typeof value} ${String(value)}`, () => zlib.gzipSync(value));
  attempt(`gzip ${typeof value} ${String(value)}`, () => zlib.gzip(value, () => {}));
  attempt(`crc32 ${typeof value} ${String(value)}`, () => zlib.crc32(value));
  attempt(`crc32 after ${typeof value} ${String(value)}`, () => zlib.crc32('x', value));
  if (typeof value !== 'function') attempt(`without callback ${String(value)}`, () => zlib.gzip('x', value));
  attempt(`write ${typeof value} ${String(value)}`, () => new zlib.Gzip().on('error', () => {}).write(value));
}
for (const value of [-1, 2 ** 32, 2 ** 32 - 1, 1.5, NaN, '1']) attempt(`crc32 after ${value}`, () => zlib.crc32('x', value));
// ZLIB-17.
console.log(zlib.crc32(''), zlib.crc32('hello'), zlib.crc32(Buffer.from('hello')), zlib.crc32(new Uint16Array([1, 2])), zlib.crc32('wörld', 12345));
console.log(zlib.crc32('world', zlib.crc32('hello ')) === zlib.crc32('hello world'), zlib.crc32(new DataView(new ArrayBuffer(3), 1)));
// ZLIB-3.
const options = { windowBits: 8 };
new zlib.DeflateRaw(options);
console.log(options);
