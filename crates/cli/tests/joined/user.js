// Asks the service once, and says goodbye by a datagram.
const http = require('node:http');
const udp = require('node:dgram').createSocket('udp4');

setTimeout(() => {
  http.get('http://api/items/7', (answer) => {
    answer.on('data', (piece) => obs(String(piece)));
    answer.on('end', () => udp.send('bye', 9, 'api', () => process.exit()));
  });
}, 100);
