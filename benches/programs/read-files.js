// Reads 10,000 small files: 64 at a time with callbacks and with promises, and one after the other without waiting. The least of a few rounds counts, so
// that none has to find the files first.
const fs = require('fs');
const path = require('path');

const FILES = 10000;
const AT_A_TIME = 64;
const ROUNDS = 5;
const folder = fs.mkdtempSync(path.join(require('os').tmpdir(), 'read-files-'));
const names = [];
for (let at = 0; at < FILES; at++) {
  names.push(path.join(folder, `file-${at}`));
  fs.writeFileSync(names[at], `the content of file ${at}\n`.repeat(8));
}

function all(read) {
  return new Promise((resolve, reject) => {
    let begun = 0;
    let ended = 0;
    const next = () => {
      if (begun < FILES) read(names[begun++], done);
    };
    const done = (error, data) => {
      if (error) reject(error);
      if (data.length < 100) reject(new Error('too short'));
      if (++ended === FILES) resolve();
      else next();
    };
    for (let at = 0; at < AT_A_TIME; at++) next();
  });
}

async function timed(read) {
  let ms = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await all(read);
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, ops: FILES };
}

(async () => {
  const results = {
    callbacks: await timed((name, done) => fs.readFile(name, done)),
    promises: await timed((name, done) => { fs.promises.readFile(name).then((data) => done(null, data), done); }),
  };
  let ms = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (const name of names) if (fs.readFileSync(name).length < 100) throw new Error('too short');
    ms = Math.min(ms, performance.now() - start);
  }
  results['readFileSync'] = { ms, ops: FILES };
  fs.rmSync(folder, { recursive: true });
  console.log(JSON.stringify(results));
})();
