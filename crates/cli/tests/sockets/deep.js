// A local socket goes by a path from where the program is by then, however deep that is: the path from the root may be
// longer than the system takes.
'use strict';
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'deep-'));
const deep = path.join(root, 'a'.repeat(60), 'b'.repeat(60));
fs.mkdirSync(deep, { recursive: true });

const listening = (name) => new Promise((resolve, reject) => {
  const server = net.createServer((socket) => socket.end(`at ${name}`)).on('error', reject);
  server.listen(name, () => resolve(server));
});

async function ask(name, from = '.', way = name) {
  const server = await listening(name);
  console.log('listens at', server.address());
  const here = process.cwd();
  process.chdir(from);
  for await (const bytes of net.connect(way)) console.log(`${bytes}`);
  process.chdir(here);
  await new Promise((resolve) => server.close(resolve));
  console.log('left behind:', fs.readdirSync(deep));
}

(async () => {
  process.chdir(deep);
  await ask('door');
  await ask('./door', '.', 'door');
  await ask('door', '..', `${path.basename(deep)}/door`);
  process.chdir('..');
  await ask(`${path.basename(deep)}/door`, deep, 'door');
  await new Promise((resolve) => {
    net.connect('nowhere').on('error', ({ code, address }) => resolve(console.log(code, address)));
  });
  await new Promise((resolve) => {
    net.createServer().on('error', ({ code, address }) => resolve(console.log(code, address))).listen('nowhere/door');
  });
  process.chdir('/');
  fs.rmSync(root, { recursive: true });
})();
