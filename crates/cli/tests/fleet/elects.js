// The first of three who is heard leads. A careful one leads only with a majority, later than another would have
// noticed that it has none.
const dgram = require('node:dgram');
const os = require('node:os');

const isCareful = process.argv.includes('--careful');
const [all, own, heard] = [['one', 'two', 'three'], os.hostname(), new Map()];
let since;
const socket = dgram.createSocket('udp4').bind(7000);
socket.on('message', (name) => heard.set(String(name), performance.now()));
setInterval(() => {
  const now = performance.now();
  const hears = (name, within) => name === own || now - (heard.get(name) ?? 0) < within;
  for (const name of all) if (name !== own) socket.send(own, 7000, name);
  const isFirst = all.find((name) => hears(name, isCareful ? 2000 : 1000)) === own;
  const isMost = all.filter((name) => hears(name, 1000)).length > 1;
  since = isFirst && (isMost || !isCareful) ? since ?? now : undefined;
  if (since !== undefined && now - since >= (isCareful ? 1000 : 0)) obs('leads');
}, 100);
