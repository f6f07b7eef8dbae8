// What is said of arguments and of things that are not there: rmdir with options, truncate of open files, read with
// positions and lengths of all kinds.
const fs = require('fs');
const { inspect } = require('util');
process.removeAllListeners('warning');
process.on('warning', ({ name, code }) => console.log('warning', name, code));
const told = (error) => (error ? `${error.name} ${error.code} ${error.message}` : 'nothing');
const at = (name, act) => {
  try {
    console.log(name, act() ?? '');
  } catch (error) {
    console.log(name, told(error));
  }
};
const later = (name, act) => new Promise((resolve) => {
  try {
    act((error, value) => {
      console.log(name, told(error), value ?? '');
      resolve();
    });
  } catch (error) {
    console.log(name, 'at once', told(error));
    resolve();
  }
});
const promised = (name, promise) => promise.then((value) => console.log(name, value ?? ''), (error) => console.log(name, told(error)));
const tree = () => {
  fs.mkdirSync('tree/a/b', { recursive: true });
  fs.writeFileSync('tree/a/f', 'x');
};

(async () => {
  tree();
  fs.writeFileSync('file', 'hello');
  at('not empty', () => fs.rmdirSync('tree'));
  at('all', () => fs.rmdirSync('tree', { recursive: true }));
  at('gone', () => fs.rmdirSync('tree', { recursive: true }));
  at('a file', () => fs.rmdirSync('file', { recursive: true }));
  tree();
  await later('all', (callback) => fs.rmdir('tree', { recursive: true }, callback));
  await later('gone', (callback) => fs.rmdir('tree', { recursive: true }, callback));
  await later('a file', (callback) => fs.rmdir('file', { recursive: true }, callback));
  tree();
  await promised('all', fs.promises.rmdir('tree', { recursive: true }));
  await promised('gone', fs.promises.rmdir('tree', { recursive: true }));
  for (const options of [{ recursive: 1 }, { maxRetries: -1 }, { retryDelay: -1 }, null, 'x']) {
    at(inspect(options), () => fs.rmdirSync('nothing', options));
  }

  const fd = fs.openSync('file', 'r+');
  at('truncate', () => fs.truncateSync(fd, 4));
  await later('truncate', (callback) => fs.truncate(fd, 3, callback));
  at('left', () => fs.readFileSync('file', 'utf8'));
  for (const length of ['x', 1.5]) {
    at('length', () => fs.truncateSync('file', length));
    at('length', () => fs.truncate('file', length));
  }
  at('less than nothing', () => fs.truncateSync('file', -3));
  fs.writeFileSync('file', '0123456789');
  const buffer = Buffer.alloc(8);
  for (const args of [
    [0, null, 0], [{ length: null }], [null], [2, undefined, 3], [{ offset: 2, position: 1 }], [0, 3, -1], [0, 3, -2], [0, 3, 1.5],
    [0, 3, '1'], [0, 3, 5n], [0, 3, 2n ** 63n], [0, 3, 2n ** 63n - 4n], [0, 3, 2 ** 53], [0, 3, true], [9, 1, 0], [0, 9, 0],
    [0, -1, 0], ['1', 1, 0], [8], [-1], [null, null, null], [],
  ]) {
    const name = inspect(args);
    at(`readSync ${name}`, () => fs.readSync(fd, buffer, ...args));
    await later(`read ${name}`, (callback) => fs.read(fd, buffer, ...args, callback));
    const handle = await fs.promises.open('file');
    await promised(`handle ${name}`, handle.read(buffer, ...args).then(({ bytesRead }) => bytesRead));
    await handle.close();
  }
  fs.closeSync(fd);
})();
