// What keys become of what terminals send, for thousands of sequences; some of them are shown.
'use strict';
const crypto = require('crypto');
const readline = require('readline');
const { PassThrough } = require('stream');

const ESC = '\u001b';
const leads = ['[', '[[', 'O', `${ESC}[`, `${ESC}O`, `${ESC}[[`];
const numbers = ['', '1', '2', '5', '6', '7', '8', '11', '15', '24', '3;5', '1;2', '1;10', '15;3', ';5', '200', '201'];
const finals = [...'ABCDEFGHPQRSZabcdefghpqrsz~^$@'];

/// The keys of a text, and of a letter after it that ends what has no end.
function keysOf(text) {
  const stream = new PassThrough();
  readline.emitKeypressEvents(stream, { escapeCodeTimeout: 1 });
  const keys = [];
  stream.on('keypress', (letter, key) => keys.push(JSON.stringify([letter ?? null, key])));
  stream.write(text);
  stream.write('x');
  return `${JSON.stringify(text)} ${keys.join(' ')}`;
}

const digest = crypto.createHash('sha256');
for (const lead of leads) {
  for (const number of numbers) {
    for (const final of finals) digest.update(keysOf(ESC + lead + number + final));
  }
}
for (let code = 0; code < 256; code++) {
  const letter = String.fromCharCode(code);
  for (const text of [letter, `${ESC}${letter}`, `${ESC}${ESC}${letter}`]) if (text !== ESC + ESC) digest.update(keysOf(text));
}
console.log(digest.digest('hex'));

const shown = [
  '\0', '\u0001', 'a', 'A', '1', '!', 'é', '漢', '😀', `${ESC}a`, `${ESC}A`, `${ESC}\u0001`, `${ESC}\r`, `${ESC}é`, `${ESC}Oa`, `${ESC}OA`, `${ESC}O5A`,
  `${ESC}[a`, `${ESC}[A`, `${ESC}[5A`, `${ESC}[1;5A`, `${ESC}[1;10A`, `${ESC}[5~`, `${ESC}[5^`, `${ESC}[5$`, `${ESC}[5;6~`, `${ESC}[[5~`, `${ESC}[[A`, `${ESC}[Z`,
  `${ESC}[200~`, `${ESC}[11A`, `${ESC}${ESC}[A`, `${ESC}${ESC}a`,
];
for (const text of shown) console.log(keysOf(text));
