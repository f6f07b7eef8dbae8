// A disk that is full: the working directory is one of 256 kB.
const fs = require('fs');
const { pipeline } = require('stream/promises');

const show = (error) => {
  const { name, code, errno, syscall, message } = error;
  return [name, code, errno, syscall, message, ...['path', 'dest'].filter((key) => key in error)].join(' | ');
};
const big = Buffer.alloc(1 << 20, 'x');
const descriptors = () => fs.readdirSync('/proc/self/fd').length;

const attempts = {
  writeFileSync: () => fs.writeFileSync('one', big),
  writeFile: () => new Promise((resolve, reject) => fs.writeFile('one', big, (error) => (error ? reject(error) : resolve()))),
  'promises.writeFile': () => fs.promises.writeFile('one', big),
  appendFileSync: () => fs.appendFileSync('one', big),
  copyFileSync: () => {
    fs.writeFileSync('one', big.subarray(0, 150000));
    fs.copyFileSync('one', 'two');
  },
  'promises.copyFile': () => fs.promises.copyFile('one', 'two'),
  writeSync: () => {
    const fd = fs.openSync('one', 'w');
    try {
      for (;;) fs.writeSync(fd, big);
    } finally {
      fs.closeSync(fd);
    }
  },
  stream: () => new Promise((resolve, reject) => {
    const stream = fs.createWriteStream('one');
    const log = [];
    for (const event of ['open', 'finish', 'close']) stream.on(event, () => log.push(event));
    stream.on('error', (error) => stream.on('close', () => {
      console.log('  ', log.join(), stream.bytesWritten < big.length, stream.destroyed);
      reject(error);
    }));
    stream.end(big, resolve);
  }),
  pipeline: async () => {
    const chunks = function* () {
      for (let time = 0; time < 100; time++) yield big.subarray(0, 10000);
    };
    await pipeline(chunks, fs.createWriteStream('one'));
  },
  FileHandle: async () => {
    const handle = await fs.promises.open('one', 'w');
    try {
      for (;;) await handle.write(big);
    } finally {
      await handle.close();
    }
  },
};

(async () => {
  fs.closeSync(fs.openSync('warm', 'w'));
  const before = descriptors();
  for (const [title, run] of Object.entries(attempts)) {
    if (!title.includes('copyFile')) fs.writeFileSync('one', '');
    try {
      await run();
      console.log(title, 'fits');
    } catch (error) {
      console.log(title, show(error));
    }
    for (const name of ['one', 'two']) if (!(title === 'copyFileSync' && name === 'one')) fs.rmSync(name, { force: true });
  }
  console.log(descriptors() - before);
  fs.writeFileSync('again', 'there is room');
  console.log(fs.readFileSync('again', 'utf8'));
})();
