// How streams end that stand for others, and who is told when. The output is Node 20's.
const { Duplex, PassThrough, Readable, Writable, finished, pipeline } = require('stream');
const { CompressionStream, TextDecoderStream, TextEncoderStream } = require('stream/web');
const { Console } = require('console');
const { OutgoingMessage } = require('http');
const asyncHooks = require('async_hooks');
const { inspect } = require('util');

const say = (...words) => console.log(...words);
const turns = async (count) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

function watched(name, stream) {
  for (const event of ['end', 'finish', 'close', 'error']) {
    stream.on(event, (error) => say(name, event, error?.message ?? '', stream.readableEnded, stream.writableFinished));
  }
  return stream;
}

// A duplex stream that stands for two others is over when its own reader and writer are through.
async function pairs() {
  const slowly = (stream) => stream.on('data', (chunk) => {
    say('chunk', String(chunk));
    stream.pause();
    setImmediate(() => stream.resume());
  });
  const sink = () => new PassThrough().resume();
  watched('unread', Duplex.from({ readable: Readable.from(['a']), writable: sink() })).end('x');
  await turns(9);
  slowly(watched('two', Duplex.from({ readable: Readable.from(['a', 'b']), writable: sink() }))).end('x');
  await turns(9);
  slowly(watched('readable', Duplex.from({ readable: Readable.from(['a', 'b']) })));
  await turns(9);
  watched('writable', Duplex.from({ writable: new Writable({ write(chunk, encoding, done) { setImmediate(done); } }) })).end('x');
  await turns(9);
  const through = new PassThrough({ objectMode: true });
  slowly(watched('one', Readable.from(['a', 'b']).pipe(Duplex.from({ readable: through, writable: through }))));
  await turns(20);
}

// What was written last is waited for.
async function waits() {
  for (const forgets of [false, true]) {
    let isWritten = false;
    const stream = new Duplex({
      read() {},
      write(chunk, encoding, done) {
        setImmediate(() => {
          isWritten = true;
          done();
        });
      },
    });
    stream.end('x');
    if (forgets) delete stream._writableState.pendingcb;
    finished(stream, { readable: false }, (error) => say('finished', error, isWritten));
    await turns(5);
  }
  let looks = 0;
  const thenable = { get then() { looks++; return (resolve) => resolve('value'); } };
  pipeline([1], () => thenable, (error, value) => say('looked', looks, error, value));
  await turns(5);
}

// A web stream that was given up does not mind the end of the stream behind it.
async function givenUp() {
  const wrapped = Readable.fromWeb(Readable.toWeb(Readable.from(['a'])));
  wrapped.on('data', () => wrapped.destroy()).on('close', () => say('wrapped close'));
  await turns(9);
  const source = Readable.from([]);
  const reader = Readable.toWeb(source).getReader();
  source.on('close', () => reader.cancel().then(() => say('cancelled')));
  say(await reader.read());
  await turns(9);
}

function refusals() {
  for (const encoding of [{}, { a: 1 }, [], null, 5, Symbol('x'), 'zz', undefined]) {
    try {
      new Writable().setDefaultEncoding(encoding);
    } catch ({ code, message }) {
      say(code, message);
    }
  }
  for (const target of [{ write() {}, on() {} }, new OutgoingMessage(), {}, null]) {
    try {
      say(Writable.toWeb(target));
    } catch ({ code, message }) {
      say(code, message);
    }
  }
  for (const stream of [new TextEncoderStream(), new TextDecoderStream(), new CompressionStream('gzip')]) {
    for (const self of [undefined, {}]) {
      try {
        stream[inspect.custom].call(self, 1, {});
      } catch ({ code, message }) {
        say(code, message);
      }
    }
  }
}

// Lines that a Console writes one after the other share a tick.
function lines() {
  let ticks = 0;
  const hook = asyncHooks.createHook({ init(id, type) { if (type === 'TickObject') ticks++; } }).enable();
  const own = new Console(new Writable({ write(chunk, encoding, done) { done(); } }));
  for (let i = 0; i < 10; i++) own.log(i);
  hook.disable();
  say('ticks', ticks);
}

(async () => {
  await pairs();
  await waits();
  await givenUp();
  refusals();
  lines();
})();
