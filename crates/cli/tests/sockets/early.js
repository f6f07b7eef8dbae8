// Ends, resets and pauses before there is a connection.
const net = require('net');
const tests = [
  ['end', (socket) => { socket.end(); }],
  ['end with data', (socket) => { socket.end('data'); }],
  ['pause', (socket) => { socket.pause(); setTimeout(() => socket.resume().end(), 10); }],
  ['reset', (socket) => { socket.resetAndDestroy(); }],
  ['write then end', (socket) => { socket.write('a'); socket.write('b'); socket.end('c'); }],
  ['unref ref', (socket) => { socket.unref(); socket.ref(); socket.end(); }],
  ['options', (socket) => { socket.setNoDelay(true).setKeepAlive(true, 1000).setTimeout(1000).end(); }],
  ['connect twice', (socket, port) => {
    socket.once('connect', () => socket.end());
    try { socket.connect(port, '127.0.0.1'); } catch (error) { console.log(error.code); }
  }],
];
const seen = [];
// Called when the server's end of a connection is closed, too.
let served;
const server = net.createServer((socket) => {
  let text = '';
  socket.on('data', (data) => { text += data; });
  socket.on('error', (error) => seen.push(error.code));
  socket.on('end', () => { seen.push(`[${text}]`); socket.end('answer'); });
  socket.on('close', () => served());
}).listen(0, '127.0.0.1', next);
function next() {
  const test = tests.shift();
  if (test === undefined) {
    server.close(() => console.log('done'));
    return;
  }
  const [name, act] = test;
  const { port } = server.address();
  const isServed = new Promise((resolve) => { served = resolve; });
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  for (const event of ['connect', 'ready', 'finish', 'end']) socket.on(event, () => console.log(name, event));
  socket.on('data', (data) => { text += data; });
  socket.on('error', (error) => console.log(name, 'error', error.code));
  socket.on('close', async (hadError) => {
    if (!hadError) await isServed;
    console.log(name, 'close', hadError, text, hadError ? '' : seen.splice(0).join());
    next();
  });
  act(socket, port);
}
