// Random programs on streams, each with a log of all that happens and when. The log of a seed has to
// be the same under Node 20 and under Hemiola.
//
//     hemiola run fuzz.js FIRST COUNT         prints a hash of the log of each seed
//     hemiola run fuzz.js FIRST COUNT --log   prints the logs themselves
'use strict';

const stream = require('stream');
const { Readable, Writable, Duplex, Transform, PassThrough } = stream;

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
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Error) {
    const inner = value.errors ? `[${value.errors.map(show)}]` : '';
    return `${value.name}(${value.code ?? ''} ${value.message})${inner}`;
  }
  if (Buffer.isBuffer(value)) return `<${value.toString('hex')}>`;
  if (Array.isArray(value)) return `[${value.map(show)}]`;
  if (typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return 'function';
  if (value?.pipe) return value.tag ?? 'a stream';
  if (value && typeof value === 'object') return `{${Object.keys(value).map((key) => `${key}:${show(value[key])}`)}}`;
  return String(value);
}

// Where we are: the turn of the loop, and how many ticks and microtasks it has had.
let log = [];
let turn = 0;
let ticks = 0;
let micro = 0;
let stopped = false;
function say(...parts) {
  if (log.length < 3000 && !stopped) log.push(`${turn}.${ticks}.${micro} ${parts.join(' ')}`);
}

function countTicks() {
  const mine = turn;
  ticks = 0;
  micro = 0;
  let left = 15;
  const tick = () => {
    if (turn !== mine || left-- === 0) return;
    ticks++;
    process.nextTick(tick);
  };
  process.nextTick(tick);
  let rest = 40;
  const job = () => {
    if (turn !== mine || rest-- === 0) return;
    micro++;
    Promise.resolve().then(job);
  };
  Promise.resolve().then(job);
}

// What runs after an uncaught error, and when, is not about streams.
process.on('uncaughtException', (error) => {
  say('UNCAUGHT', show(error));
  stopped = true;
});
process.on('unhandledRejection', (error) => say('UNHANDLED', show(error)));
require('events').defaultMaxListeners = 0;

