// What the functions around streams take, refuse and give. The output is Node 20's.
import { inherits, inspect, promisify } from 'node:util';
import stream from 'node:stream';
import { finished as finishedPromise, pipeline as pipelinePromise } from 'node:stream/promises';

const { Duplex, PassThrough, Readable, Stream, Transform, Writable, compose, duplexPair, finished, pipeline } = stream;
const show = (value) => (value instanceof Error ? `${value.name} ${value.code} ${value.message}` : inspect(value));
async function test(label, body) {
  try {
    console.log(label, '=>', show(await body()));
  } catch (error) {
    console.log(label, 'throws', show(error));
  }
}
const collect = async (readable) => {
  const chunks = [];
  for await (const chunk of readable) chunks.push(chunk);
  return chunks;
};
const source = (...items) => Readable.from(items.length > 0 ? items : [1, 2, 3, 4, 5]);
const sink = () => {
  const got = [];
  return Object.assign(new Writable({ objectMode: true, write(chunk, encoding, done) { got.push(chunk); done(); } }), { got });
};

// Operators.
for (const name of ['map', 'filter', 'forEach', 'some', 'every', 'find', 'flatMap', 'reduce']) {
  for (const bad of [undefined, 1, {}]) await test(`${name} ${show(bad)}`, () => source()[name](bad));
  await test(`${name} options`, () => (name === 'reduce' ? source().reduce((a, b) => a + b, 0, 1) : source()[name]((x) => x, 1)));
  await test(`${name} signal`, () =>
    (name === 'reduce' ? source().reduce((a, b) => a + b, 0, { signal: 1 }) : source()[name]((x) => x, { signal: 1 })));
}
for (const name of ['map', 'filter', 'flatMap', 'forEach', 'toArray', 'drop', 'take', 'reduce']) {
  await test(`${name} aborted`, async () => {
    const options = { signal: AbortSignal.abort('why') };
    const args = { drop: [1, options], take: [1, options], toArray: [options], reduce: [(a, b) => a + b, 0, options] };
    const result = source()[name](...(args[name] ?? [(x) => [x], options]));
    return result.toArray ? result.toArray() : result;
  });
}
for (const options of [{ concurrency: 0 }, { concurrency: 'x' }, { concurrency: 2.5 }, { highWaterMark: -1 }, { highWaterMark: 0 }]) {
  await test(`map ${show(options)}`, () => source().map((x) => x * 2, options).toArray());
}
for (const number of [0, 2, 10, -1, NaN, '2', 1.5, undefined, Infinity]) {
  await test(`take ${number}`, () => source().take(number).toArray());
  await test(`drop ${number}`, () => source().drop(number).toArray());
}
await test('reduce', () => source().reduce((a, b) => a + b));
await test('reduce with a start', () => source().reduce(async (a, b) => a + b, 100));
await test('reduce of nothing', () => Readable.from([]).reduce((a, b) => a + b));
await test('some', () => source().some((x) => x > 3));
await test('every', () => source().every((x) => x > 3));
await test('find', () => source().find((x) => x > 3));
await test('find nothing', () => source().find((x) => x > 30));
await test('flatMap', () => source().flatMap((x) => [x, [x]]).toArray());
await test('flatMap of streams', () => source(1, 2).flatMap((x) => Readable.from([x, x])).toArray());
await test('map throws', () => source().map(() => { throw new Error('m'); }).toArray());
await test('new map', () => new (source().map)((x) => x));
await test('concurrency', async () => {
  let running = 0;
  let most = 0;
  await source().forEach(async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
  }, { concurrency: 3 });
  return most;
});

