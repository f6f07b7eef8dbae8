// Lines in a loop within a loop, escapes that come together, and the second tab of a completion.
'use strict';
const readline = require('readline');
const { PassThrough, Readable } = require('stream');

async function loops() {
  const lines = readline.createInterface({ input: Readable.from(['one\ntwo\nthree\nfour\n']) });
  for await (const line of lines) {
    console.log('outer', line);
    if (line !== 'one') continue;
    for await (const other of lines) {
      console.log('inner', other);
      break;
    }
  }
  console.log('the same', lines[Symbol.asyncIterator]() === lines[Symbol.asyncIterator]());
}

async function escapes() {
  const ESC = '\u001b';
  for (const text of [ESC, ESC + ESC, ESC + ESC + ESC, ESC.repeat(4), `${ESC.repeat(3)}[A`, `${ESC}${ESC}[A`, `${ESC}${ESC}a`]) {
    const stream = new PassThrough();
    readline.emitKeypressEvents(stream, { escapeCodeTimeout: 5 });
    const keys = [];
    stream.on('keypress', (letter, key) => keys.push(JSON.stringify([letter, key])));
    stream.write(text);
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(JSON.stringify(text), keys.join(' '));
  }
}

function completion() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const completer = (line, callback) => callback(null, [['process.stdout', 'process.stdin', 'process.stderr'], line]);
  const lines = readline.createInterface({ terminal: true, input, output, completer });
  const shown = () => console.log(JSON.stringify(output.read()?.toString()));
  for (const text of ['process.s', '\t', '\t', '\t', 'e', '\t']) {
    input.write(text);
    shown();
  }
  lines.close();
}

loops().then(escapes).then(completion);
