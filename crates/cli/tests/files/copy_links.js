// cp with links and slashes, in both forms: what it says, and what is there afterwards.
const fs = require('fs');
const path = require('path');

const here = (text) => text.replaceAll(process.cwd(), '.');

function list(folder) {
  const lines = [];
  for (const name of fs.readdirSync(folder).sort()) {
    const file = path.join(folder, name);
    const stats = fs.lstatSync(file);
    if (stats.isSymbolicLink()) lines.push(`${file}->${here(fs.readlinkSync(file))}`);
    else if (stats.isDirectory()) lines.push(`${file}/`, ...list(file));
    else lines.push(`${file}=${fs.readFileSync(file, 'utf8')}`);
  }
  return lines;
}

function setUp() {
  fs.rmSync('w', { recursive: true, force: true });
  fs.mkdirSync('w/src/sub', { recursive: true });
  fs.mkdirSync('w/exists');
  fs.writeFileSync('w/src/sub/b', 'B');
  fs.writeFileSync('w/exists/a', 'old');
  fs.writeFileSync('w/file', 'F');
  fs.symlinkSync('sub', 'w/src/dir');
  fs.symlinkSync('../file', 'w/src/up');
  fs.symlinkSync('../file', 'w/exists/up');
  fs.symlinkSync('src', 'w/link');
  fs.symlinkSync('exists', 'w/other');
  fs.symlinkSync('nowhere', 'w/dangling');
}

const from = ['w/src', 'w/src/', 'w/src/up', 'w/src/dir', 'w/src/dir/', 'w/link', 'w/dangling', 'w/file/'];
const to = ['w/new/', 'w/exists', 'w/other', 'w/other/', 'w/src/sub', 'w/dangling', 'w/exists/up'];
const all = [{ recursive: true }, {}, { recursive: true, dereference: true }, { recursive: true, verbatimSymlinks: true, force: false }];

(async () => {
  for (const source of from) {
    for (const target of to) {
      for (const options of all) {
        const results = new Set();
        for (const form of [() => fs.cpSync(source, target, options), () => fs.promises.cp(source, target, options)]) {
          setUp();
          const before = new Set(list('w'));
          let result = 'fine';
          try {
            await form();
          } catch (error) {
            result = here([error.name, error.code, error.errno, error.syscall, error.message].join(' | '));
          }
          // How far it came before it failed depends on the order of the files.
          const after = result === 'fine' ? list('w').filter((line) => !before.has(line)) : [];
          results.add(`${result}: ${after.join(' ')}`);
        }
        console.log(source, target, JSON.stringify(options));
        for (const result of results) console.log(`  ${result}`);
      }
    }
  }
})();
