// Sockets between workers of one run.
const net = require('net');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
if (isMainThread) {
  const server = net.createServer((socket) => {
    socket.setEncoding('utf8');
    let text = '';
    socket.on('data', (data) => { text += data; });
    socket.on('end', () => { console.log('main got', text.length, text.slice(0, 12)); socket.end('from main'); });
  });
  server.listen(0, '127.0.0.1', () => {
    const worker = new Worker(__filename, { workerData: server.address().port });
    worker.on('message', (message) => {
      console.log('message', message.text ?? typeof message.port);
      if (message.port === undefined) return;
      // And the other way round: the worker listens.
      const client = net.connect(message.port, '127.0.0.1');
      client.on('data', (data) => console.log(data.toString()));
      client.on('error', (error) => console.log(error.code));
      client.on('close', (hadError) => {
        console.log('close', hadError);
        server.close();
        // With the worker its sockets have gone.
        worker.once('exit', () => {
          net.connect(message.port, '127.0.0.1').on('error', (error) => console.log(error.code));
        });
        worker.terminate();
      });
    });
  });
} else {
  const client = net.connect(workerData, '127.0.0.1');
  client.write('hello worker');
  client.end('x'.repeat(500_000));
  let text = '';
  client.on('data', (data) => { text += data; });
  client.on('close', () => {
    parentPort.postMessage({ text });
    const server = net.createServer((socket) => socket.end('from the worker'));
    server.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: server.address().port }));
  });
}
