// Hundreds of calls that a small generator makes up, on a handful of names: what each does, and what is
// there in the end.
const fs = require('fs');
const path = require('path');

let state = Number(process.argv[2] ?? 1);
function draw(count) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % count;
}
const pick = (list) => list[draw(list.length)];

const names = ['a', 'b', 'c', 'd', 'a/b', 'a/c', 'b/a', 'b/d', 'a/b/c', 'd/a/b', 'l', 'l/a', 'm/b', './d'];
const name = () => pick(names);
const open = [];
const fd = () => (open.length > 0 ? pick(open) : 999);

const calls = {
  writeFile: () => fs.writeFileSync(name(), 'x'.repeat(draw(9)), { flag: pick(['w', 'w', 'a', 'wx', 'r+', 'w+']) }),
  readFile: () => fs.readFileSync(name(), 'utf8'),
  mkdir: () => fs.mkdirSync(name()),
  mkdirs: () => fs.mkdirSync(name(), { recursive: true }),
  rmdir: () => fs.rmdirSync(name()),
  unlink: () => fs.unlinkSync(name()),
  rm: () => fs.rmSync(name(), { recursive: draw(2) === 0, force: draw(2) === 0 }),
  rename: () => fs.renameSync(name(), name()),
  link: () => fs.linkSync(name(), name()),
  symlink: () => fs.symlinkSync(pick(['a', 'b', 'l', 'm', './a', 'nowhere', '.', 'a/b']), pick(['l', 'm', 'a/c', 'c', 'b/d'])),
  readlink: () => fs.readlinkSync(name()),
  stat: () => describe(fs.statSync(name())),
  lstat: () => describe(fs.lstatSync(name())),
  readdir: () => fs.readdirSync(name()),
  copyFile: () => fs.copyFileSync(name(), name(), draw(2)),
  chmod: () => fs.chmodSync(name(), 0o700 + draw(64)),
  truncate: () => fs.truncateSync(name(), draw(12)),
  access: () => fs.accessSync(name(), pick([0, 4, 2])),
  exists: () => fs.existsSync(name()),
  realpath: () => relative(fs.realpathSync(name())),
  realpathNative: () => relative(fs.realpathSync.native(name())),
  utimes: () => fs.utimesSync(name(), 1, 2),
  open: () => { open.push(fs.openSync(name(), pick(['r', 'r+', 'w', 'a', 'a+', 'wx', 'w+']))); return open.length; },
  close: () => { const one = fd(); open.splice(open.indexOf(one), open.includes(one) ? 1 : 0); return fs.closeSync(one); },
  read: () => { const bytes = Buffer.alloc(6); return [fs.readSync(fd(), bytes, 0, draw(7), pick([null, 0, 2, 20])), bytes.toString('latin1')]; },
  write: () => fs.writeSync(fd(), 'yz'.repeat(draw(3)), pick([null, 0, 3])),
  ftruncate: () => fs.ftruncateSync(fd(), draw(10)),
  fstat: () => describe(fs.fstatSync(fd())),
};
const kinds = Object.keys(calls);

const relative = (found) => path.relative(process.cwd(), found);
// How large a directory is says nothing.
const describe = (stats) => [stats.mode.toString(8), stats.isDirectory() ? '-' : `${stats.nlink} ${stats.size}`].join(' ');

for (let step = 0; step < 800; step++) {
  const kind = pick(kinds);
  let result;
  try {
    result = calls[kind]();
  } catch (error) {
    result = [error.code, error.syscall, relative(path.resolve(error.path ?? '')), error.dest ?? '', error.message.replaceAll(process.cwd(), 'here')];
  }
  console.log(step, kind, JSON.stringify(result));
}
for (const entry of fs.readdirSync('.', { recursive: true }).sort()) {
  const stats = fs.lstatSync(entry);
  console.log(entry, describe(stats), stats.isFile() ? fs.readFileSync(entry, 'utf8') : '');
}
