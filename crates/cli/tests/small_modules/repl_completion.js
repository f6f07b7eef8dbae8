// Names of modules that a program adds are completed, too, and details of errors have the colours of values.
'use strict';
const repl = require('node:repl');
const { PassThrough } = require('node:stream');

const input = new PassThrough();
const output = new PassThrough().setEncoding('utf8');
const server = repl.start({ input, output, prompt: '', terminal: false, useColors: true });
repl.builtinModules.push('mine');
for (const line of ["require('min", "import('min", "import('node:min", "require('_ht", "require('http", "import('node:pa"]) {
  server.complete(line, (error, [names, part]) => console.log(line, error, names, part));
}
server.on('exit', () => console.log(JSON.stringify(output.read(), null, 1)));
input.end('(() => { throw Object.assign(new Error("wrong"), { code: 5, why: "so" }) })()\n');
