// The rules of docs/library/streams.md, one case for each at least. A line is a case: what happened, and in which tick.
// The output is Node 20's.
'use strict';

const stream = require('stream');
const { Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished } = stream;

const cases = [];
const rule = (name, body) => cases.push([name, body]);
const show = (value) => {
  if (value instanceof Error) return value.code ?? value.message;
  if (Buffer.isBuffer(value)) return `<${value}>`;
  if (Array.isArray(value)) return `[${value.map(show)}]`;
  return String(value);
};
const watch = (one, say, ...events) => {
  for (const event of events) one.on(event, (value) => say(event, ...(value === undefined ? [] : [value])));
};
const taking = (options) => new Writable({ write(chunk, encoding, done) { done(); }, ...options });
const giving = (...chunks) => new Readable({ read() { this.push(chunks.length > 0 ? chunks.shift() : null); } });
const later = () => new Promise(setImmediate);

rule('STREAM-1: methods among the options', (say) => {
  const methods = { construct(done) { done(); }, read: 5, write() {}, writev() {}, final() {}, destroy() {}, transform() {}, flush() {} };
  const one = Transform(methods);
  say(one instanceof Transform, ...Object.keys(one).filter((key) => typeof one[key] === 'function'));
});
rule('STREAM-1: signal', (say) => {
  const controller = new AbortController();
  const one = new Readable({ read() {}, signal: controller.signal });
  watch(one, say, 'error', 'close');
  controller.abort();
  say(one.destroyed);
});
rule('STREAM-2: marks', (say) => {
  const marks = (one) => [one.readableHighWaterMark, one.writableHighWaterMark];
  say(marks(new Duplex()), marks(new Duplex({ objectMode: true })), marks(new Duplex({ readableObjectMode: true })));
  say(marks(new Duplex({ highWaterMark: 3, readableHighWaterMark: 4 })), marks(new Duplex({ writableHighWaterMark: 0 })));
  for (const bad of [-1, 1.5, '3', NaN]) {
    try {
      new Writable({ highWaterMark: bad });
    } catch (error) {
      say(error.message);
    }
  }
});
for (const emitClose of [true, false]) {
  for (const error of [undefined, new Error('e')]) {
    rule(`STREAM-3: destroy, ${show(error)}, emitClose ${emitClose}`, (say) => {
      const stages = ({ _readableState: r }) => [r.destroyed, r.closed, r.closeEmitted];
      const one = new Duplex({ emitClose, destroy(reason, done) { say('_destroy', reason); process.nextTick(done, reason); } });
      watch(one, say, 'error', 'close');
      say(stages(one));
      one.destroy(error, (reason) => say('callback', reason, stages(one)));
      say(stages(one));
      one.destroy(new Error('again'), (reason) => say('second callback', reason));
      return () => stages(one);
    });
  }
}
rule('STREAM-4: construct', (say) => {
  const one = new Duplex({
    construct(done) { say('_construct'); setImmediate(done); },
    read() { say('_read'); this.push(null); },
    write(chunk, encoding, done) { say('_write'); done(); },
    final(done) { say('_final'); done(); },
  });
  watch(one, say, 'finish', 'end', 'close');
  one.resume();
  one.end('a');
});
rule('STREAM-4: construct answers twice', (say) => {
  watch(taking({ construct(done) { done(); done(); } }), say, 'error', 'close');
});
rule('STREAM-4: destroyed while constructing', (say) => {
  const one = taking({ construct(done) { setImmediate(done, new Error('c')); } });
  watch(one, say, 'error', 'close');
  one.destroy(new Error('d'), (error) => say('callback', error.errors));
});
for (const autoDestroy of [true, false]) {
  rule(`STREAM-5: an error, autoDestroy ${autoDestroy}`, (say) => {
    const one = new Readable({ autoDestroy, read() { throw new Error('r'); } });
    watch(one, say, 'error', 'close');
    one.read();
    one.emit('readable');
    return () => [one.destroyed, one.errored];
  });
  rule(`STREAM-6: both sides are through, autoDestroy ${autoDestroy}`, (say) => {
    const one = new Duplex({ autoDestroy, read() { this.push(null); }, write(chunk, encoding, done) { done(); } });
    watch(one, say, 'end', 'finish', 'close');
    one.resume();
    setImmediate(() => one.end());
    return () => one.destroyed;
  });
}
rule('STREAM-10: states of a writer', (say) => {
  const one = taking({ final: (done) => process.nextTick(done) });
  const state = () => [one.writable, one.writableEnded, one.writableFinished];
  one.on('prefinish', () => say('prefinish', state()));
  one.on('finish', () => say('finish', state()));
  say(state());
  one.end();
  say(state());
});
rule('STREAM-11: what may be written', (say) => {
  for (const options of [{}, { objectMode: true }, { decodeStrings: false }]) {
    for (const chunk of ['s', Buffer.from('b'), new Uint16Array([0x6161]), null, undefined, 5]) {
      const one = taking({ ...options, write(got, encoding, done) { say(got, encoding); done(); } });
      try {
        one.write(chunk);
      } catch (error) {
        say('throws', error);
      }
    }
  }
  try {
    taking().write('a', 'none such');
  } catch (error) {
    say('throws', error);
  }
});
rule('STREAM-11: one after the other', (say) => {
  const one = new Writable({ highWaterMark: 3, write(chunk, encoding, done) { say('_write', chunk); process.nextTick(done); } });
  watch(one, say, 'drain');
  for (const chunk of ['a', 'b', 'c', 'd']) say('write', one.write(chunk, () => say('wrote', chunk)));
});
rule('STREAM-12: after end', (say) => {
  const one = taking();
  watch(one, say, 'error', 'finish', 'close');
  one.end();
  say(one.write('a', (error) => say('callback', error)));
});
rule('STREAM-12: after destroy', (say) => {
  const one = taking();
  watch(one, say, 'error', 'finish', 'close');
  one.destroy();
  say(one.write('a', (error) => say('callback', error)));
  one.end((error) => say('end', error));
  one.end((error) => say('end again', error));
});
for (const isSync of [true, false]) {
  rule(`STREAM-13: callbacks, ${isSync ? 'sync' : 'async'}`, (say) => {
    const one = new Writable({ highWaterMark: 1, write(chunk, encoding, done) { isSync ? done() : process.nextTick(done); } });
    watch(one, say, 'drain');
    const same = () => say('same');
    say(one.write('a', same), one.write('b', same), one.write('c', () => say('c')), one.write('d'));
    return () => one._writableState.pendingcb;
  });
}
rule('STREAM-14: writev and cork', (say) => {
  const one = taking({ writev(chunks, done) { say('_writev', chunks.map(({ chunk }) => chunk)); process.nextTick(done); } });
  one.cork();
  one.cork();
  one.write('a');
  one.write('b', () => say('b'));
  one.uncork();
  say('still corked', one.writableCorked);
  one.uncork();
  one.write('c');
  one.write('d');
  one.cork();
  one.end('e', () => say('end'));
});
rule('STREAM-14: a write fails', (say) => {
  const one = new Writable({ write(chunk, encoding, done) { process.nextTick(done, new Error('w')); } });
  watch(one, say, 'error', 'close');
  for (const chunk of ['a', 'b']) one.write(chunk, (error) => say(chunk, error));
  one.end((error) => say('end', error));
});
rule('STREAM-15: end', (say) => {
  const one = taking({ write(chunk, encoding, done) { say('_write', chunk); done(); } });
  watch(one, say, 'finish');
  one.cork();
  one.write('a');
  say(one.end('b', 'utf8', (error) => say('end', error)) === one);
  one.end((error) => say('again', error));
  setImmediate(() => one.end((error) => say('too late', error)));
});
for (const error of [undefined, new Error('f')]) {
  rule(`STREAM-16: final, ${show(error)}`, (say) => {
    const one = taking({ final(done) { say('_final'); done(error); } });
    watch(one, say, 'prefinish', 'finish', 'error', 'close');
    one.write('a');
    one.end((reason) => say('end', reason));
  });
}
rule('STREAM-17: finish', (say) => {
  const one = new Writable({ write(chunk, encoding, done) { process.nextTick(done); } });
  watch(one, say, 'prefinish', 'finish', 'close');
  one.write('a', () => say('a'));
  one.end(() => say('end'));
});
rule('STREAM-20: states of a reader', (say) => {
  const one = new Readable({ autoDestroy: false, read() {} });
  const state = () => [one.readable, one._readableState.ended, one.readableEnded];
  watch(one, say, 'error');
  one.on('end', () => say('end', state()));
  one.push('a');
  say(state());
  one.push(null);
  say(state(), one.push(null), one.read());
  process.nextTick(() => process.nextTick(() => say(one.push('b'))));
});
rule('STREAM-21: push', (say) => {
  const one = new Readable({ highWaterMark: 2, read() {} });
  say(one.push('a'), one.push(''), one.push('b'), one.readableLength);
  one.on('data', (chunk) => say('data', chunk));
  setImmediate(() => {
    say(one.push('now'));
    one.destroy();
    say(one.push('dropped'));
  });
});
rule('STREAM-22: unshift', (say) => {
  const one = new Readable({ autoDestroy: false, read() {} });
  watch(one, say, 'end', 'error');
  one.push('b');
  one.unshift('a');
  one.push(null);
  one.unshift('0');
  say(one.read());
  setImmediate(() => say(one.unshift('late')));
});
rule('STREAM-23: the end of the source', (say) => {
  const one = new Readable({ encoding: 'utf8', read() {} });
  watch(one, say, 'readable', 'data', 'end');
  one.push(Buffer.from([0x61, 0xe2, 0x82]));
  one.push(null);
  say(one.read());
});
rule('STREAM-24: readable', (say) => {
  const one = new Readable({ read() {} });
  one.on('readable', () => say('readable', one.read()));
  process.nextTick(() => {
    one.push('a');
    one.push('b');
  });
  setImmediate(() => one.push(null));
});
for (const isSync of [true, false]) {
  rule(`STREAM-25: reading ahead, ${isSync ? 'sync' : 'async'}`, (say) => {
    let n = 0;
    const one = new Readable({
      highWaterMark: 3,
      read() {
        say('_read');
        if (isSync) this.push(String(n++));
        else process.nextTick(() => this.push(String(n++)));
      },
    });
    one.read(0);
    return () => one.readableLength;
  });
}
rule('STREAM-26: read', (say) => {
  const one = new Readable({ highWaterMark: 4, read(n) { say('_read', n); } });
  watch(one, say, 'data');
  one.pause();
  one.push('ab');
  one.push('cd');
  say(one.read(0), one.read(), one.read(), one.readableLength);
});
rule('STREAM-27: read(n)', (say) => {
  const one = new Readable({ highWaterMark: 4, read() {} });
  one.push('abcde');
  say(one.read(2), one.read(9), one.readableHighWaterMark);
  one.push(null);
  say(one.read(9));
  try {
    one.read(2 ** 31);
  } catch (error) {
    say(error);
  }
  const objects = Readable.from([1, 2]);
  objects.once('readable', () => say(objects.read(5), objects.read(0), objects.read(1)));
});
for (const allowHalfOpen of [true, false]) {
  rule(`STREAM-28: end, allowHalfOpen ${allowHalfOpen}`, (say) => {
    const one = new Duplex({ allowHalfOpen, read() {}, write(chunk, encoding, done) { done(); } });
    watch(one, say, 'end', 'finish', 'close');
    one.push(null);
    setImmediate(() => say(one.read()));
    return () => [one.readableEnded, one.writableEnded];
  });
}
rule('STREAM-29: flowing', (say) => {
  const one = giving('a', 'b');
  watch(one, say, 'resume', 'pause', 'end');
  say(one.readableFlowing, one.isPaused());
  one.resume();
  say(one.readableFlowing);
  one.pause();
  say(one.readableFlowing, one.isPaused());
  setImmediate(() => one.resume());
});
rule('STREAM-30: listeners', (say) => {
  const one = giving('a', 'b', 'c');
  const heard = () => say('readable');
  one.on('readable', heard);
  say(one.readableFlowing);
  one.resume();
  say(one.readableFlowing);
  watch(one, say, 'data', 'end');
  say(one.readableFlowing);
  setImmediate(() => one.off('readable', heard));
  return () => one.readableFlowing;
});
rule('STREAM-31: wrap', (say) => {
  const old = new stream.Stream();
  old.pause = () => say('pause');
  old.resume = () => say('resume');
  const one = new Readable({ highWaterMark: 2 }).wrap(old);
  old.emit('data', 'abc');
  say(one.read());
  setImmediate(() => {
    watch(one, say, 'data', 'end', 'close');
    old.emit('end');
  });
});
rule('STREAM-32: one side left out', (say) => {
  const one = new Duplex({ readable: false, write(chunk, encoding, done) { done(); } });
  const two = new Duplex({ writable: false, read() { this.push(null); } });
  say(one.readable, one.readableEnded, two.writable, two.writableFinished);
  watch(one, say, 'finish', 'close');
  watch(two, say, 'end', 'close');
  one.end();
  two.resume();
});
rule('STREAM-32: destroyed together', (say) => {
  const one = new Duplex({ read() {}, write() {} });
  one.on('error', () => {});
  one.write('a', (error) => say('write', error));
  one.write('b', (error) => say('write', error));
  one.destroy();
  say(one.readable, one.writable, one._readableState.destroyed, one._writableState.destroyed);
});
rule('STREAM-33: transform', (say) => {
  const one = new Transform({
    readableHighWaterMark: 2,
    transform(chunk, encoding, done) { say('_transform', chunk); done(null, String(chunk).toUpperCase()); },
  });
  for (const chunk of ['a', 'b', 'c', 'd']) one.write(chunk);
  say('waits', one.writableLength, one.readableLength);
  setImmediate(() => { say(one.read()); say('waits', one.writableLength); });
});
rule('STREAM-34: flush', (say) => {
  const one = new Transform({
    transform(chunk, encoding, done) { done(); },
    flush(done) { say('_flush'); process.nextTick(done, null, 'last'); },
  });
  watch(one, say, 'data', 'prefinish', 'finish', 'end', 'close');
  one.end('a');
});
rule('STREAM-35: pipe', (say) => {
  const slow = new Writable({ highWaterMark: 1, write(chunk, encoding, done) { say('slow', chunk); setImmediate(done); } });
  const fast = taking({ write(chunk, encoding, done) { say('fast', chunk); done(); } });
  for (const one of [slow, fast]) one.on('pipe', () => say('pipe'));
  watch(slow, say, 'finish');
  const source = giving('a', 'b', 'c');
  source.pipe(slow);
  source.pipe(fast, { end: false });
  return () => [source.isPaused(), fast.writableEnded];
});
rule('STREAM-36: unpipe', (say) => {
  const source = new Readable({ read() {} });
  const [one, two] = [taking(), taking()];
  one.on('error', () => {});
  for (const dest of [one, two]) dest.on('unpipe', () => say('unpipe', dest === one ? 1 : 2));
  watch(source, say, 'pause');
  source.pipe(one);
  source.pipe(two);
  process.nextTick(() => one.destroy(new Error('e')));
  setImmediate(() => { source.unpipe(two); say(source.readableFlowing); });
});
rule('STREAM-37: iterating', async (say) => {
  for (const options of [undefined, { destroyOnReturn: false }]) {
    const one = giving('a', 'b', 'c');
    for await (const chunk of one.iterator(options)) {
      say(chunk);
      break;
    }
    say(one.destroyed);
  }
  const bad = new Readable({ read() { this.destroy(new Error('i')); } });
  try {
    for await (const chunk of bad) say(chunk);
  } catch (error) {
    say('throws', error);
  }
});
rule('STREAM-38: from', async (say) => {
  for await (const chunk of Readable.from(['a', Promise.resolve('b'), 3])) say(chunk);
  for await (const chunk of Readable.from('text')) say(chunk);
  watch(Readable.from([null]).resume(), say, 'error');
  const one = Readable.from((function* () {
    try {
      yield 1;
      yield 2;
    } finally {
      say('ended');
    }
  })());
  watch(one, say, 'close');
  one.once('data', () => one.destroy());
});
for (const end of ['both', 'destroy', 'error']) {
  rule(`STREAM-39: finished, ${end}`, (say) => {
    const one = new PassThrough();
    finished(one, (error) => say('finished', error));
    finished(one, { readable: false }, (error) => say('written', error));
    watch(one, say, 'finish', 'end', 'error', 'close');
    if (end === 'both') one.resume().end('a');
    else one.destroy(end === 'error' ? new Error('f') : undefined);
  });
}
rule('STREAM-40: finished before', async (say) => {
  const one = giving();
  one.resume();
  await later();
  finished(one, (error) => say('finished', error));
  const two = giving();
  finished(two, () => say('never'))();
  two.resume();
  say(two.listenerCount('end'));
});
rule('STREAM-41: finished with a signal', (say) => {
  const controller = new AbortController();
  const one = new Readable({ read() {} });
  finished(one, { signal: controller.signal }, (error) => say('finished', error, one.destroyed));
  controller.abort();
});
rule('STREAM-42: addAbortSignal', (say) => {
  const controller = new AbortController();
  const one = stream.addAbortSignal(controller.signal, taking());
  watch(one, say, 'error', 'close');
  controller.abort('why');
  say(one.destroyed, one.errored.cause);
});
rule('STREAM-43: operators', async (say) => {
  const numbers = () => Readable.from([3, 1, 2]);
  let running = 0;
  const slow = async (n) => {
    say('running', ++running);
    for (let i = 0; i < n; i++) await later();
    running--;
    return n;
  };
  say(await numbers().map(slow, { concurrency: 2 }).toArray());
  say(await numbers().filter((n) => n > 1).toArray(), await numbers().take(2).toArray(), await numbers().drop(2).toArray());
  say(await numbers().flatMap((n) => [n, n]).toArray(), await numbers().reduce((a, b) => a + b, 0));
  say(await numbers().some((n) => n === 1), await numbers().every((n) => n === 1), await numbers().find((n) => n < 3));
});
rule('STREAM-44: pipeline', (say) => {
  const parts = [giving('a'), new PassThrough(), taking()];
  parts.forEach((one, i) => one.on('close', () => say('close', i)));
  pipeline(parts, (error) => say('done', error, parts[2].listenerCount('error')));
});
rule('STREAM-44: a part of a pipeline fails', (say) => {
  const parts = [giving('a', 'b'), new Transform({ transform(chunk, encoding, done) { done(new Error('t')); } }), taking()];
  pipeline(parts, (error) => say('done', error, parts.map((one) => one.destroyed)));
});
rule('STREAM-45: functions in a pipeline', async (say) => {
  const value = await stream.promises.pipeline(
    () => ['a', 'b'],
    async function* (chunks, { signal }) {
      say(signal.aborted);
      for await (const chunk of chunks) yield chunk.toUpperCase();
    },
    async (chunks) => {
      let all = '';
      for await (const chunk of chunks) all += chunk;
      return all;
    });
  say(value);
  const open = taking();
  await stream.promises.pipeline(giving('a'), open, { end: false });
  say(open.writableEnded);
});
rule('STREAM-46: compose', async (say) => {
  const one = stream.compose(new PassThrough(), async function* (chunks) {
    for await (const chunk of chunks) yield String(chunk).toUpperCase();
  });
  one.end('abc');
  say(await one.toArray());
});
rule('STREAM-47: Duplex.from', async (say) => {
  for (const body of [['a', 'b'], Promise.resolve('p'), giving('r'), { readable: giving('x'), writable: taking() }, new Blob(['blob'])]) {
    const one = Duplex.from(body);
    say(one.writable, (await one.toArray()).map((chunk) => (chunk instanceof ArrayBuffer ? Buffer.from(chunk) : chunk)));
  }
  const one = Duplex.from(async (chunks) => { for await (const chunk of chunks) say(chunk); });
  one.end('f');
  await stream.promises.finished(one);
  say(one.readable, one.writableFinished);
});
rule('STREAM-48: stream.destroy', (say) => {
  const { EventEmitter } = require('events');
  const old = Object.assign(new EventEmitter(), { pipe() {}, readable: true });
  const closing = Object.assign(new EventEmitter(), { pipe() {}, readable: true, close() { say('close()'); } });
  const one = giving();
  for (const it of [old, closing, one]) {
    watch(it, say, 'error', 'close');
    stream.destroy(it);
    say(stream.isDestroyed(it));
  }
});

async function run() {
  for (const [name, body] of cases) {
    const log = [];
    let ticks = 0;
    let turn = 0;
    const say = (...parts) => log.push(`${turn}.${ticks} ${parts.map(show).join(' ')}`);
    const tick = () => {
      if (ticks < 12) process.nextTick(tick);
      ticks++;
    };
    process.nextTick(tick);
    const result = body(say);
    const snapshot = typeof result === 'function' ? result : undefined;
    if (snapshot) say('is', snapshot());
    if (result instanceof Promise) await result;
    for (turn = 1; turn < 6; turn++) {
      ticks = 0;
      process.nextTick(tick);
      await later();
      if (snapshot) say('is', snapshot());
    }
    console.log(`${name}: ${log.join(' | ')}`);
  }
}
setImmediate(run);
