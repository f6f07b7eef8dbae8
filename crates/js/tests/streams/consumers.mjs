// stream/consumers, and the ways between Node's streams and the web's. The output is Node 20's.
import * as c from 'stream/consumers';
import { Readable, PassThrough, Duplex, Writable, Transform } from 'stream';
import { pipeline, finished } from 'stream/promises';
import util from 'util';
const d = (e) => (e instanceof Error ? `${e.name} ${e.code} ${e.message}` : util.inspect(e));
const s = async (l, f) => {
  try {
    console.log(l, '=>', d(await f()));
  } catch (e) {
    console.log(l, 'throws', d(e));
  }
};
const mk = {
  strs: () => Readable.from(['{"a":', '1}']),
  bufs: () =>
    Readable.from([Buffer.from('{"a"'), Buffer.from(':"€"}').subarray(0, 4), Buffer.from(':"€"}').subarray(4)]),
  web: () =>
    new ReadableStream({
      start(c) {
        c.enqueue(new TextEncoder().encode('[1,2]'));
        c.close();
      },
    }),
  arr: () => ['[', '1', ']'],
  gen: () =>
    (async function* () {
      yield '7';
    })(),
  err: () =>
    Readable.from(
      (async function* () {
        yield 'x';
        throw new Error('e');
      })(),
    ),
  blobstream: () => new Blob(['[3]']).stream(),
  nums: () => Readable.from([1, 2]),
};
for (const k of Object.keys(mk))
  for (const f of ['text', 'json', 'buffer', 'arrayBuffer', 'blob']) await s(k + ' ' + f, () => c[f](mk[k]()));
