// More files than may be open at a time.
const fs = require('fs');

const show = (error) => {
  const { name, code, errno, syscall, message } = error;
  return [name, code, errno, syscall, message, ...['path', 'dest'].filter((key) => key in error)].join(' | ');
};

fs.writeFileSync('file', 'content');
fs.mkdirSync('dir');
// What is loaded when it is first used is loaded before.
const attempts = {
  openSync: () => fs.openSync('file'),
  open: () => new Promise((resolve, reject) => fs.open('file', (error, fd) => (error ? reject(error) : resolve(fd)))),
  'promises.open': () => fs.promises.open('file'),
  readFileSync: () => fs.readFileSync('file', 'utf8'),
  readFile: () => new Promise((resolve, reject) => fs.readFile('file', 'utf8', (error, data) => (error ? reject(error) : resolve(data)))),
  'promises.readFile': () => fs.promises.readFile('file', 'utf8'),
  writeFileSync: () => fs.writeFileSync('other', 'x'),
  readdirSync: () => fs.readdirSync('dir').length,
  'promises.readdir': async () => (await fs.promises.readdir('dir')).length,
  copyFileSync: () => fs.copyFileSync('file', 'copy'),
  statSync: () => fs.statSync('file').size,
  readStream: () => new Promise((resolve, reject) => fs.createReadStream('file').on('error', reject).on('close', resolve).resume()),
  writeStream: () => new Promise((resolve, reject) => fs.createWriteStream('other').on('error', reject).on('close', resolve).end('x')),
};

async function round(title) {
  console.log(title);
  for (const [name, run] of Object.entries(attempts)) {
    try {
      const value = await run();
      if (name.includes('open') && typeof value === 'number') fs.closeSync(value);
      else if (value?.close) await value.close();
      console.log('  ', name, 'fine', typeof value === 'object' || name.includes('open') ? '' : value);
    } catch (error) {
      console.log('  ', name, show(error));
    }
  }
}

(async () => {
  await round('first');
  const open = [];
  for (;;) {
    try {
      open.push(fs.openSync('file'));
    } catch (error) {
      console.log(show(error));
      break;
    }
  }
  await round('all in use');
  for (const fd of open) fs.closeSync(fd);
  await round('again');
})();
