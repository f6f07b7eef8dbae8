// Who is told first that a FileHandle is closed: the handle, its streams, or who closes it.
import fs from 'node:fs';
import { open } from 'node:fs/promises';

const log = (name, emitter, ...events) => { for (const event of events) emitter.on(event, () => console.log(name, event)); };
const streamOf = (handle, options = undefined) => {
  const stream = handle.createReadStream(options);
  log('stream', stream, 'open', 'end', 'close');
  return stream;
};
const cases = {
  'read to the end': (handle, done) => streamOf(handle).on('close', done).resume(),
  'autoClose false': (handle, done) => streamOf(handle, { autoClose: false }).on('end', () => setTimeout(() => handle.close().then(() => console.log('closed')).then(done), 20)).resume(),
  'closed under a stream': (handle, done) => {
    streamOf(handle);
    handle.close().then(() => console.log('closed')).then(() => setTimeout(done, 20));
  },
  'written': (handle, done) => {
    const stream = handle.createWriteStream();
    log('stream', stream, 'finish', 'close');
    stream.on('close', done).end('abc', () => console.log('callback'));
  },
  'destroyed': (handle, done) => streamOf(handle).on('close', done).destroy(),
  'closed twice': async (handle, done) => {
    const [one, other] = [handle.close(), handle.close()];
    console.log(one === other, handle.fd);
    other.then(() => console.log('the second'));
    one.then(() => console.log('the first')).then(done);
  },
};
for (const [name, act] of Object.entries(cases)) {
  fs.writeFileSync('file', 'content');
  const handle = await open('file', 'r+');
  console.log(name);
  log('handle', handle, 'close');
  await new Promise((done) => act(handle, done));
}
