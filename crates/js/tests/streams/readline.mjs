// Lines, questions, keys and the cursor. The output is Node 20's.
import rl from 'readline';
import rlp from 'readline/promises';
import { PassThrough, Readable, Writable } from 'stream';
import util from 'util';
const d = (e) => (e instanceof Error ? `${e.name} ${e.code} ${e.message}` : util.inspect(e));
const s = async (l, f) => {
  try {
    console.log(l, '=>', d(await f()));
  } catch (e) {
    console.log(l, 'throws', d(e));
  }
};
const sink = () => {
  const o = [];
  const w = new Writable({
    write(c, e, cb) {
      o.push(String(c));
      cb();
    },
  });
  w.o = o;
  return w;
};
// READLINE-1, READLINE-2 and READLINE-3.
const lines = async (chunks, opts) => {
  const i = rl.createInterface({ input: Readable.from(chunks, { objectMode: false }), ...opts });
  const o = [];
  for (const e of ['line', 'close', 'pause', 'resume']) i.on(e, (x) => o.push(e + (x === undefined ? '' : ':' + x)));
  await new Promise((r) => i.on('close', r));
  return o;
};
for (const c of [
  ['a\nb\n'],
  ['a', 'b\nc'],
  ['a\r', '\nb'],
  ['a\r\nb\rc\n\n'],
  [''],
  [Buffer.from('€').subarray(0, 1), Buffer.from('€\n').subarray(1)],
  ['\r\n\r\n'],
  ['a\r'],
  ['\n', '\n'],
  ['no end'],
])
  await s(util.inspect(c), () => lines(c));
// READLINE-10.
await s('iterate', async () => {
  const o = [];
  for await (const l of rl.createInterface({ input: Readable.from(['1\n2\n3']) })) o.push(l);
  return o;
});
await s('iterate break', async () => {
  const o = [];
  const i = rl.createInterface({ input: Readable.from(['1\n2\n3']) });
  for await (const l of i) {
    o.push(l);
    break;
  }
  return [o, i.closed];
});
await s('iterate p', async () => {
  const o = [];
  for await (const l of rlp.createInterface({ input: Readable.from(['1\n2\n3']) })) o.push(l);
  return o;
});
// READLINE-8.
await s('question', async () => {
  const input = new PassThrough(),
    output = sink();
  const i = rl.createInterface({ input, output });
  const p = new Promise((r) => i.question('name? ', r));
  input.write('bob\n');
  const a = await p;
  i.setPrompt('$ ');
  i.prompt();
  const g = i.getPrompt();
  i.close();
  return [a, output.o, g];
});
await s('question twice', async () => {
  const input = new PassThrough(),
    output = sink();
  const i = rl.createInterface({ input, output });
  const got = [];
  i.question('a? ', (x) => got.push('a' + x));
  i.question('b? ', (x) => got.push('b' + x));
  i.on('line', (l) => got.push('line' + l));
  input.write('1\n2\n');
  await new Promise((r) => setImmediate(r));
  i.close();
  return [got, output.o];
});
await s('question p', async () => {
  const input = new PassThrough(),
    output = sink();
  const i = rlp.createInterface({ input, output });
  setImmediate(() => input.write('yes\n'));
  const a = await i.question('ok? ');
  i.close();
  return [a, output.o];
});
// READLINE-9.
await s('question p abort', async () => {
  const input = new PassThrough();
  const i = rlp.createInterface({ input });
  const ac = new AbortController();
  setImmediate(() => ac.abort());
  try {
    await i.question('x', { signal: ac.signal });
  } finally {
    i.close();
  }
});
await s('question p aborted', async () => {
  const i = rlp.createInterface({ input: new PassThrough() });
  await i.question('x', { signal: AbortSignal.abort() });
});
await s('question cb abort', async () => {
  const input = new PassThrough(),
    output = sink();
  const i = rl.createInterface({ input, output });
  const ac = new AbortController();
  let called = false;
  i.question('x', { signal: ac.signal }, () => (called = true));
  ac.abort();
  const o = [];
  i.on('line', (l) => o.push(l));
  input.write('l\n');
  await new Promise((r) => setImmediate(r));
  return [called, o, i.getPrompt()];
});
await s('promisified', async () => {
  const input = new PassThrough();
  const i = rl.createInterface({ input });
  setImmediate(() => input.write('pv\n'));
  return util.promisify(i.question).call(i, 'q');
});
// READLINE-6 and READLINE-8.
await s('closed', async () => {
  const i = rl.createInterface({ input: new PassThrough() });
  i.close();
  i.close();
  i.question('x', () => {});
});
await s('closed p', async () => {
  const i = rlp.createInterface({ input: new PassThrough() });
  i.close();
  await i.question('x');
});
// READLINE-5.
await s('write', async () => {
  const i = rl.createInterface({ input: new PassThrough() });
  const o = [];
  i.on('line', (l) => o.push(l));
  i.write('abc\nd');
  i.write('ef\n');
  return o;
});
// READLINE-6.
await s('signal', async () => {
  const ac = new AbortController();
  const i = rl.createInterface({ input: new PassThrough(), signal: ac.signal });
  const p = new Promise((r) => i.on('close', r));
  ac.abort();
  await p;
  return i.closed;
});
// READLINE-7.
await s('error', async () => {
  const input = new PassThrough();
  const i = rl.createInterface({ input });
  const p = new Promise((r, j) => i.on('error', j));
  input.destroy(new Error('ie'));
  await p;
});
// READLINE-1 and READLINE-4.
for (const o of [
  { completer: 5 },
  { historySize: -1 },
  { historySize: 'x' },
  { tabSize: 0 },
  { history: 5 },
  { crlfDelay: 1 },
  { crlfDelay: 500 },
  { prompt: 'p' },
])
  await s(util.inspect(o), () => {
    const i = rl.createInterface({ input: new PassThrough(), ...o });
    return [i.crlfDelay, i.getPrompt(), i.historySize, i.terminal, i.line, i.tabSize];
  });
