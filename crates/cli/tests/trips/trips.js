// How often file operations pass the poll phase (rule LOOP-7): with a callback, and for a promise.
//
// An operation is begun in a callback of the poll phase. From there on immediates count the turns; in each
// the program stands still for a while, so that whatever can be done by the next turn is done. The least of
// several counts stands: a slow disk takes more turns, and none takes fewer. What is expected need not be
// counted again, nor what comes out the same twelve times; without the table of what is expected, everything is. So
// Node makes that table:
//
//     rm trips.out && node trips.js > trips.new && mv trips.new trips.out
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'trips-'));
const at = (name) => path.join(root, name);
const memory = new Int32Array(new SharedArrayBuffer(4));
const standStill = () => Atomics.wait(memory, 0, 0, 3);

// Pieces of a whole file are of 512 KiB.
const PIECE = 512 * 1024;
const sizes = { empty: 0, small: 5, piece: PIECE, more: PIECE + 1, large: 3 * PIECE };

function makeFiles() {
  fs.rmSync(root, { recursive: true, force: true });
  fs.mkdirSync(at('tree/inner/deep'), { recursive: true });
  fs.mkdirSync(at('bare'));
  for (const [name, size] of Object.entries(sizes)) fs.writeFileSync(at(name), Buffer.alloc(size, 'a'));
  for (const name of ['tree/1', 'tree/inner/2', 'tree/inner/deep/3']) fs.writeFileSync(at(name), 'x');
  fs.symlinkSync('small', at('link'));
}

// How many turns it takes, and the code of its error.
function count(begin) {
  return new Promise((resolve) => {
    fs.stat(root, () => {
      let turns = 0;
      let done = false;
      const go = () => {
        if (done) return;
        turns++;
        standStill();
        setImmediate(go);
      };
      setImmediate(go);
      const end = (error) => {
        done = true;
        resolve(error ? `${turns} ${error.code}` : `${turns}`);
      };
      try {
        begin(end)?.then(() => end(), end);
      } catch (error) {
        end(error);
      }
    });
  });
}

async function least(begin, expected) {
  if (begin === undefined) return '-';
  let found;
  let last;
  let same = 0;
  for (let tries = 0; tries < 50 && same < 12 && (tries === 0 || found !== expected); tries++) {
    makeFiles();
    let opened;
    const turns = await count(await begin((fd) => { opened = fd; }));
    if (typeof opened === 'number') {
      try {
        fs.closeSync(opened);
      } catch {}
    } else {
      await opened?.close().catch(() => {});
    }
    same = turns === last ? same + 1 : 1;
    last = turns;
    if (found === undefined || parseInt(turns, 10) < parseInt(found, 10)) found = turns;
  }
  return found;
}

const rows = [];
const inRoot = (argument) => (typeof argument === 'string' && argument.startsWith('@') ? at(argument.slice(1)) : argument);

/// A function of both forms. What begins with @ is a path.
function both(name, ...given) {
  const words = given.map((one) => {
    if (Buffer.isBuffer(one)) return `${one.length} bytes`;
    if (typeof one === 'object') return Object.keys(one).filter((key) => one[key]).join('+');
    return one === '' ? 'nothing' : String(one).replace('@', '');
  });
  const args = () => given.map(inRoot);
  const promise = fs.promises[name] && (() => () => fs.promises[name](...args()));
  rows.push([[name, ...words].join(' '), () => (end) => { fs[name](...args(), end); }, promise]);
}

/// What is done with an open file: by its number with a callback, by its handle for a promise.
function open(name, file, flags, withFd, withHandle) {
  rows.push([
    `${name} of an open file`,
    withFd && ((keep) => (end) => {
      const fd = fs.openSync(at(file), flags);
      keep(fd);
      withFd(fd, end);
    }),
    withHandle && (async (keep) => {
      const handle = await fs.promises.open(at(file), flags);
      keep(handle);
      return () => withHandle(handle);
    }),
  ]);
}

const one = (name, callback, promise) => rows.push([name, callback && (() => callback), promise && (() => promise)]);

