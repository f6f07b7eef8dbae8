// Servers and sockets go through a channel, and are served on the other side.
// Rule CHILD-20.
const cp = require('child_process');
const net = require('net');

if (process.argv[2] === 'child') {
  let server;
  process.on('message', (message, handle) => {
    if (message === 'server') {
      server = handle;
      handle.on('connection', (socket) => socket.end(`by the child ${process.argv[3]}`));
      process.send([message, handle instanceof net.Server]);
    } else if (message === 'socket') {
      const isSocket = handle instanceof net.Socket;
      handle.on('close', () => process.send([message, isSocket]));
      handle.on('data', (text) => handle.end(`the child heard ${text} from ${handle.remoteAddress}`));
    } else if (message === 'end') {
      server.close();
      process.disconnect();
    } else {
      process.send([message, handle]);
    }
  });
} else {
  process.nextTick(main);
}

function ask(port, text) {
  return new Promise((resolve) => {
    let said = '';
    const socket = net.connect(port, '127.0.0.1', () => text !== undefined && socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk) => { said += chunk; }).on('close', () => resolve(said));
  });
}
const listening = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
const answer = (child) => new Promise((resolve) => child.once('message', resolve));

async function main() {
  const child = cp.fork(__filename, ['child', 'one']);
  const server = net.createServer();
  const port = await listening(server);
  child.send('server', server, (error) => console.log('sent', error));
  console.log(await answer(child));
  server.close();
  console.log(await ask(port));
  console.log(await ask(port));

  const paused = net.createServer({ pauseOnConnect: true }, (socket) => {
    child.send('before');
    child.send('socket', socket);
    child.send('after');
  });
  const other = await listening(paused);
  const heard = [];
  child.on('message', (message) => heard.push(message));
  console.log(await ask(other, 'hello'));
  while (heard.length < 3) await answer(child);
  console.log(heard.slice(0, 1), heard.length);
  paused.close();
  child.send('nothing', undefined);
  console.log(await answer(child));
  child.send('end');
  console.log(await new Promise((resolve) => child.on('close', (...args) => resolve(args))));
}
