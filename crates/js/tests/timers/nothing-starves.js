// node: --timers node
// Timers that are always late leave files, sockets, immediates, promises and other timers their turn.
const fs = require('fs');
const http = require('http');

const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end;); };
const wanted = new Set(['file', 'stat', 'immediate', 'http', 'timer', 'promise', 'message']);
const intervals = [1, 1, 2].map((ms) => setInterval(() => busy(2), ms, 'text'));
const came = (name) => {
  wanted.delete(name);
  if (wanted.size > 0 || intervals.length === 0) return;
  intervals.splice(0).forEach(clearInterval);
  console.log('all came');
};
(function again() {
  if (intervals.length > 0) setTimeout(() => { busy(1); again(); }, 0);
})();

fs.readFile(__filename, () => { came('file'); fs.stat(__filename, () => came('stat')); });
setImmediate(() => setImmediate(() => setImmediate(() => came('immediate'))));
const server = http.createServer((request, response) => response.end('x')).listen(0, () => {
  http.get({ port: server.address().port, agent: false }, (response) => {
    response.resume().on('end', () => { came('http'); server.close(); });
  });
});
setTimeout(() => came('timer'), 25);
new Promise((resolve) => setTimeout(resolve, 1)).then(() => came('promise'));
const { port1, port2 } = new MessageChannel();
port2.on('message', () => { came('message'); port2.close(); });
port1.postMessage(1);