// Making streams.
for (const value of [undefined, null, 5, {}, 'text', Buffer.from('b'), [1], new Set([2]), [Promise.resolve(3)], [null]]) {
  await test(`Readable.from ${show(value)}`, () => collect(Readable.from(value)));
  await test(`Duplex.from ${show(value)}`, () => collect(Duplex.from(value)));
}
await test('Duplex.from of a function', async () => collect(source('a', 'b').pipe(Duplex.from(async function* (chunks) {
  for await (const chunk of chunks) yield chunk.toUpperCase();
}))));
await test('Duplex.from of a consumer', async () => {
  const got = [];
  const duplex = Duplex.from(async (chunks) => { for await (const chunk of chunks) got.push(chunk); });
  duplex.end('x');
  await finishedPromise(duplex);
  return got;
});
await test('Duplex.from of a bad function', () => Duplex.from(() => 5));
await test('Duplex.from of a promise', () => collect(Duplex.from(Promise.resolve('p'))));
await test('Duplex.from of a rejection', () => collect(Duplex.from(Promise.reject(new Error('r')))));
await test('Duplex.from of a pair', async () => {
  const through = new PassThrough();
  const duplex = Duplex.from({ readable: through, writable: through });
  duplex.end('pair');
  return collect(duplex);
});
await test('Duplex.from of a readable', () => collect(Duplex.from({ readable: source() })));
await test('Duplex.from of a writable', async () => {
  const target = sink();
  const duplex = Duplex.from(target);
  duplex.end('w');
  await finishedPromise(duplex);
  return [target.got, duplex.readable, duplex.constructor.name];
});
await test('duplexPair', async () => {
  const [one, two] = duplexPair();
  one.end('from one');
  two.end('from two');
  return [String(await one.toArray()), String(await two.toArray())];
});
await test('wrap', async () => {
  const old = new Stream();
  Object.assign(old, { pause() {}, resume() {}, extra() { return this === old; } });
  const readable = new Readable({ objectMode: true }).wrap(old);
  setImmediate(() => {
    old.emit('data', 1);
    old.emit('data', 2);
    old.emit('end');
  });
  return [readable.extra(), await collect(readable)];
});
await test('wrap fails', async () => {
  const old = new Stream();
  const readable = new Readable().wrap(old);
  setImmediate(() => old.emit('error', new Error('old')));
  return collect(readable);
});
await test('legacy pipe', async () => {
  const old = new Stream();
  old.readable = true;
  const target = sink();
  old.pipe(target);
  old.emit('data', 1);
  old.emit('end');
  await finishedPromise(target);
  return [target.got, old.listenerCount('data')];
});
await test('legacy pipe fails', () => {
  const old = new Stream();
  old.pipe(sink());
  old.emit('error', new Error('legacy'));
});

// Classes made the old way.
await test('inherits', async () => {
  function Old(options) {
    if (!(this instanceof Old)) return new Old(options);
    Transform.call(this, options);
  }
  inherits(Old, Transform);
  Old.prototype._transform = function(chunk, encoding, done) { done(null, `<${chunk}>`); };
  const one = Old({ encoding: 'utf8' });
  one.end('old');
  return [await one.toArray(), one instanceof Readable, one instanceof Writable, one instanceof Duplex, one instanceof Stream];
});
for (const Class of [Readable, Writable, Duplex, Transform, PassThrough]) {
  await test(`${Class.name} without new`, () => {
    const one = Class();
    return [one instanceof Class, one.constructor.name, one instanceof Writable, one instanceof Readable];
  });
}
await test('instanceof', () => [
  {} instanceof Writable, null instanceof Writable, new (class extends Writable {})() instanceof Writable,
  new Duplex() instanceof class extends Writable {},
]);
await test('methods of a subclass', async () => {
  class Upper extends Transform {
    _transform(chunk, encoding, done) { done(null, String(chunk).toUpperCase()); }
    _flush(done) { done(null, '!'); }
  }
  const upper = new Upper({ encoding: 'utf8' });
  upper.write('a');
  upper.end('b');
  return upper.toArray();
});
await test('captureRejections', () => new Promise((resolve) => {
  const readable = new Readable({ captureRejections: true, read() {} });
  readable.push('x');
  readable.on('data', async () => { throw new Error('async listener'); });
  readable.on('error', (error) => resolve([error.message, readable.destroyed]));
}));
await test('asyncDispose', async () => {
  const readable = new Readable({ read() {} });
  readable.on('error', () => {});
  await readable[Symbol.asyncDispose]();
  return [readable.destroyed, readable.errored?.name];
});

