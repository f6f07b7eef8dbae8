// Replaces functions of the language by such as throw, and then uses timers, files, HTTP, the console, streams,
// workers and events. `node program.js HOLDER [NAME]`: HOLDER is an expression, NAME one of its functions; without
// one all of them are replaced. Prints what came of it, in an order of its own.
'use strict';

const fs = require('fs');
const { readFile } = require('fs/promises');
const http = require('http');
const stream = require('stream');
const { Worker } = require('worker_threads');
const EventEmitter = require('events');

// Nothing here may use what is replaced.
const [, , holder, wanted] = process.argv;
const lines = [];
let left = 8;
const done = (text) => {
  lines[lines.length] = text;
  if (--left === 0) finish();
};
function finish() {
  clearInterval(alive);
  let text = '';
  for (let last = ''; ;) {
    let next;
    for (let i = 0; i < lines.length; i++) if (lines[i] > last && (next === undefined || lines[i] < next)) next = lines[i];
    if (next === undefined) break;
    text += `${last = next}\n`;
  }
  fs.writeSync(1, text);
  process.exit(0);
}
const alive = setInterval(() => {}, 50);
// What never comes is missing.
setTimeout(finish, 60_000);

// All are found before the first is replaced.
const target = eval(holder);
const names = Reflect.ownKeys(target);
const found = [];
for (let i = 0; i < names.length; i++) {
  const { value, writable } = Object.getOwnPropertyDescriptor(target, names[i]);
  const isWanted = wanted === undefined || String(names[i]) === wanted;
  if (typeof value === 'function' && writable && names[i] !== 'constructor' && isWanted) found[found.length] = [names[i], String(names[i])];
}
for (let i = 0; i < found.length; i++) {
  const name = found[i][1];
  // The engine makes templates with `concat`.
  target[found[i][0]] = function() { throw new Error(name + ' was called'); };
}

console.log('shown', { a: 1, b: [1, 'two'] }, 3n);
setTimeout((text) => done(`timer ${text}`), 1, 'x');
setImmediate(() => done('immediate'));
fs.readFile(__filename, 'utf8', (error, text) => done(`file ${error === null && text.length > 100}`));
readFile(__filename).then((bytes) => done(`promise ${bytes.length > 100}`), (error) => done(`promise ${error.message}`));
const server = http.createServer((request, response) => {
  response.setHeader('x-a', 'b');
  response.end('hi');
}).listen(0, '127.0.0.1', () => {
  http.get({ host: '127.0.0.1', port: server.address().port, agent: false }, (response) => {
    let text = '';
    response.on('data', (chunk) => { text += chunk; });
    response.on('end', () => {
      done(`http ${response.statusCode} ${text} ${response.headers['x-a']}`);
      server.close();
    });
  });
});
const source = new stream.Readable({ read() { this.push('data'); this.push(null); } });
source.pipe(new stream.PassThrough()).on('data', (chunk) => done(`stream ${chunk}`));
const worker = new Worker('require("worker_threads").parentPort.postMessage({ a: [1] })', { eval: true });
worker.on('message', (message) => done(`worker ${message.a[0]}`));
(async () => {
  await null;
  const emitter = new EventEmitter();
  emitter.once('x', (value) => done(`event ${value}`));
  emitter.emit('x', 1);
})();
