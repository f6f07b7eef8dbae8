// Which argument is complained of, what streams do with handles, and what filters and flushes are asked.
const fs = require('fs');
const told = (f) => {
  try {
    f();
    console.log('fine');
  } catch (error) {
    console.log(error.code, error.message);
  }
};
const callback = () => {};

fs.writeFileSync('file', 'hello world');
const fd = fs.openSync('file');
const four = Buffer.alloc(4);
told(() => fs.fchmod(fd, '123x'));
told(() => fs.fchown(fd, 'me'));
told(() => fs.ftruncate(fd, ''));
told(() => fs.chmod({}));
told(() => fs.copyFile('file', 7));
told(() => fs.read(fd, 4, 0, 'utf8', callback));
told(() => fs.read(fd, four, 0, 4, callback, callback));
told(() => fs.read(fd, four, 0, 4, callback));
told(() => fs.read(fd, four, undefined, callback));
told(() => fs.read(fd, four, {}));
told(() => fs.read(fd, 4, callback));
told(() => fs.read(fd, null, callback));
console.log(fs.createReadStream('other', { fd: fs.openSync('file') }).destroy().path);

fs.mkdirSync('from/inner', { recursive: true });
fs.mkdirSync('to');
fs.writeFileSync('to/inner', 'in the way');
told(() => fs.cpSync('from', 'to', { recursive: true, filter: (path) => !path.includes('inner') }));
told(() => fs.cpSync('from', 'to', { recursive: true, filter: async () => true }));

process.stdout.write(`${process.stdout.readable}\n`);

async function handles() {
  const handle = await fs.promises.open('file');
  const read = handle.read;
  let reads = 0;
  handle.read = function(...args) {
    reads++;
    return read.apply(this, args);
  };
  const stream = fs.createReadStream(null, { fd: handle });
  try {
    structuredClone(handle, { transfer: [handle] });
  } catch (error) {
    console.log(error.name, error.message);
  }
  let text = '';
  for await (const chunk of stream) text += chunk;
  console.log(text, reads > 0, handle.fd);

  const other = await fs.promises.open('file');
  const unread = other.createReadStream();
  other.on('close', () => console.log('the handle closes', other.fd > 0, unread.destroyed));
  unread.on('close', () => console.log('the stream is closed', other.fd));
  await other.close();

  const late = (await fs.promises.open('file')).createReadStream({ signal: AbortSignal.abort() });
  await new Promise((resolve) => late.on('error', (error) => console.log(error.name)).on('close', resolve));

  const signal = new Proxy(new AbortController().signal, {});
  console.log(await fs.promises.readFile('file', { encoding: 'utf8', signal }).catch((error) => error.name));
}

// A web stream ends with its file, and into a buffer of the reader's own, too.
async function webStreams() {
  const handle = await fs.promises.open('file');
  const stream = handle.readableWebStream({ type: 'bytes' });
  const reader = stream.getReader({ mode: 'byob' });
  let text = '';
  for (let part; !(part = await reader.read(new Uint8Array(4))).done;) text += Buffer.from(part.value);
  console.log(text);
  await handle.close();
  const closed = await fs.promises.open('file');
  const locked = closed.readableWebStream().getReader();
  try {
    structuredClone(closed, { transfer: [closed] });
  } catch (error) {
    console.log(error.name);
  }
  await closed.close();
  console.log(await locked.closed, (await locked.read()).done);
}

function flushes() {
  const { fsync, fsyncSync } = fs;
  fs.fsyncSync = (fd) => (console.log('flush at once'), fsyncSync(fd));
  fs.fsync = (fd, done) => (console.log('flush'), fsync(fd, done));
  fs.appendFileSync('flushed', 'a', { flush: true });
  return new Promise((resolve) => {
    fs.writeFile('flushed', 'b', { flush: true, flag: 'a' }, (error) => {
      console.log(error, fs.readFileSync('flushed', 'utf8'));
      resolve();
    });
  });
}

async function writes() {
  let count = 0;
  const stream = fs.createWriteStream('written', {
    fs: {
      ...fs,
      write(fd, buffer, ...rest) {
        if (count++ === 0) rest.at(-1)(Object.assign(new Error('busy'), { code: 'EAGAIN' }), 0, buffer);
        else fs.write(fd, buffer, ...rest);
      },
      writev: (...args) => (console.log('several at a time', args[1].length), fs.writev(...args)),
    },
  });
  stream.write('a');
  stream.write('b');
  await new Promise((resolve) => stream.write('c', resolve));
  await new Promise((resolve) => stream.end('d', resolve));
  console.log(count, fs.readFileSync('written', 'utf8'));
}

async function watches() {
  fs.mkdirSync('watched');
  for (const encoding of [1, 'none']) {
    await fs.promises.watch('watched', { encoding }).next().catch((error) => console.log(error.code, error.message));
  }
  const watcher = fs.watch('watched', { recursive: true });
  watcher.on('change', (type, name) => {
    if (name !== 'new') return;
    console.log(type, name);
    watcher.close();
  });
  setTimeout(() => fs.writeFileSync('watched/new', ''), 100);
}

handles().then(webStreams).then(flushes).then(writes).then(watches);
