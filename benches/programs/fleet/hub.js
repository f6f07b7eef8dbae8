// Keeps the last reading of every station, and answers with how many it has seen.
const dgram = require('node:dgram');

const last = new Map();
let count = 0;
const socket = dgram.createSocket('udp4').on('message', (message, { address, port }) => {
  const [name, reading] = String(message).split(' ');
  last.set(name, Number(reading));
  count += 1;
  socket.send(String(count), port, address);
}).bind(9000);