await s('fromWeb', async () => {
  const out = [];
  for await (const x of Readable.fromWeb(
    new ReadableStream({
      start(c) {
        c.enqueue('a');
        c.enqueue('b');
        c.close();
      },
    }),
    { objectMode: true },
  ))
    out.push(x);
  return out;
});
await s('fromWeb bytes', async () => {
  const out = [];
  for await (const x of Readable.fromWeb(new Blob(['hello']).stream(), { encoding: 'utf8' })) out.push(x);
  return out;
});
await s('fromWeb error', async () => {
  for await (const x of Readable.fromWeb(
    new ReadableStream({
      start(c) {
        c.error(new Error('we'));
      },
    }),
  ));
});
await s('toWeb', async () => {
  const out = [];
  for await (const x of Readable.toWeb(Readable.from(['a', 'b']))) out.push(x);
  return out;
});
await s('toWeb bytes', async () => {
  const out = [];
  for await (const x of Readable.toWeb(Readable.from([Buffer.from('a'), Buffer.from('b')], { objectMode: false })))
    out.push(x);
  return out;
});
await s('toWeb err', async () => {
  const r = new Readable({
    read() {
      this.destroy(new Error('ne'));
    },
  });
  for await (const x of Readable.toWeb(r));
});
await s('toWeb destroyed', async () => {
  const r = new Readable({ read() {} });
  const w = Readable.toWeb(r);
  r.destroy();
  for await (const x of w);
});
await s('toWeb cancel', async () => {
  const r = new Readable({
    read() {
      this.push('x');
    },
  });
  r.on('close', () => console.log('closed', r.destroyed, d(r.errored)));
  r.on('error', (e) => console.log(d(e)));
  const w = Readable.toWeb(r);
  await w.cancel(new Error('c'));
});
await s('W.toWeb', async () => {
  const got = [];
  const w = Writable.toWeb(
    new Writable({
      highWaterMark: 1,
      write(c, e, cb) {
        got.push(String(c));
        setTimeout(cb, 1);
      },
      final(cb) {
        got.push('final');
        cb();
      },
    }),
  );
  const x = w.getWriter();
  await x.write('a');
  await x.write('b');
  await x.close();
  return got;
});
await s('W.toWeb abort', async () => {
  const n = new Writable({
    write(c, e, cb) {
      cb();
    },
  });
  n.on('error', (e) => console.log('err', d(e)));
  const x = Writable.toWeb(n).getWriter();
  await x.write('a');
  await x.abort(new Error('ab'));
  return [n.destroyed];
});
await s('W.toWeb fails', async () => {
  const n = new Writable({
    write(c, e, cb) {
      cb(new Error('wf'));
    },
  });
  n.on('error', () => {});
  const x = Writable.toWeb(n).getWriter();
  x.closed.catch((e) => console.log('closed', d(e)));
  await x.write('a');
  await x.write('b');
});
await s('W.fromWeb', async () => {
  const got = [];
  const w = Writable.fromWeb(
    new WritableStream({
      write(c) {
        got.push(c);
      },
      close() {
        got.push('close');
      },
    }),
  );
  w.write('a');
  w.write('b', 'hex');
  w.cork();
  w.write('c');
  w.write('d');
  w.uncork();
  w.end('e');
  await finished(w);
  return got;
});
await s('W.fromWeb err', async () => {
  const w = Writable.fromWeb(
    new WritableStream({
      write(c) {
        throw new Error('x');
      },
    }),
  );
  w.on('error', () => {});
  w.write('a', (e) => console.log('cb', d(e)));
  await finished(w);
});
await s('D.toWeb', async () => {
  const { readable, writable } = Duplex.toWeb(new PassThrough());
  const x = writable.getWriter();
  x.write('q');
  x.close();
  return c.text(readable);
});
await s('D.fromWeb', async () => {
  const t = new TransformStream({
    transform(c, k) {
      k.enqueue(String(c).toUpperCase());
    },
  });
  const d = Duplex.fromWeb(t, { encoding: 'utf8', objectMode: true });
  d.end('abc');
  return c.text(d);
});
await s('pipeline web', async () => {
  const got = [];
  await pipeline(
    new ReadableStream({
      start(c) {
        c.enqueue('a');
        c.enqueue('b');
        c.close();
      },
    }),
    new TransformStream({
      transform(c, k) {
        k.enqueue(c + '!');
      },
    }),
    new WritableStream({
      write(c) {
        got.push(c);
      },
    }),
  );
  return got;
});
await s('pipeline web node', async () => {
  const got = [];
  await pipeline(
    Readable.from(['a', 'b']),
    new TransformStream({
      transform(c, k) {
        k.enqueue(c + '!');
      },
    }),
    new Writable({
      objectMode: true,
      write(c, e, cb) {
        got.push(c);
        cb();
      },
    }),
  );
  return got;
});
await s('finished web', async () => {
  const r = new ReadableStream({
    start(c) {
      c.close();
    },
  });
  await finished(r);
  return 'done';
});
await s('finished web err', async () => {
  await finished(
    new ReadableStream({
      start(c) {
        c.error(new Error('fe'));
      },
    }),
  );
});
await s('Duplex.from blob', async () => c.text(Duplex.from(new Blob(['blob!']))));
await s('compose web', async () => {
  const { compose } = await import('stream');
  return c.text(
    Readable.from(['a', 'b']).compose(
      new TransformStream({
        transform(c, k) {
          k.enqueue(c + '.');
        },
      }),
    ),
  );
});
for (const f of ['fromWeb', 'toWeb'])
  for (const C of [Readable, Writable, Duplex])
    for (const v of [1, {}, null]) await s(C.name + f + util.inspect(v), () => C[f](v));
const through = async (transform, chunks) => {
  const got = [];
  await ReadableStream.from(chunks)
    .pipeThrough(transform)
    .pipeTo(
      new WritableStream({
        write(chunk) {
          got.push(chunk);
        },
      }),
    );
  return got;
};
for (const chunks of [['a', 'bc'], ['\ud83d', '\ude00x'], ['x\ud83d'], ['\ud83d', 'y'], [''], [5, null, {}]]) {
  await s('encode ' + util.inspect(chunks), () => through(new TextEncoderStream(), chunks));
}
for (const chunks of [[[0xe2, 0x82], [0xac]], [[0xe2]], [[0xef, 0xbb, 0xbf, 0x41]], [[0xff, 0x41]], []]) {
  const bytes = () => chunks.map((chunk) => new Uint8Array(chunk));
  await s('decode ' + util.inspect(chunks), () => through(new TextDecoderStream(), bytes()));
  await s('decode fatal ' + util.inspect(chunks), () => through(new TextDecoderStream('utf-8', { fatal: true }), bytes()));
}
await s('decode text', () => through(new TextDecoderStream(), ['text']));
await s('decode unknown', () => new TextDecoderStream('unknown'));
