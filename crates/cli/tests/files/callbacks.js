// Calls about a path that get a callback and nothing else, the way they are mostly made: by all kinds of paths, in
// turn, and what comes of them when anything about them is out of the ordinary.
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const { AsyncLocalStorage } = require('async_hooks');

const shown = (text) => text?.replaceAll(process.cwd(), 'CWD');
const told = (error) => error && [error.code, error.errno, error.syscall, shown(error.path), shown(error.message), 'dest' in error];
const show = (value) => (value instanceof fs.Stats ? [value.isFile(), value.isDirectory(), value.size, typeof value.ino, value.mtime instanceof Date] : typeof value === 'string' ? shown(value) : value);

function make(name, ...args) {
  return new Promise((resolve) => {
    function done(error, ...rest) {
      const how = [arguments.length, this === undefined || this === globalThis];
      console.log(JSON.stringify([name, ...args.map((arg) => shown(String(arg))), told(error), rest.map(show), how]));
      resolve();
    }
    try {
      const at = args.indexOf(make);
      if (at === -1) args.push(done);
      else args[at] = done;
      if (fs[name](...args) !== undefined) console.log(name, 'gives something');
    } catch (error) {
      console.log(name, 'throws', JSON.stringify(told(error)));
      resolve();
    } finally {
      args = args.filter((arg) => arg !== done);
    }
  });
}

(async () => {
  fs.writeFileSync('file', 'content');
  const kinds = (name) => [name, path.resolve(name), Buffer.from(path.resolve(name)), pathToFileURL(path.resolve(name)), `${process.cwd()}/./none/../${name}`];
  for (const file of [...kinds('file'), ...kinds('missing'), ...kinds('file/below'), '', '/', '/a\0b', 'a\0b', 7.5, null, undefined, {}]) {
    for (const name of ['access', 'stat', 'lstat', 'rmdir']) if (file !== '/' || name !== 'rmdir') await make(name, file);
  }
  const word = (kind) => (typeof kind === 'string' ? (path.isAbsolute(kind) ? 'root' : 'here') : kind.constructor.name);
  for (const of of ['ä', 'a \u{1f600}']) {
    for (const place of kinds(of)) {
      console.log(word(place));
      await make('mkdir', place);
      await make('mkdir', place);
      await make('rmdir', place);
      await make('writeFile', place, 'text \u00fc \ud800 \u{1f600} end');
      await make('appendFile', place, ' more');
      if (fs.existsSync(of)) console.log(fs.readFileSync(of).toString('hex'), fs.statSync(of).mode.toString(8));
      await make('unlink', place);
      await make('unlink', place);
      await make('appendFile', place, '');
      await make('unlink', place);
    }
  }
  const at = path.resolve('x');
  await make('writeFile', at, '');
  await make('writeFile', at, 7);
  await make('writeFile', at, Buffer.from('bytes'));
  await make('writeFile', at, 'latin \u00fc', 'latin1');
  console.log(fs.readFileSync(at));
  await make('writeFile', at, 'flags', { flag: 'a', mode: 0o600 });
  await make('writeFile', path.resolve('none/x'), 'text');
  await make('writeFile', path.resolve('.'), 'text');
  await make('access', at, fs.constants.W_OK);
  await make('stat', at, { bigint: false });
  await make('access', at, make, 'more');
  await make('stat', at, make, undefined);
  await make('mkdir', path.resolve('deep/er'), { recursive: true });
  for (const name of ['access', 'stat', 'lstat', 'mkdir', 'rmdir', 'unlink', 'writeFile', 'appendFile']) {
    for (const args of [[at], [at, 'text'], [at, undefined, undefined]]) {
      try { fs[name](...args); } catch (error) { console.log(name, args.length, JSON.stringify(told(error))); }
    }
    console.log(name, fs[name].length, fs[name].name);
  }

  // Contexts, and what a callback throws.
  const store = new AsyncLocalStorage();
  await new Promise((resolve) => store.run('within', () => fs.stat(at, () => { console.log(store.getStore()); resolve(); })));
  await new Promise((resolve) => {
    process.once('uncaughtException', (error) => { console.log('uncaught', error.message); resolve(); });
    fs.access(at, () => { throw new Error('thrown'); });
  });

  // What a program has replaced is not used.
  const before = Array.prototype[Symbol.iterator];
  Object.defineProperty(Object.prototype, 'finish', { configurable: true, get() { throw new Error('seen'); } });
  Array.prototype[Symbol.iterator] = () => { throw new Error('seen'); };
  fs.access('/', (error) => {
    Array.prototype[Symbol.iterator] = before;
    delete Object.prototype.finish;
    console.log('replaced', error);
  });
})();
