// Keeps the newest version. Who is not careful takes what came last for the newest.
const dgram = require('node:dgram');

const isCareful = process.argv.includes('--careful');
let version = 0;
dgram.createSocket('udp4').on('message', (message) => {
  const given = Number(message);
  if (!isCareful || given > version) version = given;
  obs(version);
}).bind(53);
