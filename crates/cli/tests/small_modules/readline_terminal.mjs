// Lines that are edited in a terminal (rule READLINE-15): what each key writes, and what becomes of the line.
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';

async function type(name, keys, options) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.columns = 40;
  const [modes, events] = [[], []];
  input.setRawMode = (mode) => modes.push(mode);
  let shown = '';
  output.on('data', (data) => { shown += data; });
  const lines = createInterface({ input, output, terminal: true, ...options });
  for (const event of ['line', 'SIGINT', 'SIGTSTP', 'close', 'history']) {
    lines.on(event, (value) => events.push(value === undefined ? [event] : [event, Array.isArray(value) ? [...value] : value]));
  }
  lines.prompt();
  for (const key of keys) input.write(key);
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  console.log(name, JSON.stringify([shown, events, lines.line, lines.cursor, lines.getCursorPos(), modes]));
  lines.close();
  console.log(modes.at(-1));
}

const completer = (line) => [['alpha', 'alphabet'], line];
await type('a line', ['a', 'bc', '\r']);
await type('in the middle', ['abc', '\x1b[D', 'x', '\x1b[C', 'y']);
await type('backspace, delete', ['abcd', '\x7f', '\x01', '\x04', '\x1b[3~']);
await type('to the ends', ['abc', '\x1b[H', 'x', '\x1b[F', 'y', '\x02', '\x06', '\x05']);
await type('cut', ['abc def', '\x17', '\x15', 'abc', '\x01', '\x0b', '\x19']);
await type('words', ['abc def', '\x1bb', 'X', '\x1bf', 'Y', '\x1bb', '\x1bd']);
await type('history', ['one\r', 'two\r', 'two\r', '\x1b[A', '\x1b[A', '\x1b[B', '\x1b[B']);
await type('history by prefix', ['one\r', 'two\r', 'o', '\x1b[A', '\r']);
await type('without doubles', ['one\r', ' \r', 'two\r', 'one\r'], { removeHistoryDuplicates: true });
await type('a short history', ['one\r', 'two\r', 'three\r'], { historySize: 2 });
await type('interrupted', ['abc', '\x03', '\x1a']);
await type('ended', ['a\r', '\x04']);
await type('no end in a line', ['abc', '\x04']);
await type('cleared', ['abc', '\x0c']);
await type('undone', ['abc', '\x17', '\x1f', '\x1f', '\x1e']);
await type('wide', ['日本', '\x1b[D', 'x']);
await type('ends of lines', ['abc\r\ndef\nghi\r']);
await type('tab, as far as all agree', ['al\t'], { completer });
await type('tab, listed', ['alpha\t', '\t'], { completer });
await type('tab, calling back', ['x\t'], { completer: (line, callback) => callback(null, [[`${line}yz`], line]) });
await type('typed by the program', []);