for (const name of [...Object.keys(sizes), 'absent', 'bare', 'link']) both('readFile', `@${name}`);
both('readFile', '@small', 'utf8');
for (const name of ['new', 'small', 'absent/new', 'bare']) both('writeFile', `@${name}`, 'text');
for (const size of Object.values(sizes)) both('writeFile', '@new', Buffer.alloc(size));
both('writeFile', '@new', 'text', { flush: true });
both('writeFile', '@new', '', { flush: true });
for (const name of ['new', 'small', 'absent/new']) both('appendFile', `@${name}`, 'text');
both('appendFile', '@small', '');
both('appendFile', '@small', 'text', { flush: true });
for (const name of ['small', 'absent', 'bare']) both('truncate', `@${name}`, 2);
for (const name of ['small', 'absent', 'bare']) both('rm', `@${name}`);
for (const name of ['small', 'absent', 'bare']) both('rm', `@${name}`, { force: true });
for (const options of [{ recursive: true }, { recursive: true, force: true }]) {
  for (const name of ['small', 'absent', 'bare', 'tree/inner/deep', 'tree/inner', 'tree']) both('rm', `@${name}`, options);
}
both('mkdtemp', '@new-');
both('mkdtemp', '@absent/new-');
for (const name of ['new', 'bare', 'absent/new']) both('mkdir', `@${name}`);
for (const name of ['new', 'new/and/more', 'bare', 'small/new']) both('mkdir', `@${name}`, { recursive: true });
for (const name of ['tree', 'bare', 'absent', 'small']) both('readdir', `@${name}`);
both('readdir', '@tree', { withFileTypes: true });
for (const name of ['tree', 'bare', 'absent']) both('readdir', `@${name}`, { recursive: true });
both('readdir', '@tree', { recursive: true, withFileTypes: true });
for (const names of [['small', 'new'], ['large', 'new'], ['absent', 'new'], ['small', 'bare']]) {
  both('copyFile', ...names.map((name) => `@${name}`));
}
for (const names of [['small', 'new'], ['small', 'empty'], ['small', 'new/and/more'], ['absent', 'new'], ['link', 'new'], ['bare', 'new']]) {
  both('cp', ...names.map((name) => `@${name}`));
}
both('cp', '@small', '@empty', { force: false, errorOnExist: true });
both('cp', '@small', '@empty', { preserveTimestamps: true });
for (const names of [['bare', 'new'], ['tree', 'new'], ['tree', 'bare'], ['tree/inner', 'new'], ['tree/inner/deep', 'new']]) {
  both('cp', ...names.map((name) => `@${name}`), { recursive: true });
}
for (const name of ['small', 'absent']) {
  for (const [call, ...more] of [
    ['access'], ['stat'], ['lstat'], ['statfs'], ['unlink'], ['chmod', 0o644], ['chown', -1, -1],
    ['lchown', -1, -1], ['utimes', 1, 2], ['lutimes', 1, 2], ['rename', '@new'], ['link', '@new'],
  ]) both(call, `@${name}`, ...more);
  one(`exists ${name}`, (end) => { fs.exists(at(name), () => end()); });
  one(`realpath.native ${name}`, (end) => { fs.realpath.native(at(name), end); });
}
for (const name of ['small', 'absent', 'link', 'tree/inner/deep/3']) both('realpath', `@${name}`);
for (const name of ['link', 'absent', 'small']) both('readlink', `@${name}`);
for (const name of ['new', 'small']) both('symlink', 'target', `@${name}`);
for (const name of ['bare', 'tree', 'absent']) both('rmdir', `@${name}`);
one('open small', (end) => {
  fs.open(at('small'), (error, fd) => { fs.closeSync(fd); end(error); });
}, () => fs.promises.open(at('small')).then((handle) => { handle.close(); }));
for (const name of ['absent', 'absent/new']) both('open', `@${name}`);