// READLINE-5.
await s('call', () => {
  const i = rl.Interface({ input: new PassThrough() });
  return [i instanceof rl.Interface, i.pause() === i, i.pause(), i.resume() === i, i.resume()];
});
// READLINE-11 and READLINE-12.
for (const [f, ...as] of [
  ['cursorTo', [1], [1, 2], ['x'], [NaN], [1, NaN], [undefined, 1], []],
  ['moveCursor', [1, 2], [-1, -2], [0, 0], [0, 1]],
  ['clearLine', [-1], [0], [1]],
  ['clearScreenDown', []],
])
  for (const a of as)
    await s(f + util.inspect(a), () => {
      const o = sink();
      return [rl[f](o, ...a), o.o];
    });
await s('bad cb', () => rl.clearLine(sink(), 1, 5));
await s('null', () => new Promise((r) => console.log(rl.clearLine(null, 1, r))));
// READLINE-13.
await s('Readline', async () => {
  const o = sink();
  const r = new rlp.Readline(o);
  r.cursorTo(1, 2).moveCursor(1, -1).clearLine(0).clearScreenDown();
  await r.commit();
  r.cursorTo(5).rollback();
  await r.commit();
  return o.o;
});
await s('Readline bad', () => new rlp.Readline(1));
await s('Readline cursorTo', () => new rlp.Readline(sink()).cursorTo('x'));
await s('Readline clearLine', () => new rlp.Readline(sink()).clearLine(5));
// READLINE-14.
const keys = async (t) => {
  const i = new PassThrough();
  rl.emitKeypressEvents(i);
  const o = [];
  i.on('keypress', (c, k) => o.push([c, k]));
  i.write(t);
  await new Promise((r) => setImmediate(r));
  return JSON.stringify(o);
};
for (const t of [
  'a',
  'A',
  '1',
  ' ',
  '\r',
  '\n',
  '\t',
  '\b',
  '\x7f',
  '\x01',
  '\x1a',
  'é',
  '€',
  '\x1b[A',
  '\x1bOP',
  '\x1b[1;5C',
  '\x1b[3~',
  '\x1b[Z',
  '\x1ba',
  '\x1bA',
  '\x1b[11~',
  '\x1b[15~',
  '\x1b[[A',
  'ab',
  '\x1b[H',
  '\x1b[1;2D',
  '\x1b[a',
  '!',
  '\x1b\x1b[A',
  '\x1b[200~',
])
  await s('key ' + JSON.stringify(t), () => keys(t));
