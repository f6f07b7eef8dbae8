// Sends two versions, the second a while after the first.
const dgram = require('node:dgram');

const socket = dgram.createSocket('udp4');
socket.send('1', 53, 'newest');
setTimeout(() => socket.send('2', 53, 'newest', () => socket.close()), 10);
