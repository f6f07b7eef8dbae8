// When the promises of web streams settle, in microtasks. The output is Node 20's.
import { ReadableStream, TransformStream, WritableStream } from 'node:stream/web';

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function run(name, body) {
  const log = [];
  let jobs = 0;
  const say = (what) => log.push(`${what}@${jobs}`);
  await turn();
  const job = () => {
    if (++jobs < 60) Promise.resolve().then(job);
  };
  job();
  await body(say, (label, promise) =>
    promise.then(
      () => say(label),
      () => say(`${label}!`),
    ),
  );
  await turn();
  await turn();
  console.log(`${name}: ${log.join(' ')}`);
}

await run('start undef, pull', (say, watch) => {
  new ReadableStream({
    start() {},
    pull() {
      say('pull');
    },
  });
});
await run('no start, pull', (say, watch) => {
  new ReadableStream({
    pull() {
      say('pull');
    },
  });
});
await run('start promise, pull', (say, watch) => {
  new ReadableStream({
    start() {
      return Promise.resolve();
    },
    pull() {
      say('pull');
    },
  });
});
await run('start 5, pull', (say, watch) => {
  new ReadableStream({
    start() {
      return 5;
    },
    pull() {
      say('pull');
    },
  });
});
await run('pull again', (say, watch) => {
  let n = 0;
  new ReadableStream(
    {
      pull(c) {
        say('pull');
        if (n++ < 3) c.enqueue(1);
      },
    },
    { highWaterMark: 5 },
  );
});
await run('pull again async', (say, watch) => {
  let n = 0;
  new ReadableStream(
    {
      async pull(c) {
        say('pull');
        if (n++ < 3) c.enqueue(1);
      },
    },
    { highWaterMark: 5 },
  );
});
await run('pull again promise', (say, watch) => {
  let n = 0;
  new ReadableStream(
    {
      pull(c) {
        say('pull');
        if (n++ < 3) c.enqueue(1);
        return Promise.resolve();
      },
    },
    { highWaterMark: 5 },
  );
});
await run('bytes pull', (say, watch) => {
  let n = 0;
  new ReadableStream(
    {
      type: 'bytes',
      pull(c) {
        say('pull');
        if (n++ < 3) c.enqueue(new Uint8Array(1));
      },
    },
    { highWaterMark: 5 },
  );
});
await run('bytes pull async', (say, watch) => {
  let n = 0;
  new ReadableStream(
    {
      type: 'bytes',
      async pull(c) {
        say('pull');
        if (n++ < 3) c.enqueue(new Uint8Array(1));
      },
    },
    { highWaterMark: 5 },
  );
});
await run('read queued', (say, watch) => {
  const r = new ReadableStream({
    start(c) {
      c.enqueue(1);
      c.enqueue(2);
      c.close();
    },
  }).getReader();
  watch('r1', r.read());
  watch('r2', r.read());
  watch('r3', r.read());
  watch('closed', r.closed);
});
await run('read pulled', (say, watch) => {
  const r = new ReadableStream(
    {
      pull(c) {
        say('pull');
        c.enqueue(1);
      },
    },
    { highWaterMark: 0 },
  ).getReader();
  watch('r1', r.read());
  watch('r2', r.read());
});
await run('cancel', (say, watch) => {
  watch(
    'c',
    new ReadableStream({
      cancel() {
        say('cancel');
      },
    }).cancel(),
  );
});
await run('cancel none', (say, watch) => {
  watch('c', new ReadableStream({}).cancel());
});
await run('cancel promise', (say, watch) => {
  watch(
    'c',
    new ReadableStream({
      cancel() {
        return Promise.resolve();
      },
    }).cancel(),
  );
});
await run('cancel throws', (say, watch) => {
  watch(
    'c',
    new ReadableStream({
      cancel() {
        throw 1;
      },
    }).cancel(),
  );
});
await run('byob', (say, watch) => {
  const r = new ReadableStream({
    type: 'bytes',
    pull(c) {
      say('pull');
      c.byobRequest.respond(1);
    },
  }).getReader({ mode: 'byob' });
  watch('r1', r.read(new Uint8Array(2)));
});
await run('byob queued', (say, watch) => {
  const r = new ReadableStream({
    type: 'bytes',
    start(c) {
      c.enqueue(new Uint8Array(3));
    },
  }).getReader({ mode: 'byob' });
  watch('r1', r.read(new Uint8Array(2)));
  watch('r2', r.read(new Uint8Array(2)));
});
await run('byob err', (say, watch) => {
  const r = new ReadableStream({
    type: 'bytes',
    start(c) {
      c.error(1);
    },
  }).getReader({ mode: 'byob' });
  watch('r1', r.read(new Uint8Array(2)));
  watch('bad', r.read(5));
});
await run('read err', (say, watch) => {
  const r = new ReadableStream({
    start(c) {
      c.error(1);
    },
  }).getReader();
  watch('r1', r.read());
  watch('cl', r.closed);
  r.releaseLock();
  watch('r2', r.read());
});
await run('write', (say, watch) => {
  const x = new WritableStream({
    start() {},
    write(c) {
      say('write' + c);
    },
    close() {
      say('close');
    },
  }).getWriter();
  watch('w1', x.write(1));
  watch('w2', x.write(2));
  watch('cl', x.close());
  watch('closed', x.closed);
  watch('ready', x.ready);
});
await run('write async', (say, watch) => {
  const x = new WritableStream({
    async write(c) {
      say('write' + c);
    },
    async close() {
      say('close');
    },
  }).getWriter();
  watch('w1', x.write(1));
  watch('w2', x.write(2));
  watch('cl', x.close());
  watch('closed', x.closed);
  watch('ready', x.ready);
});
await run('write none', (say, watch) => {
  const x = new WritableStream().getWriter();
  watch('w1', x.write(1));
  watch('w2', x.write(2));
  watch('cl', x.close());
  watch('closed', x.closed);
  watch('ready', x.ready);
});
await run('abort', (say, watch) => {
  const x = new WritableStream({
    abort() {
      say('abort');
    },
  }).getWriter();
  watch('w1', x.write(1));
  watch('ab', x.abort('x'));
  watch('closed', x.closed);
  watch('ready', x.ready);
});
await run('write throws', (say, watch) => {
  const x = new WritableStream({
    write() {
      throw 1;
    },
  }).getWriter();
  watch('w1', x.write(1));
  watch('w2', x.write(1));
  watch('closed', x.closed);
  watch('ready', x.ready);
});
await run('write rejects', (say, watch) => {
  const x = new WritableStream({
    write() {
      return Promise.reject(1);
    },
  }).getWriter();
  watch('w1', x.write(1));
  watch('w2', x.write(1));
  watch('closed', x.closed);
  watch('ready', x.ready);
});
await run('start rejects', (say, watch) => {
  const x = new WritableStream({
    start() {
      return Promise.reject(1);
    },
  }).getWriter();
  watch('w1', x.write(1));
  watch('closed', x.closed);
  watch('ready', x.ready);
});
await run('transform id', (say, watch) => {
  const t = new TransformStream();
  const x = t.writable.getWriter(),
    r = t.readable.getReader();
  watch('w1', x.write(1));
  watch('r1', r.read());
  watch('w2', x.write(1));
  watch('r2', r.read());
  watch('cl', x.close());
  watch('r3', r.read());
});
await run('transform fn', (say, watch) => {
  const t = new TransformStream({
    start() {
      say('start');
    },
    transform(c, k) {
      say('t');
      k.enqueue(c);
    },
    flush() {
      say('flush');
    },
  });
  const x = t.writable.getWriter(),
    r = t.readable.getReader();
  watch('w1', x.write(1));
  watch('r1', r.read());
  watch('w2', x.write(1));
  watch('r2', r.read());
  watch('cl', x.close());
  watch('r3', r.read());
});
await run('transform async', (say, watch) => {
  const t = new TransformStream({
    async transform(c, k) {
      say('t');
      k.enqueue(c);
    },
    async flush() {
      say('flush');
    },
  });
  const x = t.writable.getWriter(),
    r = t.readable.getReader();
  watch('w1', x.write(1));
  watch('r1', r.read());
  watch('w2', x.write(1));
  watch('r2', r.read());
  watch('cl', x.close());
  watch('r3', r.read());
});
await run('transform cancel', (say, watch) => {
  const t = new TransformStream({
    cancel() {
      say('cancel');
    },
  });
  const x = t.writable.getWriter(),
    r = t.readable.getReader();
  watch('w1', x.write(1));
  watch('c', r.cancel(1));
  watch('closed', x.closed);
});
await run('transform abort', (say, watch) => {
  const t = new TransformStream({
    cancel() {
      say('cancel');
    },
  });
  const x = t.writable.getWriter(),
    r = t.readable.getReader();
  watch('r1', r.read());
  watch('c', x.abort(1));
  watch('closed', x.closed);
});
await run('pipeTo', (say, watch) => {
  let n = 0;
  const r = new ReadableStream({
    pull(c) {
      say('pull' + n);
      if (n++ < 3) c.enqueue(n);
      else c.close();
    },
  });
  const x = new WritableStream({
    write(c) {
      say('w' + c);
    },
    close() {
      say('close');
    },
  });
  watch('pipe', r.pipeTo(x));
});
await run('pipeTo queued', (say, watch) => {
  const r = new ReadableStream({
    start(c) {
      c.enqueue(1);
      c.enqueue(2);
      c.enqueue(3);
      c.close();
    },
  });
  const x = new WritableStream(
    {
      write(c) {
        say('w' + c);
      },
      close() {
        say('close');
      },
    },
    { highWaterMark: 5 },
  );
  watch('pipe', r.pipeTo(x));
});
await run('pipeTo err', (say, watch) => {
  const r = new ReadableStream({
    start(c) {
      c.error(1);
    },
  });
  const x = new WritableStream({
    abort(c) {
      say('abort' + c);
    },
  });
  watch('pipe', r.pipeTo(x));
});
await run('pipeTo werr', (say, watch) => {
  const r = new ReadableStream({
    cancel(c) {
      say('cancel' + c);
    },
  });
  const x = new WritableStream({
    start(c) {
      c.error(2);
    },
  });
  watch('pipe', r.pipeTo(x));
});
await run('pipeTo abort', (say, watch) => {
  const ac = new AbortController();
  const r = new ReadableStream({
    cancel(c) {
      say('cancel' + c);
    },
  });
  const x = new WritableStream({
    abort(c) {
      say('abort' + c);
    },
  });
  watch('pipe', r.pipeTo(x, { signal: ac.signal }));
  ac.abort('s');
});
await run('pipeTo aborted', (say, watch) => {
  const r = new ReadableStream({
    cancel(c) {
      say('cancel' + c);
    },
  });
  const x = new WritableStream({
    abort(c) {
      say('abort' + c);
    },
  });
  watch('pipe', r.pipeTo(x, { signal: AbortSignal.abort('s') }));
});
await run('tee', (say, watch) => {
  let n = 0;
  const [a, b] = new ReadableStream({
    pull(c) {
      say('pull' + n);
      if (n++ < 2) c.enqueue(n);
      else c.close();
    },
  }).tee();
  const r = a.getReader(),
    q = b.getReader();
  watch('r1', r.read());
  watch('q1', q.read());
  watch('r2', r.read());
  watch('r3', r.read());
  watch('closed', r.closed);
});
await run('tee bytes', (say, watch) => {
  let n = 0;
  const [a, b] = new ReadableStream({
    type: 'bytes',
    pull(c) {
      say('pull' + n);
      if (n++ < 2) c.enqueue(new Uint8Array(1));
      else c.close();
    },
  }).tee();
  const r = a.getReader(),
    q = b.getReader();
  watch('r1', r.read());
  watch('q1', q.read());
  watch('r2', r.read());
  watch('r3', r.read());
  watch('closed', r.closed);
});
await run('tee bytes byob', (say, watch) => {
  let n = 0;
  const [a, b] = new ReadableStream({
    type: 'bytes',
    pull(c) {
      say('pull' + n);
      if (n++ < 2) c.enqueue(new Uint8Array(1));
      else {
        c.close();
        c.byobRequest?.respond(0);
      }
    },
  }).tee();
  const r = a.getReader({ mode: 'byob' }),
    q = b.getReader();
  watch('r1', r.read(new Uint8Array(3)));
  watch('q1', q.read());
  watch('r2', r.read(new Uint8Array(3)));
  watch('r3', r.read(new Uint8Array(3)));
  watch('closed', r.closed);
});
await run('tee cancel', (say, watch) => {
  const [a, b] = new ReadableStream({
    cancel(r) {
      say('cancel' + r);
    },
  }).tee();
  watch('a', a.cancel(1));
  watch('b', b.cancel(2));
});
await run('tee err', (say, watch) => {
  const [a, b] = new ReadableStream({
    start(c) {
      setImmediate(() => c.error(1));
    },
  }).tee();
  watch('a', a.getReader().closed);
  watch('b', b.getReader().closed);
});
await run('iter', (say, watch) => {
  (async () => {
    for await (const x of new ReadableStream({
      start(c) {
        c.enqueue(1);
        c.enqueue(2);
        c.close();
      },
    }))
      say('i' + x);
    say('done');
  })();
});
await run('iter break', (say, watch) => {
  (async () => {
    for await (const x of new ReadableStream({
      start(c) {
        c.enqueue(1);
        c.enqueue(2);
        c.close();
      },
      cancel() {
        say('cancel');
      },
    })) {
      say('i' + x);
      break;
    }
    say('done');
  })();
});
await run('iter err', (say, watch) => {
  (async () => {
    try {
      for await (const x of new ReadableStream({
        start(c) {
          c.error(1);
        },
        cancel() {
          say('cancel');
        },
      })) {
        say('i' + x);
        break;
      }
    } catch {
      say('caught');
    }
    say('done');
  })();
});
await run('iter manual', (say, watch) => {
  const i = new ReadableStream({
    start(c) {
      c.enqueue(1);
      c.enqueue(2);
      c.close();
    },
  }).values();
  watch('a', i.next());
  watch('b', i.next());
  watch('c', i.next());
  watch('r', i.return(5));
  watch('d', i.next());
});
await run('from arr', (say, watch) => {
  const r = ReadableStream.from([1, Promise.resolve(2)]).getReader();
  watch('a', r.read());
  watch('b', r.read());
  watch('c', r.read());
});
await run('from gen', (say, watch) => {
  const r = ReadableStream.from(
    (async function* () {
      yield 1;
      yield 2;
    })(),
  ).getReader();
  watch('a', r.read());
  watch('b', r.read());
  watch('c', r.read());
});
await run('from cancel', (say, watch) => {
  const r = ReadableStream.from(
    (async function* () {
      try {
        yield 1;
        yield 2;
      } finally {
        say('fin');
      }
    })(),
  ).getReader();
  watch('a', r.read());
  watch('b', r.cancel());
});
await run('closed src', (say, watch) => {
  const r = new ReadableStream({
    start(c) {
      c.close();
    },
  });
  const x = new WritableStream({
    close() {
      say('close');
    },
  });
  watch('pipe', r.pipeTo(x));
});
await run('closed src later', async (say, watch) => {
  const r = new ReadableStream({
    start(c) {
      c.close();
    },
  });
  const x = new WritableStream({
    close() {
      say('close');
    },
  });
  await new Promise((r) => setImmediate(r));
  let m = 0;
  (function j() {
    say('.');
    m++;
    if (m < 12) Promise.resolve().then(j);
  })();
  watch('pipe', r.pipeTo(x));
});
await run('closed src through', async (say, watch) => {
  const r = new ReadableStream({
    start(c) {
      c.close();
    },
  });
  await new Promise((r) => setImmediate(r));
  let m = 0;
  (function j() {
    say('.');
    m++;
    if (m < 12) Promise.resolve().then(j);
  })();
  r.pipeThrough(
    new TransformStream({
      flush() {
        say('flush');
      },
    }),
  );
});
await run('errored src later', async (say, watch) => {
  const r = new ReadableStream({
    start(c) {
      c.error(1);
    },
  });
  const x = new WritableStream({
    abort() {
      say('abort');
    },
  });
  await new Promise((r) => setImmediate(r));
  let m = 0;
  (function j() {
    say('.');
    m++;
    if (m < 12) Promise.resolve().then(j);
  })();
  watch('pipe', r.pipeTo(x));
});
await run('errored dst later', async (say, watch) => {
  const x = new WritableStream({
    start(c) {
      c.error(1);
    },
  });
  const r = new ReadableStream({
    cancel() {
      say('cancel');
    },
  });
  await new Promise((r) => setImmediate(r));
  let m = 0;
  (function j() {
    say('.');
    m++;
    if (m < 12) Promise.resolve().then(j);
  })();
  watch('pipe', r.pipeTo(x));
});
await run('closed dst later', async (say, watch) => {
  const x = new WritableStream({});
  const r = new ReadableStream({
    cancel() {
      say('cancel');
    },
  });
  x.close();
  await new Promise((r) => setImmediate(r));
  let m = 0;
  (function j() {
    say('.');
    m++;
    if (m < 12) Promise.resolve().then(j);
  })();
  watch('pipe', r.pipeTo(x));
});