for (const t of ['\x1b', '\x1b[', '\x1b\x1b', '\x1bO', 'a\x1b'])
  await s('then A ' + JSON.stringify(t), async () => {
    const i = new PassThrough();
    rl.emitKeypressEvents(i, { escapeCodeTimeout: 10 });
    rl.emitKeypressEvents(i);
    const o = [];
    i.on('keypress', (c, k) => o.push([c, k]));
    i.write(t);
    await new Promise((r) => setTimeout(r, 50));
    i.write('A');
    await new Promise((r) => setImmediate(r));
    return JSON.stringify(o);
  });
await s('keys that nobody listens for', async () => {
  const i = new PassThrough();
  rl.emitKeypressEvents(i);
  const o = [];
  const one = (c) => o.push(c);
  i.on('keypress', one);
  i.write('a');
  await new Promise((r) => setImmediate(r));
  i.off('keypress', one);
  i.write('b');
  await new Promise((r) => setImmediate(r));
  i.on('keypress', one);
  i.write('c');
  await new Promise((r) => setImmediate(r));
  return [o, i.listenerCount('data'), i.listenerCount('newListener')];
});
// READLINE-9.
for (const signal of [5, {}, { aborted: true }, 'x', null])
  for (const [l, q] of [
    ['callback', (i) => i.question('q', { signal }, () => {})],
    ['promisified', (i) => util.promisify(i.question).call(i, 'q', { signal })],
    ['promise', (i) => rlp.Interface.prototype.question.call(i, 'q', { signal })],
  ])
    await s(`${l} ${util.inspect(signal)}`, () => {
      const i = (l === 'promise' ? rlp : rl).createInterface({ input: new PassThrough() });
      return Promise.race([q(i), new Promise((r) => setImmediate(r, 'no answer'))]);
    });
await s('the cause', async () => {
  const i = rlp.createInterface({ input: new PassThrough() });
  const ac = new AbortController();
  const q = i.question('x', { signal: ac.signal });
  ac.abort('mine');
  return q.catch((e) => [e.name, e.cause, i.getPrompt()]);
});
// READLINE-6.
await s('a signal aborted before', async () => {
  const i = rl.createInterface({ input: new PassThrough(), signal: AbortSignal.abort() });
  const before = i.closed;
  await new Promise((r) => i.on('close', r));
  return [before, i.closed, i.input.listenerCount('data'), i.input.listenerCount('end')];
});
// READLINE-13.
await s('autoCommit', async () => {
  const o = sink();
  const r = new rlp.Readline(o, { autoCommit: true });
  r.clearLine(-1).cursorTo(1);
  const before = [...o.o];
  await new Promise((r) => setImmediate(r));
  return [before, o.o];
});
await s('bad autoCommit', () => new rlp.Readline(sink(), { autoCommit: 1 }));
// READLINE-11.
await s('callbacks', async () => {
  const o = [];
  const w = sink();
  await new Promise((r) => rl.cursorTo(w, 1, r));
  await new Promise((r) => rl.cursorTo(w, undefined, undefined, r));
  await new Promise((r) => rl.moveCursor(w, 0, 0, r));
  rl.clearScreenDown(undefined, (...a) => o.push(a));
  await new Promise((r) => setImmediate(r));
  return [o, w.o];
});