// finished, pipeline, compose, addAbortSignal, destroy.
for (const value of [undefined, null, 5, {}, 'x']) {
  await test(`finished ${show(value)}`, () => finished(value, () => {}));
  await test(`addAbortSignal ${show(value)}`, () => stream.addAbortSignal(new AbortController().signal, value));
  await test(`addAbortSignal with ${show(value)}`, () => stream.addAbortSignal(value ?? 1, new PassThrough()));
  await test(`pipeline with ${show(value)}`, () => pipeline(source(), value, () => {}).constructor.name);
  await test(`compose ${show(value)}`, () => compose(value).constructor.name);
}
await test('finished without callback', () => finished(new PassThrough()));
await test('finished with bad options', () => finished(new PassThrough(), 5, () => {}));
await test('finished promise, cleanup', async () => {
  const readable = new Readable({ read() { this.push(null); } });
  const before = readable.listenerCount('end');
  readable.resume();
  await finishedPromise(readable, { cleanup: true });
  return [before, readable.listenerCount('end'), readable.listenerCount('error')];
});
await test('finished, aborted', () => finishedPromise(new PassThrough(), { signal: AbortSignal.abort('now') }));
await test('promisified', () => promisify(finished)(source().resume()));
await test('pipeline of one', () => pipeline(source(), () => {}));
await test('pipeline without callback', () => pipeline(source(), sink()));
await test('pipeline of an array', () => new Promise((resolve) => {
  const target = sink();
  pipeline([source(1), target], (error) => resolve([error, target.got]));
}));
await test('pipeline of iterables', () => pipelinePromise([1, 2], async function* (items) {
  for await (const item of items) yield item * 2;
}, async (items) => collect(items)));
await test('pipeline, bad source', () => pipelinePromise(() => 5, sink()));
await test('pipeline, bad transform', () => pipelinePromise(source(), () => 5, sink()));
await test('pipeline, bad end', () => pipelinePromise(source(), () => 5));
await test('pipeline, end false', async () => {
  const target = sink();
  await pipelinePromise(source(1), target, { end: false });
  return [target.got, target.writableEnded, target.listenerCount('error')];
});
await test('pipeline, aborted', () => pipelinePromise(source(), sink(), { signal: AbortSignal.abort('p') }));
await test('compose', () => collect(compose(source('a', 'b'), async function* (chunks) {
  for await (const chunk of chunks) yield `${chunk}!`;
})));
await test('compose of functions', async () => {
  const composed = compose(
    async function* (chunks) { for await (const chunk of chunks) yield String(chunk).toUpperCase(); },
    new PassThrough({ objectMode: true }));
  composed.end('text');
  return collect(composed);
});
await test('compose of what cannot be read', () => compose(sink(), new PassThrough()).constructor.name);
await test('compose of what cannot be written', () => compose(new PassThrough(), source()).constructor.name);
await test('compose nothing', () => compose());
await test('compose method', () => source('a').compose(new PassThrough({ objectMode: true })).toArray());
await test('compose method, not writable', () => source('a').compose(source()));
await test('addAbortSignal', async () => {
  const controller = new AbortController();
  const readable = stream.addAbortSignal(controller.signal, new Readable({ read() {} }));
  setImmediate(() => controller.abort('reason'));
  return collect(readable);
});
await test('signal option', () => collect(new Readable({ read() {}, signal: AbortSignal.abort() })));
await test('destroy', async () => {
  const readable = new Readable({ read() {} });
  const error = new Promise((resolve) => readable.on('error', resolve));
  stream.destroy(readable);
  return error;
});
await test('questions', () => {
  const done = new PassThrough();
  done.destroy();
  const all = [new Readable({ read() {} }), sink(), new PassThrough(), done, {}, null, new ReadableStream(), new WritableStream()];
  return all.map((one) => [
    stream.isReadable(one), stream.isWritable(one), stream.isErrored(one), stream.isDisturbed(one), stream.isDestroyed(one),
  ].map(String).join());
});
for (const size of [undefined, null, 0, -1, 1, 2, 100, '2', 'x', NaN, 1.5]) {
  await test(`read ${size}`, () => {
    const readable = new Readable({ read() {} });
    readable.push('abcdef');
    return [readable.read(size), readable.readableLength, readable.readableHighWaterMark];
  });
}
await test('read too much', () => new Readable({ read() {} }).read(2 ** 30 + 1));
await test('default marks', () => {
  stream.setDefaultHighWaterMark(false, 5);
  stream.setDefaultHighWaterMark(true, 3);
  const marks = [new PassThrough().readableHighWaterMark, new PassThrough({ objectMode: true }).writableHighWaterMark];
  stream.setDefaultHighWaterMark(false, 16384);
  stream.setDefaultHighWaterMark(true, 16);
  return marks;
});
for (const mark of [-1, 1.5, 'x', NaN]) await test(`mark ${mark}`, () => stream.setDefaultHighWaterMark(false, mark));
await test('event names', () => {
  const readable = new Readable({ read() {} });
  for (const name of ['end', 'x', 'data', 'error']) readable.on(name, () => {});
  return [readable.eventNames(), readable.removeAllListeners('x').eventNames()];
});

// STREAM-32.
await test('the sides of a duplex are destroyed by one property', () => {
  const duplex = new Duplex({ read() {}, write() {} });
  const own = [Duplex, Transform].map((Class) => Object.hasOwn(Class.prototype, 'destroyed'));
  const seen = [true, false].map((value) => {
    duplex.destroyed = value;
    return [duplex.destroyed, duplex._readableState.destroyed, duplex._writableState.destroyed];
  });
  return [own, seen];
});
