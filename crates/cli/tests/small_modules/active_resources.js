// What keeps a program alive, by Node's names. Streams of the process are left out: what they are is not the program's.
'use strict';

const dgram = require('dgram');
const fs = require('fs');
const net = require('net');
const { MessageChannel } = require('worker_threads');

const count = (name) => process.getActiveResourcesInfo().filter((one) => one === name).length;
const show = (what, ...names) => console.log(what, ...names.map((name) => `${name}: ${count(name)}`));

const timer = setTimeout(() => {
  show('in a timeout', 'Timeout');
  timer.unref();
  show('not referenced', 'Timeout');
  timer.ref();
  clearTimeout(timer);
  show('cleared', 'Timeout');
  const interval = setInterval(() => {
    show('in an interval', 'Timeout');
    clearInterval(interval);
    show('cleared', 'Timeout');
    immediates();
  }, 1);
}, 1);
show('a timeout', 'Timeout');

function immediates() {
  setImmediate(() => show('in the first', 'Immediate'));
  setImmediate(() => {
    show('in the second', 'Immediate');
    files();
  });
  const cleared = setImmediate(() => {});
  const loose = setImmediate(() => {});
  loose.unref();
  show('immediates', 'Immediate');
  clearImmediate(cleared);
  show('one less', 'Immediate');
}

function files() {
  for (let i = 0; i < 12; i += 1) fs.open(__filename, 'r', (error, fd) => { fs.closeSync(fd); });
  show('files', 'FSReqCallback');
  console.log(process._getActiveRequests().length, process._getActiveRequests()[0].constructor.name);
  fs.promises.stat(__filename).then(() => setTimeout(sockets, 10));
  show('a promise', 'FSReqPromise');
}

function sockets() {
  const accepted = [];
  const server = net.createServer((socket) => {
    accepted.push(socket);
    if (accepted.length === 2 && clients === 2) connected();
  });
  let clients = 0;
  server.listen(0, '127.0.0.1', () => {
    show('a server', 'TCPServerWrap');
    server.unref();
    show('not referenced', 'TCPServerWrap');
    server.ref();
    for (let i = 0; i < 2; i += 1) {
      const client = net.connect(server.address().port, '127.0.0.1', () => {
        clients += 1;
        if (accepted.length === 2 && clients === 2) connected();
      });
      all.push(client);
    }
    show('connecting', 'TCPSocketWrap');
  });
  const all = [];
  function connected() {
    show('connected', 'TCPSocketWrap', 'TCPServerWrap');
    const handles = process._getActiveHandles();
    console.log([server, ...all, ...accepted].every((one) => handles.includes(one)));
    for (const socket of [...all, ...accepted]) socket.destroy();
    server.close(() => setTimeout(() => {
      show('closed', 'TCPSocketWrap', 'TCPServerWrap');
      others();
    }, 20));
  }
}

function others() {
  const socket = dgram.createSocket('udp4');
  show('datagrams', 'UDPWrap');
  socket.unref();
  show('not referenced', 'UDPWrap');
  socket.close();
  const watcher = fs.watch(__dirname);
  show('a watcher', 'FSEventWrap');
  console.log(process._getActiveHandles().includes(watcher));
  watcher.close();
  const { port1 } = new MessageChannel();
  show('a port', 'MessagePort');
  port1.on('message', () => {});
  show('one that listens', 'MessagePort');
  port1.unref();
  show('not referenced', 'MessagePort');
  port1.close();
}
