// The streams: what they tell when, flushing, changing parameters, resetting, closing, limits.
const zlib = require('zlib');
const { pipeline, Readable, Writable, finished } = require('stream');
const { constants } = zlib;

const names = ['Deflate', 'Inflate', 'Gzip', 'Gunzip', 'DeflateRaw', 'InflateRaw', 'Unzip', 'BrotliCompress', 'BrotliDecompress'];
const pairs = [['Deflate', 'Inflate'], ['Gzip', 'Gunzip'], ['DeflateRaw', 'InflateRaw'], ['Gzip', 'Unzip'], ['Deflate', 'Unzip'], ['BrotliCompress', 'BrotliDecompress']];

// Text that neither repeats nor is noise.
function text(length) {
  let state = 12345;
  let made = '';
  while (made.length < length) {
    state = (state * 1103515245 + 12345) % 2147483648;
    made += ['alpha ', 'beta ', 'gamma, ', 'delta. ', 'x', state.toString(36)][state % 6];
  }
  return made.slice(0, length);
}

function watch(stream, title, log) {
  for (const event of ['finish', 'end', 'close', 'prefinish', 'drain']) stream.on(event, () => log.push(event));
  stream.on('error', (error) => log.push(`error ${error.code} ${error.errno} ${error.message}`));
  return stream;
}

const tests = [];
const test = (title, run) => tests.push([title, run]);
const when = (stream, event) => new Promise((resolve) => stream.once(event, resolve));
const collect = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

// ZLIB-8 and ZLIB-10.
test('order of events', async () => {
  for (const [writer, reader] of pairs) {
    const log = [];
    const write = watch(new zlib[writer](), writer, log);
    write.on('data', () => log.push('data'));
    write.write('hello ', () => log.push('written'));
    log.push('after write');
    write.end('world', () => log.push('ended'));
    log.push('after end');
    await when(write, 'close');
    console.log(writer, log.join(', '), write.bytesWritten, write._closed, write.destroyed);
    const other = [];
    const read = watch(zlib[`create${reader}`](), reader, other);
    read.on('data', (data) => other.push(`data ${data}`));
    read.end(zlib[`${writer[0].toLowerCase()}${writer.slice(1)}Sync`]('some text'), () => other.push('ended'));
    await when(read, 'close');
    console.log(reader, other.join(', '), read.bytesWritten);
  }
});

// ZLIB-11.
test('errors', async () => {
  for (const name of ['Inflate', 'Gunzip', 'InflateRaw', 'Unzip', 'BrotliDecompress']) {
    const log = [];
    const stream = watch(new zlib[name](), name, log);
    stream.on('data', (data) => log.push(`data ${data.length}`));
    stream.write(Buffer.from([7, 7, 7, 7, 7, 7]), (error) => log.push(`written ${error?.code}`));
    stream.write('more', (error) => log.push(`written ${error?.code}`));
    stream.end((error) => log.push(`ended ${error?.code}`));
    await when(stream, 'close');
    console.log(name, log.join(', '), stream._handle, stream.errored?.code);
  }
});

// ZLIB-7 and ZLIB-11.
test('input that ends too early', async () => {
  for (const [writer, reader] of pairs) {
    const whole = zlib[`${writer[0].toLowerCase()}${writer.slice(1)}Sync`](text(1000));
    const log = [];
    const stream = watch(new zlib[reader](), reader, log);
    let size = 0;
    stream.on('data', (data) => { size += data.length; });
    stream.end(whole.subarray(0, whole.length - 9));
    await when(stream, 'close');
    console.log(reader, size > 0 || reader === 'BrotliDecompress', log.join(', '));
  }
});

// ZLIB-8.
test('byte by byte, with the smallest chunks', async () => {
  const source = text(3000);
  for (const [writer, reader] of pairs) {
    const write = new zlib[writer]({ chunkSize: 64 });
    const read = new zlib[reader]({ chunkSize: 64 });
    let largest = 0;
    read.on('data', (data) => { largest = Math.max(largest, data.length); });
    const done = collect(write.pipe(read));
    for (const letter of Buffer.from(source)) write.write(Buffer.from([letter]));
    write.end();
    const result = await done;
    console.log(writer, reader, String(result) === source, largest, write.bytesWritten, read.bytesWritten > 0);
  }
});