for (const name of Object.keys(sizes)) {
  open(`readFile ${name}`, name, 'r', (fd, end) => fs.readFile(fd, end), (handle) => handle.readFile());
  const bytes = Buffer.alloc(sizes[name]);
  open(`writeFile ${name}`, 'new', 'w', (fd, end) => fs.writeFile(fd, bytes, end), (handle) => handle.writeFile(bytes));
  open(`appendFile ${name}`, 'new', 'a', (fd, end) => fs.appendFile(fd, bytes, end), (handle) => handle.appendFile(bytes));
}
open('promises.readFile', 'small', 'r', undefined, (handle) => fs.promises.readFile(handle));
open('promises.writeFile', 'new', 'w', undefined, (handle) => fs.promises.writeFile(handle, 'text'));
open('writeFile flush', 'new', 'w', (fd, end) => fs.writeFile(fd, 'x', { flush: true }, end), (handle) => handle.writeFile('x', { flush: true }));
open('read', 'small', 'r', (fd, end) => fs.read(fd, Buffer.alloc(5), end), (handle) => handle.read(Buffer.alloc(5)));
open('read nothing', 'small', 'r', (fd, end) => fs.read(fd, Buffer.alloc(5), 0, 0, 0, end), (handle) => handle.read(Buffer.alloc(5), 0, 0, 0));
open('readv', 'small', 'r', (fd, end) => fs.readv(fd, [Buffer.alloc(2), Buffer.alloc(2)], end), (handle) => handle.readv([Buffer.alloc(2)]));
open('write', 'new', 'w', (fd, end) => fs.write(fd, Buffer.alloc(5), end), (handle) => handle.write(Buffer.alloc(5)));
open('write text', 'new', 'w', (fd, end) => fs.write(fd, 'text', end), (handle) => handle.write('text'));
open('write nothing', 'new', 'w', (fd, end) => fs.write(fd, Buffer.alloc(0), end), (handle) => handle.write(Buffer.alloc(0)));
open('writev', 'new', 'w', (fd, end) => fs.writev(fd, [Buffer.alloc(2), Buffer.alloc(2)], end), (handle) => handle.writev([Buffer.alloc(2)]));
open('writev nothing', 'new', 'w', (fd, end) => fs.writev(fd, [], end), (handle) => handle.writev([]));
open('stat', 'small', 'r', (fd, end) => fs.fstat(fd, end), (handle) => handle.stat());
open('truncate', 'small', 'r+', (fd, end) => fs.ftruncate(fd, 2, end), (handle) => handle.truncate(2));
open('sync', 'small', 'r+', (fd, end) => fs.fsync(fd, end), (handle) => handle.sync());
open('datasync', 'small', 'r+', (fd, end) => fs.fdatasync(fd, end), (handle) => handle.datasync());
open('chmod', 'small', 'r+', (fd, end) => fs.fchmod(fd, 0o644, end), (handle) => handle.chmod(0o644));
open('utimes', 'small', 'r+', (fd, end) => fs.futimes(fd, 1, 2, end), (handle) => handle.utimes(1, 2));
open('close', 'small', 'r', (fd, end) => fs.close(fd, end), (handle) => handle.close());

const closing = (work) => async () => {
  const directory = fs.opendirSync(at('tree'));
  await work(directory);
  directory.close();
};
one('opendir tree', (end) => {
  fs.opendir(at('tree'), (error, directory) => { directory.close(() => {}); end(error); });
}, () => fs.promises.opendir(at('tree')).then((directory) => { directory.close(); }));
one('opendir absent', (end) => { fs.opendir(at('absent'), end); }, () => fs.promises.opendir(at('absent')));
one('Dir.read', (end) => {
  const directory = fs.opendirSync(at('tree'));
  directory.read((error) => { directory.close(() => {}); end(error); });
}, closing((directory) => directory.read()));
one('Dir.read until the end', (end) => {
  const directory = fs.opendirSync(at('tree'));
  const next = (error, entry) => {
    if (entry) return directory.read(next);
    directory.close(() => {});
    end(error);
  };
  directory.read(next);
}, closing(async (directory) => { while (await directory.read()); }));
one('Dir.close', (end) => { fs.opendirSync(at('tree')).close(end); }, () => fs.opendirSync(at('tree')).close());
one('for await of a directory', undefined, async () => {
  for await (const entry of await fs.promises.opendir(at('tree'))) void entry;
});
one('for await of 40 entries', undefined, async () => {
  for (let number = 0; number < 40; number++) fs.writeFileSync(at(`bare/${number}`), '');
  for await (const entry of await fs.promises.opendir(at('bare'))) void entry;
});

for (const name of ['empty', 'small', 'more', 'absent']) {
  for (const event of name === 'absent' ? ['close'] : ['ready', 'end', 'close']) {
    one(`createReadStream ${name} ${event}`, (end) => {
      fs.createReadStream(at(name)).on(event, () => end()).on('error', () => {}).resume();
    });
  }
}
for (const event of ['ready', 'finish', 'close']) {
  one(`createWriteStream twice ${event}`, (end) => {
    const stream = fs.createWriteStream(at('new')).on(event, () => end());
    stream.write('one');
    stream.end('two');
  });
  one(`createWriteStream nothing ${event}`, (end) => { fs.createWriteStream(at('new')).on(event, () => end()).end(); });
}

const table = __filename.replace(/js$/, 'out');
const expected = new Map(fs.existsSync(table)
  ? fs.readFileSync(table, 'utf8').split('\n').map((line) => line.split(/: (?=[^:]*$)/))
  : []);
(async () => {
  for (const [name, callback, promise] of rows) {
    const [first, second] = expected.get(name)?.split(' / ') ?? [];
    console.log(`${name}: ${await least(callback, first)} / ${await least(promise, second)}`);
  }
  fs.rmSync(root, { recursive: true, force: true });
})();
