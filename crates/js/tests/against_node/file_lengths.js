// Files as long as pages of the memory and as what is read at once, one more and one less; and what is no file, or says that it is empty.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { createHash } = require('node:crypto');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'file-lengths-'));
const tell = (what, bytes) => console.log(what, bytes.length, createHash('sha1').update(bytes).digest('hex'));
const said = (what) => (error, bytes) => (error ? console.log(what, error.message) : tell(what, bytes));

async function read(name, file) {
  try {
    tell(`${name}, at once:`, fs.readFileSync(file));
  } catch (error) {
    console.log(`${name}, at once:`, error.message);
  }
  await fs.promises.readFile(file).then((bytes) => said(`${name}, promised:`)(null, bytes), said(`${name}, promised:`));
  await new Promise((done) => {
    fs.readFile(file, (error, bytes) => {
      said(`${name}, called:`)(error, bytes);
      done();
    });
  });
}

(async () => {
  for (const pages of [0, 1, 2, 15, 16, 17]) {
    for (const more of [-1, 0, 1]) {
      const length = pages * 4096 + more;
      if (length < 0) continue;
      const file = path.join(folder, String(length));
      fs.writeFileSync(file, Buffer.alloc(length, 'a text that does not repeat in a page, '));
      await read(length, file);
    }
  }
  // As long as it says, and with holes.
  const sparse = path.join(folder, 'sparse');
  fs.writeFileSync(sparse, 'begun');
  fs.truncateSync(sparse, 20000);
  await read('sparse', sparse);
  process.chdir(folder);
  fs.mkdirSync('folder');
  fs.symlinkSync('4097', 'link');
  fs.symlinkSync('/dev/null', 'null');
  fs.symlinkSync('loop', 'loop');
  for (const name of ['folder', 'link', 'null', 'loop', 'nowhere', '/dev/null', '/proc/version', '/proc/sys/kernel/ostype']) await read(name, name);
  fs.rmSync(folder, { recursive: true });
})();