// ZLIB-8: a reader that is full holds the steps back.
test('large data, slow reader', async () => {
  const source = text(300000);
  for (const [writer, reader] of pairs) {
    let size = 0;
    const sink = new Writable({
      highWaterMark: 1000,
      write(chunk, encoding, callback) { size += chunk.length; setImmediate(callback); },
    });
    const options = writer === 'BrotliCompress' ? { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } : undefined;
    await new Promise((resolve) => pipeline(
      Readable.from([source.slice(0, 100000), source.slice(100000)]), new zlib[writer](options), new zlib[reader](), sink,
      (error) => resolve(console.log(writer, reader, error, size))));
  }
});

// ZLIB-12.
test('flush', async () => {
  for (const [writer, reader] of pairs.slice(0, 3)) {
    for (const kind of [undefined, constants.Z_NO_FLUSH, constants.Z_PARTIAL_FLUSH, constants.Z_SYNC_FLUSH, constants.Z_FULL_FLUSH, constants.Z_BLOCK]) {
      const stream = new zlib[writer]();
      const log = [];
      const chunks = [];
      stream.on('data', (data) => chunks.push(data));
      stream.write('abc');
      await new Promise((resolve) => stream.flush(...(kind === undefined ? [resolve] : [kind, resolve])));
      const flags = kind === constants.Z_NO_FLUSH || kind === constants.Z_BLOCK ? {} : { finishFlush: constants.Z_SYNC_FLUSH };
      let got;
      try {
        got = String(zlib[`${reader[0].toLowerCase()}${reader.slice(1)}Sync`](Buffer.concat(chunks), flags));
      } catch (error) {
        got = error.code;
      }
      stream.destroy();
      console.log(writer, kind, got, log.join());
    }
  }
  const stream = new zlib.BrotliCompress();
  const chunks = [];
  stream.on('data', (data) => chunks.push(data));
  stream.write('abc');
  await new Promise((resolve) => stream.flush(resolve));
  console.log(String(zlib.brotliDecompressSync(Buffer.concat(chunks), { finishFlush: constants.BROTLI_OPERATION_FLUSH })));
  stream.end('def');
  await when(stream, 'end');
  console.log(String(zlib.brotliDecompressSync(Buffer.concat(chunks))));
});

// ZLIB-12.
test('flush at the end', async () => {
  const stream = new zlib.Gzip();
  const log = [];
  stream.on('data', () => log.push('data'));
  stream.on('end', () => log.push('end'));
  stream.end('x');
  stream.flush(() => log.push('flushed while ending'));
  await when(stream, 'close');
  stream.flush(() => log.push('flushed after the end'));
  stream.flush();
  await new Promise(setImmediate);
  console.log(log.join(', '));
  const other = new zlib.Gzip();
  try {
    other.flush(99);
  } catch (error) {
    console.log(error.code, error.message);
  }
});

