// Files as streams, with and without a `read` of the program's own.
'use strict';

const fs = require('fs');

const shown = (stream) => new Promise((resolve) => {
  const seen = [];
  stream.on('data', (chunk) => seen.push(`${chunk.constructor.name} ${chunk.length} ${chunk}`));
  stream.on('error', (error) => seen.push(error.code));
  stream.on('end', () => seen.push(`end ${stream.bytesRead}`));
  stream.on('close', () => resolve(seen.join(', ')));
});

async function main() {
  const file = `${require('os').tmpdir()}/hemiola-streams-${process.pid}`;
  fs.writeFileSync(file, 'abcdefgh');
  console.log('whole:', await shown(fs.createReadStream(file)));
  console.log('by three:', await shown(fs.createReadStream(file, { highWaterMark: 3 })));
  console.log('a part:', await shown(fs.createReadStream(file, { start: 2, end: 5 })));
  console.log('in a part:', await shown(fs.createReadStream(file, { start: 6 })));
  console.log('after the end:', await shown(fs.createReadStream(file, { start: 20 })));
  console.log('by descriptor:', await shown(fs.createReadStream('', { fd: fs.openSync(file) })));
  console.log('a folder:', await shown(fs.createReadStream(require('os').tmpdir())));
  const handle = await fs.promises.open(file);
  console.log('by handle:', await shown(handle.createReadStream({ encoding: 'utf8' })));

  const { read } = fs;
  const calls = [];
  fs.read = (fd, buffer, offset, length, position, callback) => {
    calls.push(`${buffer.length} ${offset} ${length} ${position}`);
    read(fd, buffer, offset, length, position, callback);
  };
  console.log('replaced:', await shown(fs.createReadStream(file, { start: 1, highWaterMark: 4 })));
  console.log('asked:', calls.join(', '));
  fs.read = (fd, buffer, offset, length, position, callback) => callback(Object.assign(new Error('no'), { code: 'ENO' }));
  console.log('failing:', await shown(fs.createReadStream(file)));
  fs.read = read;
  const own = { ...fs, read: (fd, buffer, offset, length, position, callback) => process.nextTick(callback, null, 0, buffer) };
  console.log('of its own:', await shown(fs.createReadStream(file, { fs: own })));
  fs.unlinkSync(file);
}

main();
