// Whole files of all sizes, many at a time, in all ways to ask for them: by paths from the root and from here.
const fs = require('fs');
const path = require('path');

const contents = new Map();
for (const size of [0, 1, 1023, 1024, 1025, 65535, 65536, 65537, 600000]) {
  contents.set(`size-${size}`, Buffer.alloc(size, `${size} `));
}
contents.set('ascii', Buffer.from('plain'));
contents.set('mark', Buffer.from('\ufeffmark'));
contents.set('no-text', Buffer.from([0x61, 0xff, 0xe2, 0x82, 0x62, 0xf0, 0x9f, 0x98, 0x80]));
contents.set('nämé', Buffer.from('grüße'));
for (let at = 0; at < 200; at++) contents.set(`many-${at}`, Buffer.from(`content of ${at}`));
for (const [name, bytes] of contents) fs.writeFileSync(name, bytes);

let right = 0;
const wrong = [];
function check(name, way, read, isText) {
  const bytes = contents.get(name);
  const same = isText ? read === bytes.toString() : Buffer.isBuffer(read) && read.equals(bytes);
  if (same) right += 1;
  else wrong.push(`${name} ${way}`);
}

const paths = (name) => [name, path.resolve(name)];
const encodings = [undefined, 'utf8', 'utf-8', 'latin1', { encoding: 'utf8' }];
const isText = (encoding) => encoding !== undefined && encoding !== 'latin1';
const told = (error) => `${error.code} ${error.syscall} ${error.path?.replace(process.cwd(), 'CWD')} ${error.message.replace(process.cwd(), 'CWD')}`;

(async () => {
  const waiting = [];
  for (const name of contents.keys()) {
    for (const file of paths(name)) {
      for (const encoding of encodings) {
        const expect = (way) => (read) => {
          check(name, way, encoding === 'latin1' ? Buffer.from(read, 'latin1') : read, isText(encoding));
        };
        expect('at once')(fs.readFileSync(file, encoding));
        waiting.push(fs.promises.readFile(file, encoding).then(expect('promise')));
        waiting.push(new Promise((resolve) => {
          const done = (error, read) => { expect(`callback ${error}`)(read); resolve(); };
          if (encoding === undefined) fs.readFile(file, done);
          else fs.readFile(file, encoding, done);
        }));
      }
    }
  }
  await Promise.all(waiting);
  console.log(right, wrong);

  for (const file of ['missing', path.resolve('missing'), '', '.', path.resolve('.'), 'a\0b', '/a\0b', 'ascii/below', 7.5, null]) {
    try { fs.readFileSync(file); } catch (error) { console.log('at once', told(error)); }
    await fs.promises.readFile(file).catch((error) => console.log('promise', told(error)));
    try {
      await new Promise((resolve) => fs.readFile(file, (error, ...rest) => { console.log('callback', told(error), rest); resolve(); }));
    } catch (error) {
      console.log('thrown', told(error));
    }
  }
})();
