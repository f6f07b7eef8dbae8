// Tries to get out, with a seed: `attack.js SEED TRIES RACES`. What it may: read and write `inside`, read
// `readable`, write `writable`. `outside` is none of its business, and so is the content of `writable`. Every try
// is a few calls on names that lead all over the place. Tells, as JSON in its last line, what it did and what it saw
// that it should not have.
'use strict';
const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');
const [seed, tries, races] = process.argv.slice(2).map(Number);

// A small generator of numbers, the same everywhere.
let state = seed >>> 0;
function draw(count) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 4294967296) * count);
}
const pick = (list) => list[draw(list.length)];

const root = path.resolve('.');
const counts = { tries: 0, races: 0, calls: 0, refused: 0, failed: 0, done: 0 };
const escapes = new Set();
let current = [];

// Secrets are known by their content, their size and their names.
function look(value, depth = 2) {
  if (value === null || value === undefined) return;
  const escaped = (what) => escapes.add(`${current.join('; ')} saw ${what}`);
  if (typeof value === 'string') {
    if (value.includes('SECRET') || value.includes('hidden-name')) escaped(value.slice(0, 80));
  } else if (value instanceof Uint8Array) {
    if (Buffer.from(value).includes('SECRET')) escaped('bytes');
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    if (`${value}` === '31337') escaped('a size');
  } else if (typeof value === 'object' && depth > 0 && !(value instanceof Error)) {
    for (const key of Object.keys(value).slice(0, 40)) look(value[key], depth - 1);
  }
}

const folders = ['inside', 'inside', 'inside', 'inside', 'inside', 'inside/deep', 'inside/way', 'readable', 'readable', 'writable', 'writable', 'outside', 'outside/deep', '.', '..', '/proc/self/cwd', '/proc/self/root', '/dev/fd', '/proc/self/fd'];
const names = ['file', 'deep', 'link', 'up', 'loop', 'way', 'new', 'secret', '..', '.', '../outside', '../../outside/file', 'link/file', 'link/deep', 'way/file', 'up/outside/file', '5', '9'];
const ends = ['', '', '', '', '/', '/.', '//', '/..', '/../file', '/./'];

function name() {
  let text = pick(folders);
  for (let count = draw(3); count >= 0; count--) text += `/${pick(names)}`;
  text += pick(ends);
  // Where it is depends on where it has gone: it may not come back to where it began.
  if (draw(4) > 0 && !text.startsWith('/')) text = `${root}/${text}`;
  if (draw(6) === 0) text = text.replaceAll('/', '//');
  switch (draw(12)) {
    case 0: return Buffer.from(text);
    case 1: try { return new URL(`file://${path.resolve(text)}${text.endsWith('/') ? '/' : ''}`); } catch { return text; }
    default: return text;
  }
}

const flags = ['r', 'r+', 'w', 'a', 'wx', 'a+', 'rs+', fs.constants.O_RDONLY | fs.constants.O_CREAT, fs.constants.O_RDONLY | fs.constants.O_TRUNC,
  fs.constants.O_PATH ?? 0o10000000, fs.constants.O_DIRECTORY, fs.constants.O_NOFOLLOW, fs.constants.O_WRONLY | fs.constants.O_EXCL, 3];
const open = [];
const fd = () => (open.length > 0 && draw(4) > 0 ? pick(open) : draw(24));
const opened = (number) => { if (open.length < 8) open.push(number); else fs.closeSync(number); };

// What can be done with a path, two paths, and a descriptor.
const one = {
  readFile: [{ encoding: 'utf8' }], stat: [], lstat: [], statfs: [], readdir: [{ recursive: true }], opendir: [], access: [], readlink: [], realpath: [],
  mkdir: [{ recursive: true }], rmdir: [], unlink: [], rm: [{ recursive: true, force: true }], truncate: [1], chmod: [0o777], chown: [12, 12], lchown: [12, 12],
  utimes: [12, 12], lutimes: [12, 12], writeFile: ['x'], appendFile: ['x'], mkdtemp: [], exists: [],
};
const two = ['rename', 'link', 'symlink', 'copyFile', 'cp'];
const by = { fstat: [], fchmod: [0o777], fchown: [12, 12], futimes: [12, 12], ftruncate: [1], read: [Buffer.alloc(64), 0, 64, 0], write: ['x'], fsync: [], close: [] };
const others = {
  open: (at) => opened(fs.openSync(at, pick(flags), 0o600)),
  handle: async (at) => { const file = await fs.promises.open(at, pick(flags)); try { await file.chmod(0o777); return await file.readFile('utf8'); } finally { await file.close(); } },
  stream: (at) => new Promise((resolve, reject) => { let text = ''; fs.createReadStream(at, 'utf8').on('data', (part) => { text += part; }).on('error', reject).on('close', () => resolve(text)); }),
  pour: (at) => new Promise((resolve, reject) => fs.createWriteStream(at).on('error', reject).on('close', resolve).end('x')),
  watch: (at) => fs.watch(at).close(),
  resolve: (at) => require.resolve(String(at)),
  require: (at) => require(String(at)),
  from: (at) => createRequire(path.join(root, 'outside/x.js')).resolve(`./${at}`),
  import: (at) => import(String(at)),
  chdir: (at) => { process.chdir(String(at)); return process.cwd(); },
  env: (at) => process.loadEnvFile(String(at)),
  dir: async (at) => { const all = []; for await (const entry of await fs.promises.opendir(at, { recursive: true })) all.push(entry.name); return all; },
};

