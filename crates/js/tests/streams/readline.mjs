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
await s('write', async () => {
  const i = rl.createInterface({ input: new PassThrough() });
  const o = [];
  i.on('line', (l) => o.push(l));
  i.write('abc\nd');
  i.write('ef\n');
  return o;
});
await s('signal', async () => {
  const ac = new AbortController();
  const i = rl.createInterface({ input: new PassThrough(), signal: ac.signal });
  const p = new Promise((r) => i.on('close', r));
  ac.abort();
  await p;
  return i.closed;
});
await s('error', async () => {
  const input = new PassThrough();
  const i = rl.createInterface({ input });
  const p = new Promise((r, j) => i.on('error', j));
  input.destroy(new Error('ie'));
  await p;
});
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
await s('call', () => {
  const i = rl.Interface({ input: new PassThrough() });
  return [i instanceof rl.Interface, i.pause() === i, i.pause(), i.resume() === i, i.resume()];
});
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