// ZLIB-13.
test('parameters', async () => {
  const source = text(30000);
  for (const [writer, reader] of pairs.slice(0, 3)) {
    const stream = new zlib[writer]({ level: 0 });
    const done = collect(stream);
    const log = [];
    stream.write(source.slice(0, 10000));
    stream.params(9, constants.Z_DEFAULT_STRATEGY, () => {
      log.push(`level ${stream._level}`);
      stream.write(source.slice(10000, 20000));
      stream.params(9, constants.Z_DEFAULT_STRATEGY, () => log.push('the same'));
      stream.params(1, constants.Z_HUFFMAN_ONLY, () => {
        log.push(`strategy ${stream._strategy}`);
        stream.end(source.slice(20000));
      });
    });
    const result = await done;
    const back = zlib[`${reader[0].toLowerCase()}${reader.slice(1)}Sync`](result);
    // With gzip Node leaves the parameters as they are.
    console.log(writer, String(back) === source, result.length > 30000, result.length > 20000, log.join(', '));
  }
  const stream = new zlib.Deflate();
  for (const args of [[10, 0], [-2, 0], [1, 5], ['1', 0], [1, NaN], []]) {
    try {
      stream.params(...args, () => {});
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
});

// ZLIB-14.
test('reset', async () => {
  for (const [writer, reader] of pairs) {
    const stream = new zlib[writer]();
    const chunks = [];
    stream.on('data', (data) => chunks.push(data));
    stream.write('forgotten');
    await new Promise((resolve) => stream.write('', resolve));
    await new Promise(setImmediate);
    chunks.length = 0;
    stream.reset();
    stream.end('kept');
    await when(stream, 'end');
    const read = `${reader[0].toLowerCase()}${reader.slice(1)}Sync`;
    console.log(writer, String(zlib[read](Buffer.concat(chunks))));
    stream.destroy();
    try {
      stream.reset();
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
});

// ZLIB-11 and ZLIB-14.
test('close', async () => {
  const log = [];
  const stream = watch(new zlib.Deflate(), 'Deflate', log);
  stream.close((error) => log.push(`closed ${error?.code}`));
  stream.close();
  await new Promise(setImmediate);
  console.log(log.join(', '), stream._handle, stream._closed, stream.destroyed);
  stream.write('x', (error) => log.push(`written ${error.code}`));
  await new Promise(setImmediate);
  console.log(log.join(', '));

  const busy = [];
  const other = watch(new zlib.Gzip(), 'Gzip', busy);
  other.on('data', () => busy.push('data'));
  other.write(text(100000), () => busy.push('written'));
  other.close(() => busy.push('closed'));
  await when(other, 'close');
  await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(busy.join(', '));

  const late = [];
  const third = watch(new zlib.Gunzip(), 'Gunzip', late);
  third.on('data', (data) => { late.push(`data ${data.length}`); third.destroy(); });
  third.end(zlib.gzipSync(Buffer.alloc(100000)));
  await when(third, 'close');
  console.log(late.join(', '));

  const failed = watch(new zlib.Gunzip(), 'Gunzip', late);
  failed.destroy(new Error('mine'));
  await when(failed, 'close');
  console.log(late.join(', '));
});

// ZLIB-9.
test('what comes after the end of a stream', async () => {
  for (const [writer, reader] of pairs) {
    const data = zlib[`${writer[0].toLowerCase()}${writer.slice(1)}Sync`]('inside');
    for (const rest of [[], [0, 0, 0, 0], [9, 9, 9, 9], [...data], [0x1f], [0x1f, 0x8b, 0]]) {
      for (const together of [true, false]) {
        const log = [];
        const stream = watch(new zlib[reader](), reader, log);
        stream.on('data', (chunk) => log.push(`data ${chunk}`));
        if (together) {
          stream.end(Buffer.concat([data, Buffer.from(rest)]));
        } else {
          stream.write(data);
          stream.end(Buffer.from(rest));
        }
        await when(stream, 'close');
        console.log(reader, rest.length, together, log.join(', '), stream.bytesWritten - data.length);
      }
    }
  }
});

// ZLIB-15.
test('limits', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(1000000));
  await new Promise((resolve) => zlib.gunzip(bomb, { maxOutputLength: 1000 }, (error, data) => {
    console.log(error.name, error.code, error.message, data);
    resolve();
  }));
  await new Promise((resolve) => zlib.gunzip(bomb, { maxOutputLength: 1000000 }, (error, data) => {
    console.log(error, data.length);
    resolve();
  }));
});

// ZLIB-15 and ZLIB-16.
test('information', async () => {
  const result = zlib.gzipSync('abc', { info: true });
  console.log(Object.keys(result), result.engine.constructor.name, result.engine.bytesWritten, result.engine._closed);
  await new Promise((resolve) => zlib.gunzip(result.buffer, { info: true }, (error, more) => {
    console.log(error, String(more.buffer), more.engine.bytesWritten === result.buffer.length);
    resolve();
  }));
});

// ZLIB-15.
test('functions with a callback', async () => {
  const order = [];
  await new Promise((resolve) => {
    zlib.deflate('x', (error, data) => {
      order.push('deflated');
      zlib.inflate(data, (failure, back) => resolve(console.log(error, failure, String(back), order.join(', '))));
    });
    setImmediate(() => order.push('immediate'));
    process.nextTick(() => order.push('tick'));
    Promise.resolve().then(() => order.push('microtask'));
    order.push('after the call');
  });
  for (const name of ['inflate', 'gunzip', 'brotliDecompress']) {
    await new Promise((resolve) => zlib[name](Buffer.from('no'), (error, data) => resolve(console.log(name, error.code, error.message, data))));
  }
  const { promisify } = require('util');
  console.log(String(await promisify(zlib.unzip)(await promisify(zlib.gzip)('promised'))));
  for (const input of [new Uint16Array([1, 2, 3]), new DataView(new ArrayBuffer(5)), new ArrayBuffer(4), 'text', Buffer.from('bytes'), '']) {
    console.log(zlib.inflateSync(zlib.deflateSync(input)), await promisify(zlib.inflate)(await promisify(zlib.deflate)(input)));
  }
});

test('web streams', async () => {
  for (const format of ['deflate', 'deflate-raw', 'gzip']) {
    const compressed = new Blob(['some ', 'text']).stream().pipeThrough(new CompressionStream(format));
    const back = compressed.pipeThrough(new DecompressionStream(format));
    console.log(format, String(await collect(back)));
  }
});

test('web streams with errors', async () => {
  const stream = new DecompressionStream('gzip');
  const writer = stream.writable.getWriter();
  writer.write(Buffer.from('this is no gzip')).catch((error) => console.log('write', error.code));
  writer.close().catch((error) => console.log('close', error.code));
  try {
    for await (const chunk of stream.readable) console.log(chunk);
  } catch (error) {
    console.log('read', error.code, error.message);
  }
  for (const format of [undefined, 'br', 'GZIP', null, 1]) {
    for (const Class of [CompressionStream, DecompressionStream]) {
      try {
        new Class(format);
      } catch (error) {
        console.log(error.name, error.code, error.message);
      }
    }
  }
  console.log(new CompressionStream('gzip'), Object.prototype.toString.call(stream), names.length);
});

// ZLIB-1.
test('ways to make a stream', async () => {
  function Old(options) {
    zlib.Inflate.call(this, options);
  }
  require('util').inherits(Old, zlib.Inflate);
  class New extends zlib.Inflate {}
  const packed = zlib.deflateSync('made');
  for (const stream of [new zlib.Inflate(), zlib.Inflate(), zlib.createInflate(), new Old(), new New()]) {
    const done = collect(stream);
    stream.end(packed);
    console.log(stream.constructor.name, stream instanceof zlib.Inflate, String(await done));
  }
});

// ZLIB-16: with options for the stream, too, a function does all at once.
test('at once', async () => {
  const source = text(50000);
  const bomb = zlib.gzipSync(Buffer.alloc(100000));
  for (const options of [undefined, null, {}, { level: 1 }, { chunkSize: 64 }, { highWaterMark: 10 }, { objectMode: true }, { info: true, level: 0 }]) {
    const packed = zlib.gzipSync(source, options);
    const bytes = packed.buffer instanceof ArrayBuffer ? packed : packed.buffer;
    console.log('engine' in packed, String(zlib.gunzipSync(bytes)) === source, packed.engine?.bytesWritten);
    for (const [input, more] of [[bomb, { maxOutputLength: 1000 }], [Buffer.from('no'), {}], [5, {}], [bomb.subarray(0, 50), {}], ['x', { chunkSize: 1 }]]) {
      try {
        console.log(zlib.gunzipSync(input, { ...options, ...more }));
      } catch (error) {
        console.log(error.name, error.code, error.errno, error.message);
      }
    }
  }
  try {
    zlib.gzipSync('x', { highWaterMark: -1 });
  } catch (error) {
    console.log(error.code, error.message);
  }
});

// ZLIB-8: what a package does to see all of a chunk.
test('chunk by chunk', async () => {
  const stream = new zlib.Deflate({ chunkSize: 64 });
  const first = stream._processChunk(Buffer.from(text(1000)), constants.Z_FINISH);
  console.log(first.length > 64, String(zlib.inflateSync(first)) === text(1000), stream._handle, stream.bytesWritten);
  const other = new zlib.Inflate();
  await new Promise((resolve) => other._processChunk(first, constants.Z_FINISH, resolve));
  console.log(String(other.read()) === text(1000), other.bytesWritten === first.length);
  const broken = new zlib.Gunzip();
  try {
    broken._processChunk(Buffer.from('no'), constants.Z_FINISH);
  } catch (error) {
    console.log(error.code, broken.destroyed, broken._closed);
  }
});

// ZLIB-7: the flag of the stream lets out more than that of the end.
test('flags', async () => {
  for (const options of [{ flush: constants.Z_SYNC_FLUSH }, { finishFlush: constants.Z_SYNC_FLUSH }, { flush: constants.Z_FULL_FLUSH, finishFlush: constants.Z_BLOCK }]) {
    const stream = new zlib.Deflate(options);
    const done = collect(stream);
    stream.write('some');
    stream.end('thing');
    console.log((await done).toString('hex'));
  }
});

(async () => {
  for (const [title, run] of tests) {
    console.log(`-- ${title}`);
    await run();
  }
})();