/// Something to do: its name, and a function that does it.
function step() {
  const way = pick(['Sync', 'Sync', 'callback', 'promises']);
  const what = draw(10);
  if (what < 5) return shaped(pick(Object.keys(one)), [name()], way, one);
  if (what < 7) return shaped(pick(two), [name(), name()], way, {});
  if (what < 8) return shaped(pick(Object.keys(by)), [fd()], way === 'promises' ? 'Sync' : way, by);
  const [kind, at] = [pick(Object.keys(others)), name()];
  return [`${kind} ${at}`, () => others[kind](at)];
}

function shaped(kind, targets, way, more) {
  const args = [...targets, ...(more[kind] ?? (kind === 'cp' ? [{ recursive: true, dereference: draw(2) === 0 }] : []))];
  const title = `${kind}(${targets.join(', ')})`;
  if (way === 'promises' && typeof fs.promises[kind] === 'function') return [title, () => fs.promises[kind](...args)];
  if (way === 'callback' && typeof fs[kind] === 'function') {
    return [title, () => new Promise((resolve, reject) => fs[kind](...args, (error, value) => (error && error !== true ? reject(error) : resolve(value))))];
  }
  return [title, () => fs[`${kind}Sync`](...args)];
}

const denied = (error) => error?.code === 'ERR_ACCESS_DENIED';
async function act([title, perform]) {
  current.push(title);
  counts.calls++;
  try {
    const value = await perform();
    counts.done++;
    look(value);
    if (typeof value?.close === 'function') await value.close();
  } catch (error) {
    if (denied(error)) counts.refused++;
    else counts.failed++;
    if (denied(error) && (!error.permission || error.resource === undefined)) escapes.add(`${title}: a refusal that does not say of what`);
    // What a failure says about a path is what the program said.
    if (/SECRET/.test(error?.message ?? '')) escapes.add(`${current.join('; ')} failed with ${error.message}`);
  }
}

// Puts its own folder in order, as far as it can.
const own = `${root}/inside`;
function tidy() {
  while (open.length > 0) try { fs.closeSync(open.pop()); } catch { /* it was closed */ }
  try {
    if (!fs.existsSync(own) || !fs.lstatSync(own).isDirectory()) {
      fs.rmSync(own, { force: true });
      fs.mkdirSync(own);
    }
    for (const entry of fs.readdirSync(own)) fs.rmSync(`${own}/${entry}`, { recursive: true, force: true });
    fs.mkdirSync(`${own}/deep`);
    fs.writeFileSync(`${own}/file`, 'inside');
    for (const [target, link] of [['../outside', 'link'], ['..', 'up'], ['loop', 'loop'], [`${root}/outside/file`, 'secret'], ['../../outside', 'deep/link'], ['deep', 'way']]) {
      fs.symlinkSync(target, `${own}/${link}`);
    }
  } catch (error) {
    if (races === 0) throw error;
  }
}

(async () => {
  for (; counts.tries < tries; counts.tries++) {
    if (counts.tries % 20 === 0) tidy();
    current = [`try ${counts.tries}`];
    const steps = Array.from({ length: 1 + draw(4) }, step);
    // At the same time, or one after the other.
    if (draw(3) === 0) await Promise.all(steps.map(act));
    else for (const one of steps) await act(one);
  }
  tidy();
  // Somebody renames what leads out over what does not, all the time: `way` and `road` are now this, now that.
  for (; counts.races < races; counts.races++) {
    current = [`race ${counts.races}`];
    const targets = ['way/file', 'road/file', 'way', 'road', 'way/', 'road/deep'].map((name) => `${own}/${name}`);
    for (let count = 0; count < 6; count++) {
      const at = pick(targets);
      const kind = pick([...Object.keys(one).filter((kind) => !['rmdir', 'unlink', 'rm'].includes(kind)), ...Object.keys(others)]);
      if (kind in others) await act([`${kind} ${at}`, () => others[kind](at)]);
      else await act(shaped(kind, [at], pick(['Sync', 'callback', 'promises']), one));
    }
    while (open.length > 0) try { const number = open.pop(); look(fs.readFileSync(number, 'utf8')); fs.closeSync(number); } catch { /* a folder */ }
  }
  console.log(`\n${JSON.stringify({ seed, ...counts, escapes: [...escapes].slice(0, 20) })}`);
  process.exit(0);
})();
