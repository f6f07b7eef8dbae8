// Errors at a prompt show the functions that were running, also those without a name, but not the line itself.
'use strict';
const repl = require('node:repl');
const { PassThrough } = require('node:stream');

const lines = [
  'throw new Error("the line")',
  '(() => { throw new Error("no name") })()',
  '(function () { throw new Error("no name either") })()',
  'function named() { throw new Error("named") }',
  'named()',
  '[1].map(() => named())',
  '(() => { throw Object.assign(new Error("more to say"), { code: 5 }) })()',
];
const input = new PassThrough();
const output = new PassThrough().setEncoding('utf8');
const server = repl.start({ input, output, prompt: '', terminal: false, useColors: false });
server.on('exit', () => console.log(output.read()));
input.end(lines.map((line) => `${line}\n`).join(''));
