// Tells the hub its reading every second, and counts the answers.
const dgram = require('node:dgram');

const [name] = process.argv.slice(2);
const socket = dgram.createSocket('udp4');
let [reading, answers] = [0, 0];
socket.on('message', () => { answers += 1; });
setInterval(() => {
  reading += 1;
  socket.send(`${name} ${reading}`, 9000, 'hub');
  if (reading === 3590) obs(answers);
}, 1000);