function program(seed) {
  const { below, chance, pick } = randomFrom(seed);
  const streams = [];
  let serial = 0;

  const text = () => pick('', 'a', 'bc', 'def', 'é', '€uro', '😀', 'ffff', '616263', 'xyzzyxyzzy');
  const bytes = () => (chance(50) ? Buffer.from(text()) : Buffer.from([0xe2, 0x82, 0xac, 0xf0].slice(below(4), 1 + below(4))));
  const chunkFor = (objectMode) => {
    if (chance(3)) return pick(null, undefined, 5, {});
    if (objectMode) return pick(() => below(10), () => text(), () => ({ n: below(9) }), () => bytes(), () => [below(3)])();
    return chance(60) ? text() : chance(85) ? bytes() : new Uint8Array([65 + below(20), 66]);
  };
  const encoding = () => pick(undefined, undefined, undefined, 'utf8', 'latin1', 'hex', 'base64', 'utf16le', 'bogus');
  const later = (fn) => {
    switch (below(5)) {
      case 0: case 1: return fn();
      case 2: return process.nextTick(fn);
      case 3: return void Promise.resolve().then(fn);
      default: return void setImmediate(fn);
    }
  };
  const maybeError = (percent) => (chance(percent) ? new Error(`e${++serial}`) : undefined);

  function common(name) {
    const options = {};
    if (chance(60)) options.highWaterMark = pick(0, 1, 2, 3, 5, 16);
    if (chance(35)) options.objectMode = true;
    if (chance(12)) options.autoDestroy = false;
    if (chance(8)) options.emitClose = false;
    if (chance(10)) options.captureRejections = true;
    if (chance(12)) {
      options.construct = function(callback) {
        say(name, '_construct');
        const error = maybeError(15);
        later(() => callback(error));
      };
    }
    if (chance(15)) {
      options.destroy = function(error, callback) {
        say(name, '_destroy', show(error));
        const reason = chance(15) ? new Error('d') : error;
        later(() => callback(reason));
      };
    }
    return options;
  }
  function reading(name, options) {
    if (chance(20)) options.encoding = pick('utf8', 'hex', 'base64', 'utf16le', 'latin1');
    let left = below(7);
    const objectMode = options.objectMode || options.readableObjectMode;
    const style = below(6);
    options.read = function(n) {
      say(name, '_read', n);
      const give = () => {
        if (left-- <= 0) {
          if (style !== 5) say(name, 'push null', this.push(null));
          return;
        }
        const chunk = objectMode ? below(100) : text() || 'k';
        say(name, 'push', show(chunk), this.push(chunk));
      };
      switch (style) {
        case 0: give(); break;
        case 1: give(); if (left > 0) give(); break;
        case 2: process.nextTick(give); break;
        case 3: setImmediate(give); break;
        case 4: later(give); break;
        default: if (chance(10)) throw new Error('read'); else later(give);
      }
    };
    return options;
  }
  function writing(name, options) {
    if (chance(15)) options.decodeStrings = false;
    if (chance(10)) options.defaultEncoding = pick('latin1', 'utf8', 'hex');
    const style = below(5);
    const finish = (callback, percent) => {
      const error = maybeError(percent);
      switch (style) {
        case 0: callback(error); break;
        case 1: process.nextTick(callback, error); break;
        case 2: setImmediate(callback, error); break;
        default: later(() => callback(error));
      }
    };
    options.write = function(chunk, enc, callback) {
      say(name, '_write', show(chunk), enc);
      finish(callback, 4);
      if (chance(1)) finish(callback, 50);
    };
    if (chance(25)) {
      options.writev = function(chunks, callback) {
        say(name, '_writev', show(chunks.map((one) => one.chunk)), chunks.allBuffers);
        finish(callback, 4);
      };
    }
    if (chance(35)) {
      options.final = function(callback) {
        say(name, '_final');
        finish(callback, 10);
      };
    }
    return options;
  }
  const sides = (options) => {
    if (chance(20)) options.readableObjectMode = true;
    if (chance(20)) options.writableObjectMode = true;
    if (chance(15)) options.readableHighWaterMark = pick(0, 1, 4);
    if (chance(15)) options.writableHighWaterMark = pick(0, 1, 4);
    if (chance(25)) options.allowHalfOpen = false;
    if (chance(5)) options.readable = false;
    if (chance(5)) options.writable = false;
    return options;
  };
  function transforming(name, options) {
    options.transform = function(chunk, enc, callback) {
      say(name, '_transform', show(chunk), enc);
      const extra = below(3);
      const error = maybeError(4);
      later(() => {
        for (let i = 0; i < extra; i++) say(name, 'push', this.push(chunk));
        if (chance(50)) callback(error);
        else callback(error, chunk);
      });
    };
    if (chance(40)) {
      options.flush = function(callback) {
        say(name, '_flush');
        const error = maybeError(8);
        later(() => callback(error, chance(50) ? 'last' : undefined));
      };
    }
    if (chance(15)) {
      options.final = function(callback) {
        say(name, '_final');
        later(callback);
      };
    }
    return options;
  }

  function makeStream() {
    const name = `s${streams.length}`;
    const kind = pick('Readable', 'Readable', 'Writable', 'Writable', 'Duplex', 'Transform', 'Transform', 'PassThrough', 'from');
    let one;
    if (kind === 'Readable') one = new Readable(reading(name, common(name)));
    else if (kind === 'Writable') one = new Writable(writing(name, common(name)));
    else if (kind === 'Duplex') one = new Duplex(writing(name, reading(name, sides(common(name)))));
    else if (kind === 'Transform') one = new Transform(transforming(name, sides(common(name))));
    else if (kind === 'PassThrough') one = new PassThrough(sides(common(name)));
    else one = fromIterable(name);
    one.tag = name;
    say(name, 'is', kind);
    streams.push(one);
    const events = ['close', 'end', 'finish', 'prefinish', 'drain', 'pause', 'resume', 'pipe', 'unpipe'];
    for (const event of events) one.on(event, (value) => say(name, event, show(value)));
    if (!chance(4)) one.on('error', (error) => say(name, 'error', show(error)));
    if (one.read && chance(30)) one.on('data', listeners.data(name));
    if (one.read && chance(15)) one.on('readable', listeners.readable(name, one, below(3)));
  }
  const listeners = {
    data: (name) => (chunk) => {
      say(name, 'data', show(chunk));
    },
    readable: (name, one, style) => () => {
      say(name, 'readable', one.readableLength);
      if (style === 1) for (let chunk; (chunk = one.read()) !== null;) say(name, 'took', show(chunk));
      else if (style === 2) say(name, 'took', show(one.read(1 + below(3))));
    },
  };
  function fromIterable(name) {
    const items = Array.from({ length: below(5) }, () => chunkFor(true));
    const failsAt = chance(15) ? below(5) : -1;
    const isPromise = chance(20);
    switch (below(4)) {
      case 0: return Readable.from(isPromise ? items.map((one) => Promise.resolve(one)) : items);
      case 1: return Readable.from(function* () {
        try {
          for (const item of items) yield item;
          if (failsAt >= 0) throw new Error('gen');
        } finally {
          say(name, 'generator done');
        }
      }());
      case 2: return Readable.from(async function* () {
        try {
          for (const item of items) {
            if (chance(30)) await new Promise(setImmediate);
            yield item;
          }
          if (failsAt >= 0) throw new Error('gen');
        } finally {
          say(name, 'generator done');
        }
      }());
      default: return Readable.from(chance(50) ? 'some text' : Buffer.from('bytes'), chance(50) ? undefined : { objectMode: false });
    }
  }

  const one = () => streams[below(streams.length)];
  const source = () => streams.filter((it) => it.read)[0] ?? one();
  const called = (label) => (...args) => say('callback', label, args.map(show).join());

  const actions = [
    [16, function write() {
      const to = one();
      if (!to.write) return 'none';
      const id = ++serial;
      const args = [chunkFor(to.writableObjectMode)];
      if (chance(30)) args.push(encoding());
      if (chance(40)) args.push(called(`write${id}`));
      return `${to.tag} ${show(args[0])} ${to.write(...args)}`;
    }],
    [6, function end() {
      const to = one();
      if (!to.end) return 'none';
      const args = chance(40) ? [chunkFor(to.writableObjectMode)] : [];
      if (chance(40)) args.push(called(`end${++serial}`));
      return `${to.tag} ${to.end(...args) === to}`;
    }],
    [8, function push() {
      const to = one();
      if (!to.push) return 'none';
      const chunk = chunkFor(to.readableObjectMode);
      return `${to.tag} ${show(chunk)} ${to.push(chunk, encoding())}`;
    }],
    [4, function unshift() {
      const to = one();
      if (!to.unshift) return 'none';
      const chunk = chunkFor(to.readableObjectMode);
      return `${to.tag} ${show(chunk)} ${to.unshift(chunk)}`;
    }],
    [8, function read() {
      const from = one();
      if (!from.read) return 'none';
      const n = pick(undefined, undefined, 0, 1, 2, 3, 7, 20, '2', -1);
      return `${from.tag} ${n} ${show(n === undefined ? from.read() : from.read(n))}`;
    }],
    [5, function pause() { return one().pause?.().tag; }],
    [5, function resume() { return one().resume?.().tag; }],
    [8, function pipe() {
      const from = source();
      const to = one();
      if (from === to || !to.write) return 'none';
      return `${from.tag} ${to.tag} ${from.pipe(to, chance(20) ? { end: false } : undefined)?.tag}`;
    }],
    [3, function unpipe() {
      const from = one();
      return from.unpipe?.(chance(50) ? undefined : one()).tag;
    }],
    [3, function cork() { one().cork?.(); return ''; }],
    [4, function uncork() { one().uncork?.(); return ''; }],
    [4, function destroy() {
      const it = one();
      const args = chance(50) ? [maybeError(80)] : [];
      if (chance(20)) args.push(...(args.length ? [] : [undefined]), called(`destroy${++serial}`));
      return `${it.tag} ${it.destroy(...args) === it}`;
    }],
    [2, function setEncoding() {
      const it = one();
      return `${it.tag} ${it.setEncoding?.(pick('utf8', 'hex', 'base64', 'utf16le')) === it}`;
    }],
    [3, function onData() {
      const it = one();
      if (it.read) it.on('data', listeners.data(`${it.tag}+`));
      return it.tag;
    }],
    [3, function onReadable() {
      const it = one();
      if (it.read) it.on('readable', listeners.readable(`${it.tag}+`, it, below(3)));
      return it.tag;
    }],
    [2, function offData() { const it = one(); it.removeAllListeners('data'); return it.tag; }],
    [2, function offReadable() { const it = one(); it.removeAllListeners('readable'); return it.tag; }],
    [4, function finished() {
      const it = one();
      const options = {};
      if (chance(25)) options.readable = chance(50);
      if (chance(25)) options.writable = chance(50);
      if (chance(15)) options.error = false;
      const stop = stream.finished(it, options, called(`finished ${it.tag} ${show(options)}`));
      if (chance(10)) later(stop);
      return it.tag;
    }],
    [4, function pipeline() {
      const from = source();
      const parts = [from];
      for (let i = below(3); i > 0; i--) {
        parts.push(chance(40)
          ? new Transform(transforming('tp', sides(common('tp'))))
          : chance(40)
            ? async function* (chunks) { for await (const chunk of chunks) { if (!chance(15)) yield chunk; } }
            : new PassThrough({ objectMode: chance(50) }));
      }
      const last = streams.filter((it) => it.write && it !== from)[0];
      if (last && chance(70)) parts.push(last);
      else if (chance(60)) parts.push(async (chunks) => { let n = 0; for await (const chunk of chunks) n++; return n; });
      if (parts.length < 2) parts.push(new PassThrough());
      if (chance(30)) {
        const signal = chance(40) ? new AbortController() : undefined;
        if (signal) setImmediate(() => signal.abort(chance(50) ? undefined : 'why'));
        stream.promises.pipeline(...parts, { signal: signal?.signal, end: !chance(20) })
          .then(called('pipeline resolved'), called('pipeline rejected'));
      } else {
        stream.pipeline(...parts, called(`pipeline${++serial}`));
      }
      return parts.map((it) => it.tag ?? it.constructor.name).join();
    }],
    [3, function iterate() {
      const it = source();
      if (!it.read) return 'none';
      const stopAt = chance(30) ? below(4) : Infinity;
      const options = chance(30) ? { destroyOnReturn: chance(50) } : undefined;
      (async () => {
        let n = 0;
        for await (const chunk of options ? it.iterator(options) : it) {
          say(it.tag, 'iterated', show(chunk));
          if (n++ >= stopAt) break;
        }
      })().then(called(`iterate ${it.tag}`), called(`iterate ${it.tag} failed`));
      return it.tag;
    }],
    [3, function operate() {
      const it = source();
      if (!it.map) return 'none';
      const done = called('operator');
      const failed = called('operator failed');
      const options = chance(30) ? { concurrency: 1 + below(3) } : undefined;
      const slow = async (value) => {
        if (chance(20)) await new Promise(setImmediate);
        if (chance(5)) throw new Error('op');
        return value;
      };
      switch (below(9)) {
        case 0: it.map(slow, options).toArray().then(done, failed); break;
        case 1: it.filter((value) => slow(value) && chance(50), options).toArray().then(done, failed); break;
        case 2: it.take(below(3)).toArray().then(done, failed); break;
        case 3: it.drop(below(3)).toArray().then(done, failed); break;
        case 4: it.forEach(slow, options).then(done, failed); break;
        case 5: it.reduce((sum, value) => sum + show(value), '').then(done, failed); break;
        case 6: it.some((value) => chance(30), options).then(done, failed); break;
        case 7: it.find((value) => chance(30), options).then(done, failed); break;
        default: it.flatMap((value) => [value, value], options).toArray().then(done, failed);
      }
      return it.tag;
    }],
    [1, function compose() {
      const it = stream.compose(
        new Transform(transforming('ca', sides(common('ca')))),
        chance(50) ? new PassThrough() : async function* (chunks) { for await (const chunk of chunks) yield chunk; });
      it.tag = `s${streams.length}`;
      for (const event of ['close', 'end', 'finish', 'error']) it.on(event, (value) => say(it.tag, event, show(value)));
      streams.push(it);
      return it.tag;
    }],
    [1, function duplexFrom() {
      const it = Duplex.from(pick(
        () => ({ readable: source().read ? source() : undefined, writable: new PassThrough() }),
        () => async function* (chunks) { for await (const chunk of chunks) yield chunk; },
        () => Promise.resolve('p'),
        () => [1, 2, 3])());
      it.tag = `s${streams.length}`;
      for (const event of ['close', 'end', 'finish', 'error']) it.on(event, (value) => say(it.tag, event, show(value)));
      streams.push(it);
      return it.tag;
    }],
    [1, function addAbortSignal() {
      const controller = new AbortController();
      const it = one();
      stream.addAbortSignal(controller.signal, it);
      later(() => controller.abort());
      return it.tag;
    }],
  ];
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);
  function act() {
    let at = below(total);
    const [, action] = actions.find(([weight]) => (at -= weight) < 0);
    let result;
    try {
      result = action();
    } catch (error) {
      result = `throws ${show(error)}`;
    }
    say(action.name, result);
    snapshot();
  }

  const readFields = ['flowing', 'ended', 'endEmitted', 'reading', 'sync', 'needReadable', 'emittedReadable', 'readableListening',
    'resumeScheduled', 'errorEmitted', 'destroyed', 'closed', 'closeEmitted', 'readingMore', 'dataEmitted', 'length',
    'constructed', 'multiAwaitDrain', 'paused'];
  const writeFields = ['needDrain', 'ending', 'ended', 'finished', 'destroyed', 'writing', 'sync', 'bufferProcessing', 'prefinished',
    'errorEmitted', 'closed', 'closeEmitted', 'finalCalled', 'length', 'corked', 'pendingcb', 'writelen', 'bufferedRequestCount',
    'constructed', 'allBuffers', 'allNoop', 'bufferedIndex'];
  const brief = (value) => (value === true ? 'T' : value === false ? 'F' : value === null ? 'N' : String(value));
  function snapshot() {
    for (const it of streams) {
      const parts = [it.tag];
      const { _readableState: r, _writableState: w } = it;
      if (r) {
        parts.push('R', readFields.map((field) => brief(r[field])).join(''), show(r.errored), r.pipes.length,
                   it.readable, it.readableAborted, it.readableEnded, it.isPaused());
      }
      if (w) {
        parts.push('W', writeFields.map((field) => brief(w[field])).join(''), show(w.errored),
                   it.writable, it.writableFinished, it.writableNeedDrain);
      }
      parts.push(stream.isReadable(it), stream.isErrored(it), stream.isDisturbed(it), it.destroyed, it.closed);
      say(parts.join(' '));
    }
  }

  for (let i = 1 + below(3); i > 0; i--) makeStream();
  const turns = 2 + below(4);
  const plan = (left) => {
    for (let i = below(5); i > 0; i--) {
      if (chance(60)) act();
      else later(act);
    }
    if (left > 0) setImmediate(() => plan(left - 1));
  };
  plan(turns);
  return { snapshot, streams };
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
  stopped = false;
  turn = 0;
  countTicks();
  const { snapshot } = program(seed);
  const step = () => {
    turn++;
    countTicks();
    if (turn < 14) {
      setImmediate(step);
      return;
    }
    snapshot();
    const mine = log;
    log = [];
    console.log(showLogs ? `seed ${seed}\n${mine.join('\n')}` : `${seed} ${hash(mine)}`);
    if (seed + 1 < first + count) setImmediate(runSeed, seed + 1);
    else process.exit();
  };
  setImmediate(step);
}
runSeed(first);
