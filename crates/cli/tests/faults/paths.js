// Files that are not what the program takes them for.
const fs = require('fs');
const path = require('path');
const { pipeline, Writable } = require('stream');

const show = (error) => {
  const { name, code, errno, syscall } = error;
  const message = error.message.replaceAll(process.cwd(), '.');
  const told = ['path', 'dest'].filter((key) => key in error).map((key) => `${key}=${error[key].replace(process.cwd(), '.').slice(0, 40)}`);
  return [name, code, errno, syscall, message.slice(0, 120), ...told].join(' | ');
};

const attempts = [];
const attempt = (title, ...forms) => attempts.push([title, forms]);
// The three forms of a call.
const call = (name, ...args) => attempt(
  `${name} ${args.map((arg) => (typeof arg === 'number' ? 'number' : String(arg).slice(0, 30))).join(' ')}`,
  () => fs[`${name}Sync`](...args),
  () => new Promise((resolve, reject) => fs[name](...args, (error, value) => (error ? reject(error) : resolve(value)))),
  () => fs.promises[name]?.(...args),
);
const drain = (stream) => new Promise((resolve, reject) => {
  stream.on('error', reject).on('close', resolve).resume?.();
  if (stream instanceof Writable) stream.end('some bytes');
});

fs.mkdirSync('dir/full', { recursive: true });
fs.writeFileSync('dir/full/file', 'x');
fs.writeFileSync('file', 'content');
fs.symlinkSync('loop', 'loop');
fs.symlinkSync('pong', 'ping');
fs.symlinkSync('ping', 'pong');
fs.symlinkSync('nowhere', 'dangling');
const long = 'n'.repeat(256);
const deep = 'd/'.repeat(2100);

for (const name of ['readFile', 'readdir', 'stat', 'lstat', 'readlink', 'realpath', 'open', 'access', 'unlink', 'rmdir', 'opendir', 'truncate']) {
  for (const target of ['none', 'none/below', 'file/below', 'file/', 'loop', 'ping/below', 'dangling', long, deep, 'dir', 'dir/full', '']) {
    // What would change something is tried where it fails.
    const harmful = name === 'unlink' && ['loop', 'dangling'].includes(target) || name === 'truncate' && target === 'file';
    if (!harmful) call(name, target);
  }
}
for (const target of ['dir', 'none/below', 'file/below', 'loop', long, 'dir/']) {
  call('writeFile', target, 'data');
  call('appendFile', target, 'data');
  call('mkdir', target);
  call('copyFile', 'file', target);
  call('copyFile', target, 'copy');
  if (target !== long) call('rename', target === 'dir' ? 'none' : target, 'renamed/below');
  call('link', target, 'linked/below');
  call('symlink', 'anything', target);
  call('chmod', target === 'dir' || target === 'dir/' ? 'none' : target, 0o700);
  call('utimes', target === 'dir' || target === 'dir/' ? 'none' : target, 1, 1);
  call('rm', target);
  call('mkdtemp', `${target}/x`);
}
call('rename', 'dir', 'dir/full/inside');
call('rename', 'dir/full', 'file');
call('rename', 'file', 'dir/full');
call('rename', 'dir/full', 'dir');
call('writeFile', 'file', 'x', { flag: 'wx' });
call('copyFile', 'file', 'dir/full/file', fs.constants.COPYFILE_EXCL);
call('mkdir', 'file/below', { recursive: true });
call('mkdir', 'file', { recursive: true });
call('rmdir', 'dir');
call('readlink', 'file');

for (const target of ['none', 'dir', 'loop', 'file/below', long]) {
  attempt(`read stream ${target.slice(0, 20)}`, () => drain(fs.createReadStream(target)));
  attempt(`write stream ${target.slice(0, 20)}`, () => (target === 'none' ? undefined : drain(fs.createWriteStream(target))));
}
attempt('pipeline', () => new Promise((resolve, reject) => {
  pipeline(fs.createReadStream('none'), fs.createWriteStream('target'), (error) => (error ? reject(error) : resolve()));
}));

// Descriptors that are not open, or not for that.
const closed = 999;
for (const name of ['close', 'fstat', 'fsync', 'ftruncate']) call(name, closed);
attempt('readFile', () => fs.readFileSync(closed));
attempt('read', () => fs.readSync(closed, Buffer.alloc(1)));
attempt('write', () => fs.writeSync(closed, 'x'));
const reading = fs.openSync('file');
attempt('write to one that reads', () => fs.writeSync(reading, 'x'), () => fs.ftruncateSync(reading, 1));
const writing = fs.openSync('written', 'w');
attempt('read from one that writes', () => fs.readSync(writing, Buffer.alloc(1)), () => fs.readFileSync(writing));
const directory = fs.openSync('dir');
attempt('read from a directory', () => fs.readSync(directory, Buffer.alloc(1)), () => fs.readFileSync(directory));

// A file that goes between looking and opening.
attempt('gone after stat', async () => {
  fs.writeFileSync('brief', 'x');
  await fs.promises.stat('brief');
  fs.unlinkSync('brief');
  return fs.promises.readFile('brief');
}, () => {
  fs.writeFileSync('brief', 'x');
  const stream = fs.createReadStream('brief');
  fs.unlinkSync('brief');
  return drain(stream);
});
attempt('gone after open', async () => {
  fs.writeFileSync('brief', 'still there');
  const handle = await fs.promises.open('brief');
  fs.unlinkSync('brief');
  const text = await handle.readFile('utf8');
  await handle.close();
  return text;
});

(async () => {
  for (const [title, forms] of attempts) {
    const results = [];
    for (const form of forms) {
      try {
        const value = await form();
        if (typeof value === 'number') fs.closeSync(value);
        if (value?.close) await value.close();
        results.push(`fine ${typeof value === 'string' ? value.replace(process.cwd(), '.').replace(/x\w{6}$/, 'x??????') : typeof value}`);
      } catch (error) {
        results.push(show(error).replace(/x\w{6}\b/g, 'x??????'));
      }
    }
    console.log(title);
    for (const result of new Set(results)) console.log(`  ${result}`);
  }
  console.log(fs.readdirSync('.').length, fs.readFileSync('file', 'utf8'), path.sep);
})();
