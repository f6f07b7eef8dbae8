// When things happen to a stream, in ticks. The output is Node 20's.
'use strict';

const { Readable, Writable, Duplex, Transform, PassThrough } = require('stream');

const cases = [];
const test = (name, body) => cases.push([name, body]);
const watch = (stream, say, ...events) => {
  for (const event of events) stream.on(event, (value) => say(event, value?.code ?? value?.message ?? ''));
};

for (const highWaterMark of [0, 1, 16]) {
  for (const sync of [true, false]) {
    for (const callback of [true, false]) {
      test(`write, mark ${highWaterMark}, ${sync ? 'sync' : 'async'}, ${callback ? 'callback' : 'none'}`, (say) => {
        const w = new Writable({ highWaterMark, write(c, e, done) { sync ? done() : process.nextTick(done); } });
        watch(w, say, 'drain', 'finish', 'close');
        const state = w._writableState;
        const args = callback ? [(error) => say('cb', error)] : [];
        say(w.write('a', ...args), state.needDrain, state.pendingcb, w.write('b', ...args), w.writableNeedDrain);
        process.nextTick(() => process.nextTick(() => w.end(...args)));
        return () => state.pendingcb;
      });
    }
  }
}
for (const sync of [true, false]) {
  for (const chunks of [0, 1]) {
    for (const style of ['none', 'readable', 'readable and read', 'data', 'resume']) {
      test(`read ${chunks}, ${sync ? 'sync' : 'async'}, ${style}`, (say) => {
        let left = chunks;
        const r = new Readable({
          read() {
            const give = () => { say('push', this.push(left-- > 0 ? 'a' : null)); };
            sync ? give() : process.nextTick(give);
          },
        });
        watch(r, say, 'end', 'close', 'pause', 'resume');
        if (style === 'none') r.read(0);
        else if (style === 'data') r.on('data', () => say('data'));
        else if (style === 'resume') r.resume();
        else r.on('readable', () => { say('readable', style === 'readable' ? '' : r.read()); });
        return () => r._readableState.needReadable;
      });
    }
  }
}
test('construct of a reader', (say) => {
  const r = new Readable({ construct(done) { say('construct'); done(); }, read() { say('read'); this.push(null); } });
  watch(r, say, 'data', 'end', 'close');
});
test('construct of a writer', (say) => {
  const w = new Writable({ construct(done) { say('construct'); done(); }, write(c, e, done) { say('write'); done(); } });
  watch(w, say, 'finish', 'close');
  w.write('a');
  w.end('b', () => say('end cb'));
});
test('construct fails', (say) => {
  watch(new Readable({ construct(done) { done(new Error('c')); }, read() {} }), say, 'error', 'close');
});
test('construct twice', (say) => {
  watch(new Writable({ construct(done) { done(); done(); }, write() {} }), say, 'error', 'close');
});
test('destroyed while constructing', (say) => {
  const w = new Writable({ construct(done) { process.nextTick(done, new Error('c')); }, write() {} });
  watch(w, say, 'error', 'close');
  w.destroy(new Error('d'), (error) => say('cb', error.errors));
});
test('write after end', (say) => {
  const w = new Writable({ write(c, e, done) { done(); } });
  watch(w, say, 'error', 'finish', 'close');
  w.write('a', (error) => say('a', error));
  w.end('b', (error) => say('end', error));
  w.end((error) => say('end again', error));
  w.write('c', (error) => say('c', error));
});
test('destroy with writes under way', (say) => {
  const w = new Writable({ write(c, e, done) { process.nextTick(done); } });
  watch(w, say, 'error', 'close');
  w.write('a', (error) => say('a', error));
  w.write('b', (error) => say('b', error));
  w.end((error) => say('end', error));
  w.destroy();
  w.end((error) => say('end again', error));
});
for (const autoDestroy of [true, false]) {
  test(`write fails, autoDestroy ${autoDestroy}`, (say) => {
    const w = new Writable({ autoDestroy, write(c, e, done) { done(new Error('w')); } });
    watch(w, say, 'error', 'close');
    w.write('a', (error) => say('a', error));
    w.write('b', (error) => say('b', error));
    w.end((error) => say('end', error));
  });
}
for (const how of ['fails', 'throws']) {
  test(`final ${how}`, (say) => {
    const w = new Writable({
      write(c, e, done) { done(); },
      final(done) {
        if (how === 'throws') throw new Error('f');
        done(new Error('f'));
      },
    });
    watch(w, say, 'error', 'close');
    w.end('a', (error) => say('end', error));
  });
}
test('writev', (say) => {
  const w = new Writable({ writev(chunks, done) { say('writev', chunks.length, chunks.allBuffers); done(); } });
  watch(w, say, 'finish');
  w.cork();
  w.write('a');
  w.write('b', (error) => say('b', error));
  w.uncork();
  w.write('c');
  w.cork();
  w.write('d');
  w.end('e');
});
test('callback twice', (say) => {
  const w = new Writable({ write(c, e, done) { done(); done(); } });
  watch(w, say, 'error', 'close');
  w.write('a', (error) => say('a', error));
});
test('not half open', (say) => {
  const d = new Duplex({ allowHalfOpen: false, read() { this.push(null); }, write(c, e, done) { done(); } });
  watch(d, say, 'end', 'finish', 'close', 'prefinish');
  d.resume();
});
test('transform and flush', (say) => {
  const t = new Transform({ transform(c, e, done) { done(null, c); }, flush(done) { say('flush'); done(null, 'z'); } });
  watch(t, say, 'end', 'finish', 'close', 'prefinish', 'data', 'readable');
  t.end('abc');
});
for (const value of [undefined, 'x']) {
  test(`transform after its end, ${value}`, (say) => {
    const t = new Transform({ transform(c, e, done) { this.push(null); done(null, value); } });
    watch(t, say, 'error', 'close');
    t.write('a', (error) => say('a', error));
    return () => t._writableState.pendingcb;
  });
}
test('objects and nobody to tell', (say) => {
  const w = new PassThrough({ objectMode: true });
  w.write('');
  w.write('');
  return () => w._writableState.pendingcb;
});
test('push after the end', (say) => {
  const r = new Readable({ read() {} });
  watch(r, say, 'error', 'close', 'end');
  r.push(null);
  say(r.push('a'), r.unshift('b'), r.push(null));
});
test('unshift in the end event', (say) => {
  const r = new Readable({ read() {} });
  watch(r, say, 'error', 'close');
  r.push(null);
  r.on('end', () => say('end', r.unshift('a')));
  r.resume();
});

function next() {
  const one = cases.shift();
  if (one === undefined) return;
  const [name, body] = one;
  const log = [];
  const probe = body((...values) => log.push(values.join(' '))) ?? (() => '');
  let ticks = 0;
  const tick = () => {
    log.push(`[${ticks}${probe() === '' ? '' : ` ${probe()}`}]`);
    if (ticks++ < 8) process.nextTick(tick);
    else setImmediate(finish);
  };
  const finish = () => {
    console.log(`${name}: ${log.join(' | ')}`);
    setImmediate(next);
  };
  tick();
}
next();
