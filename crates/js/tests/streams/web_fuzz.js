// Random programs on web streams, as `fuzz.js` has them for Node's: the order of everything that
// settles has to be the same under Node 20 and under Hemiola.
//
//     hemiola run web_fuzz.js FIRST COUNT         prints a hash of the log of each seed
//     hemiola run web_fuzz.js FIRST COUNT --log   prints the logs themselves
'use strict';

const { ReadableStream, WritableStream, TransformStream, CountQueuingStrategy } = require('stream/web');
const { inspect } = require('util');

const first = Number(process.argv[2] ?? 1);
const count = Number(process.argv[3] ?? 1);
const showLogs = process.argv[4] === '--log';

function randomFrom(seed) {
  let state = seed * 2654435761 >>> 0;
  const next = () => {
    state = state + 0x6d2b79f5 >>> 0;
    let t = state;
    t = Math.imul(t ^ t >>> 15, t | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return (t ^ t >>> 14) >>> 0;
  };
  return {
    below: (n) => next() % n,
    chance: (percent) => next() % 100 < percent,
    pick: (...items) => items[next() % items.length],
  };
}

function show(value) {
  if (value instanceof Error) return `${value.name}(${value.code ?? ''} ${value.message})`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}[${new Uint8Array(value.buffer, value.byteOffset, value.byteLength)}]`;
  if (Array.isArray(value)) return `[${value.map(show)}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function' || value?.getReader || value?.getWriter) return 'object';
  if (value && typeof value === 'object') return `{${Object.keys(value).map((key) => `${key}:${show(value[key])}`)}}`;
  return String(value);
}

let log = [];
let turn = 0;
function say(...parts) {
  if (log.length < 2000) log.push(`${turn} ${parts.join(' ')}`);
}
process.on('unhandledRejection', (error) => say('UNHANDLED', show(error)));
process.on('uncaughtException', (error) => say('UNCAUGHT', show(error)));

function program(seed) {
  const { below, chance, pick } = randomFrom(seed);
  let serial = 0;
  const readables = [];
  const writables = [];
  const readers = [];
  const writers = [];
  const controllers = [];

  const watch = (label, promise) => {
    if (typeof promise?.then !== 'function') return say(label, show(promise));
    promise.then((value) => say(label, 'ok', show(value)), (error) => say(label, 'failed', show(error)));
  };
  const later = (fn) => {
    switch (below(4)) {
      case 0: return fn();
      case 1: return Promise.resolve().then(fn);
      case 2: return new Promise((resolve) => process.nextTick(resolve)).then(fn);
      default: return new Promise((resolve) => setImmediate(resolve)).then(fn);
    }
  };
  const chunk = (bytes) => (bytes ? new Uint8Array(Array.from({ length: 1 + below(5) }, () => below(9))) : below(100));
  const strategy = () => pick(undefined, { highWaterMark: below(4) }, new CountQueuingStrategy({ highWaterMark: below(3) }));

  function addReadable(stream, name, bytes) {
    stream.tag = name;
    stream.bytes = bytes;
    readables.push(stream);
  }
  function makeReadable() {
    const name = `r${readables.length}`;
    const bytes = chance(35);
    const source = {};
    let left = below(6);
    if (bytes) {
      source.type = 'bytes';
      if (chance(30)) source.autoAllocateChunkSize = 1 + below(4);
    }
    source.start = (controller) => {
      controllers.push(controller);
      controller.bytes = bytes;
      say(name, 'start', controller.desiredSize);
      if (chance(30)) return later(() => (chance(5) ? Promise.reject(new Error('start')) : undefined));
    };
    if (chance(80)) {
      source.pull = (controller) => {
        say(name, 'pull', controller.desiredSize);
        if (chance(4)) throw new Error('pull');
        const give = () => {
          const request = controller.byobRequest;
          if (left-- <= 0) {
            controller.close();
            controller.byobRequest?.respond(0);
          } else if (request && chance(60)) {
            request.view[0] = 7;
            request.respond(1 + below(request.view.byteLength));
          } else {
            controller.enqueue(chunk(bytes));
          }
        };
        const tried = () => {
          try {
            give();
          } catch (error) {
            say(name, 'pull threw', show(error));
          }
        };
        if (chance(70)) return later(tried);
        tried();
      };
    }
    if (chance(50)) {
      source.cancel = (reason) => {
        say(name, 'cancel', show(reason));
        if (chance(10)) throw new Error('cancel');
        return chance(50) ? later(() => 'c') : undefined;
      };
    }
    addReadable(new ReadableStream(source, bytes ? pick(undefined, { highWaterMark: below(5) }) : strategy()), name, bytes);
  }
  function makeWritable() {
    const name = `w${writables.length}`;
    const sink = {};
    const maybe = (label) => {
      say(name, label);
      if (chance(5)) throw new Error(label);
      return chance(60) ? later(() => (chance(4) ? Promise.reject(new Error(`late ${label}`)) : undefined)) : undefined;
    };
    if (chance(60)) {
      sink.start = (controller) => {
        controllers.push(controller);
        return chance(40) ? maybe('start') : undefined;
      };
    }
    if (chance(80)) sink.write = (value) => maybe(`write ${show(value)}`);
    if (chance(60)) sink.close = () => maybe('close');
    if (chance(60)) sink.abort = (reason) => maybe(`abort ${show(reason)}`);
    const stream = new WritableStream(sink, strategy());
    stream.tag = name;
    writables.push(stream);
  }
  function makeTransform() {
    const name = `t${readables.length}`;
    const transformer = {};
    if (chance(80)) {
      transformer.transform = (value, controller) => {
        say(name, 'transform', show(value));
        if (chance(4)) throw new Error('transform');
        for (let i = below(3); i > 0; i--) controller.enqueue(value);
        if (chance(3)) controller.terminate();
        return chance(40) ? later(() => {}) : undefined;
      };
    }
    if (chance(40)) {
      transformer.flush = (controller) => {
        say(name, 'flush');
        controller.enqueue('end');
        if (chance(8)) throw new Error('flush');
      };
    }
    if (chance(40)) {
      transformer.cancel = (reason) => {
        say(name, 'cancel', show(reason));
        return chance(50) ? later(() => {}) : undefined;
      };
    }
    const stream = new TransformStream(transformer, strategy(), strategy());
    addReadable(stream.readable, `${name}r`, false);
    stream.writable.tag = `${name}w`;
    writables.push(stream.writable);
    return stream;
  }

  const any = (list) => list[below(list.length)];
  const actions = [
    function getReader() {
      const stream = any(readables);
      const byob = stream.bytes && chance(50);
      const reader = stream.getReader(byob ? { mode: 'byob' } : undefined);
      reader.byob = byob;
      reader.tag = `reader${readers.length}:${stream.tag}`;
      readers.push(reader);
      watch(`${reader.tag} closed`, reader.closed);
    },
    function read() {
      const reader = any(readers);
      if (!reader) return;
      const id = ++serial;
      const view = pick(() => new Uint8Array(1 + below(6)), () => new Uint16Array(1 + below(3)), () => new DataView(new ArrayBuffer(3)))();
      watch(`${reader.tag} read${id}`, reader.byob ? reader.read(view, ...(chance(20) ? [{ min: 1 }] : [])) : reader.read());
    },
    function releaseReader() { if (chance(30)) any(readers)?.releaseLock(); },
    function cancelReader() { if (chance(40) && readers.length) watch('cancel by reader', any(readers).cancel('rc')); },
    function cancel() { if (chance(40)) watch('cancel', any(readables).cancel('c')); },
    function getWriter() {
      const stream = any(writables);
      if (!stream) return;
      const writer = stream.getWriter();
      writer.tag = `writer${writers.length}:${stream.tag}`;
      writer.stream = stream;
      writers.push(writer);
      watch(`${writer.tag} closed`, writer.closed);
      watch(`${writer.tag} ready`, writer.ready);
    },
    function write() {
      const writer = any(writers);
      // Node 20 breaks off when a closed stream is written to.
      if (!writer || writer.stream.closing || inspect(writer.stream).includes("'closed'")) return;
      watch(`${writer.tag} write${++serial}`, writer.write(below(50)));
      say('desired', writer.desiredSize);
      if (chance(30)) watch(`${writer.tag} ready`, writer.ready);
    },
    function closeWriter() {
      if (!chance(30) || !writers.length) return;
      const writer = any(writers);
      writer.stream.closing = true;
      watch('close', writer.close());
    },
    function abortWriter() { if (chance(25) && writers.length) watch('abort', any(writers).abort(new Error('a'))); },
    function releaseWriter() { if (chance(25)) any(writers)?.releaseLock(); },
    function abort() { if (chance(25) && writables.length) watch('abort stream', any(writables).abort('as')); },
    function control() {
      const controller = any(controllers);
      if (!controller) return;
      const what = below(6);
      if (what === 0) controller.error(new Error('ce'));
      else if (what === 1) controller.close?.();
      else if (controller.enqueue) controller.enqueue(chunk(controller.bytes));
      say('controlled', controller.desiredSize);
    },
    function pipeTo() {
      const from = any(readables);
      const to = any(writables);
      if (!to) return;
      const options = {};
      for (const key of ['preventClose', 'preventAbort', 'preventCancel']) if (chance(15)) options[key] = true;
      if (chance(15)) {
        const controller = new AbortController();
        options.signal = controller.signal;
        later(() => controller.abort('signal'));
      }
      watch(`pipe ${from.tag} ${to.tag}`, from.pipeTo(to, options));
    },
    function pipeThrough() {
      const from = any(readables);
      from.pipeThrough(makeTransform());
    },
    function tee() {
      const from = any(readables);
      const name = from.tag;
      from.tee().forEach((branch, i) => addReadable(branch, `${name}.${i}`, from.bytes));
    },
    function iterate() {
      const from = any(readables);
      const stopAt = chance(30) ? below(3) : Infinity;
      const options = chance(20) ? { preventCancel: true } : undefined;
      const run = async () => {
        let n = 0;
        for await (const value of from.values(options)) {
          say(from.tag, 'iterated', show(value));
          if (n++ >= stopAt) break;
        }
      };
      watch(`iterate ${from.tag}`, run());
    },
    function from() {
      const items = [1, Promise.resolve(2), 3];
      addReadable(ReadableStream.from(chance(50) ? items : async function* () { yield* items; }()), `f${readables.length}`, false);
    },
    function locked() { say(readables.map((one) => one.locked), writables.map((one) => one.locked)); },
  ];
  function act() {
    const action = any(actions);
    try {
      action();
      say(action.name);
    } catch (error) {
      say(action.name, 'throws', show(error));
    }
  }
  makeReadable();
  if (chance(60)) makeWritable();
  if (chance(30)) makeTransform();
  if (chance(20)) makeReadable();
  const plan = (left) => {
    for (let i = 1 + below(6); i > 0; i--) {
      if (chance(65)) act();
      else later(act);
    }
    if (left > 0) setImmediate(() => plan(left - 1));
  };
  plan(2 + below(4));
}

function hash(lines) {
  let h = 0x811c9dc5;
  for (const line of lines) {
    for (let i = 0; i < line.length; i++) h = Math.imul(h ^ line.charCodeAt(i), 0x01000193);
  }
  return (h >>> 0).toString(16).padStart(8, '0');
}

function runSeed(seed) {
  log = [];
  turn = 0;
  try {
    program(seed);
  } catch (error) {
    say('program threw', show(error));
  }
  const step = () => {
    if (++turn < 14) {
      setImmediate(step);
      return;
    }
    const mine = log;
    log = [];
    console.log(showLogs ? `seed ${seed}\n${mine.join('\n')}` : `${seed} ${hash(mine)}`);
    if (seed + 1 < first + count) setImmediate(runSeed, seed + 1);
    else process.exit();
  };
  setImmediate(step);
}
runSeed(first);
