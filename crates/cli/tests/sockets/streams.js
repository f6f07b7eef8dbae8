// Sockets with the helpers of streams.
const net = require('net');
const { pipeline, finished, Transform } = require('stream');
const { once } = require('events');
const server = net.createServer((socket) => {
  const upper = new Transform({ transform(chunk, encoding, callback) { callback(null, chunk.toString().toUpperCase()); } });
  pipeline(socket, upper, socket, (error) => console.log('pipeline', error?.code));
});
(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const client = net.connect(port, '127.0.0.1');
  await once(client, 'connect');
  client.end('iterate me');
  let text = '';
  for await (const chunk of client) text += chunk;
  console.log(text, client.destroyed);
  const second = net.connect(port, '127.0.0.1');
  finished(second, (error) => console.log('finished', error?.code));
  second.end('x');
  second.resume();
  await once(second, 'close');
  const third = net.connect(port, '127.0.0.1');
  const result = require('stream/promises').finished(third).catch((error) => error.code);
  await once(third, 'connect');
  third.destroy();
  console.log('promise', await result);
  const { readable, writable } = net.Socket.toWeb(net.connect(port, '127.0.0.1'));
  const writer = writable.getWriter();
  await writer.write(Buffer.from('web'));
  await writer.close();
  const decoder = new TextDecoder();
  let web = '';
  for await (const chunk of readable) web += decoder.decode(chunk);
  console.log(web);
  await new Promise((resolve) => setTimeout(resolve, 10));
  server.close(() => console.log('closed'));
})();
