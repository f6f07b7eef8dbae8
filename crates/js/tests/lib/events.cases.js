// EventEmitter and the statics of `events`.
const warnings = [];
if (onNode) {
  process.on('warning', (warning) => warnings.push(warning));
} else {
  binding.emitWarning = (warning) => warnings.push(warning);
  binding.nextTick = (callback, ...args) => Promise.resolve().then(() => callback(...args));
  binding.queueMicrotask = queueMicrotask;
  binding.now = () => 0;
  binding.born = 0;
  binding.reportException = (error) => { throw error; };
}
const EventEmitter = load('events');
const { once, on } = EventEmitter;
const { EventTarget, Event } = load('internal/event_target');
const { AbortController, AbortSignal } = load('internal/abort_controller');
const { inspect } = load(onNode ? 'util' : 'internal/util/inspect');

const later = () => new Promise((resolve) => (onNode ? setTimeout(resolve, 1) : os.setTimeout(resolve, 1)));
const message = (fn) => { try { return fn(); } catch (error) { return `${error.name} ${error.code} ${error.message}`; } };
// Runs a body with a log; the result is the log.
const logged = (label, body) => test(label, async () => {
  const log = [];
  const result = await body((...values) => log.push(values.map(String).join(' ')), new EventEmitter());
  if (result !== undefined) log.push(`=> ${String(result)}`);
  return log;
});
const names = (list) => list.map((fn) => fn.name || 'anonymous').join();

// What the module consists of.
const shape = (object) => Reflect.ownKeys(object).map((key) => {
  const { enumerable, writable, configurable, get, set, value } = Object.getOwnPropertyDescriptor(object, key);
  const flags = `${enumerable ? 'e' : ''}${writable ? 'w' : ''}${configurable ? 'c' : ''}${get ? 'g' : ''}${set ? 's' : ''}`;
  return `${String(key)} ${flags} ${typeof value === 'function' ? `${value.name}/${value.length}` : typeof value}`;
}).filter((line) => !/^(arguments|caller) /.test(line)).sort().join('\n');
test('statics', () => shape(EventEmitter));
test('prototype', () => shape(EventEmitter.prototype));
test('instance', () => shape(new EventEmitter()));
test('inspect', () => inspect(new EventEmitter()));
test('inspect of a subclass', () => inspect(new (class Sub extends EventEmitter { x = 1; })()));
test('inspect with listeners', () => inspect(new EventEmitter().on('a', function f() {}).once('a', function g() {})));
test('same class', () => EventEmitter === EventEmitter.EventEmitter && EventEmitter.prototype.on === EventEmitter.prototype.addListener);
test('symbols', () => [EventEmitter.errorMonitor, EventEmitter.captureRejectionSymbol].map(String));
test('usingDomains', () => EventEmitter.usingDomains);

// Adding and emitting.
for (const count of [0, 1, 2, 3, 4, 7]) {
  for (const listeners of [0, 1, 2, 3]) {
    logged(`emit ${count} arguments to ${listeners}`, (log, e) => {
      for (let i = 0; i < listeners; i++) e.on('x', function(...args) { log(i, this === e, args.length, args); });
      return e.emit('x', ...Array.from({ length: count }, (_, i) => i * 10));
    });
  }
}
for (const name of ['on', 'addListener', 'prependListener', 'once', 'prependOnceListener']) {
  logged(`${name} returns the emitter`, (log, e) => e[name]('x', () => {}) === e);
  for (const bad of [undefined, null, 1, 'text', {}, [], Symbol('s'), true]) {
    test(`${name} refuses ${String(bad)}`, () => new EventEmitter()[name]('x', bad));
  }
}
for (const bad of [undefined, null, 1, {}]) test(`off refuses ${bad}`, () => new EventEmitter().off('x', bad));
logged('order', (log, e) => {
  e.on('x', () => log('a')).prependListener('x', () => log('b')).on('x', () => log('c')).prependOnceListener('x', () => log('d')).once('x', () => log('e'));
  e.emit('x'); log('-'); e.emit('x');
});
logged('once', (log, e) => {
  e.once('x', function(...args) { log(this === e, args); e.emit('x', 'inner'); });
  return [e.emit('x', 1, 2), e.emit('x', 3), e.listenerCount('x')];
});
logged('once twice', (log, e) => { e.once('x', () => log(1)); e.once('x', () => log(2)); e.emit('x'); e.emit('x'); });
logged('raw once called by hand', (log, e) => {
  e.once('x', (v) => { log('called', v); return 'value'; });
  const [raw] = e.rawListeners('x');
  log(raw.name, typeof raw.listener); log(raw(5), e.listenerCount('x')); log(raw(6));
});
logged('added while emitting', (log, e) => { e.on('x', () => { log('a'); e.on('x', () => log('late')); }); e.emit('x'); log('-'); e.emit('x'); });
logged('removed while emitting', (log, e) => {
  const b = () => log('b');
  e.on('x', () => { log('a'); e.off('x', b); }); e.on('x', b);
  e.emit('x'); log('-'); e.emit('x');
});
logged('removeAllListeners while emitting', (log, e) => {
  e.on('x', () => { log('a'); e.removeAllListeners('x'); }); e.on('x', () => log('b')); return [e.emit('x'), e.emit('x')];
});
logged('throwing listener stops the rest', (log, e) => {
  e.on('x', () => { throw new Error('stop'); }); e.on('x', () => log('not reached')); return message(() => e.emit('x'));
});
logged('emit of unknown', (log, e) => [e.emit('nothing'), new EventEmitter().emit(Symbol('s'))]);
logged('arguments are shared values', (log, e) => { const o = {}; e.on('x', (a) => { a.n = 1; }); e.on('x', (a) => log(a.n, a === o)); e.emit('x', o); });

// Names.
for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '0', 'length', Symbol.iterator, Symbol('private')]) {
  logged(`name ${String(name)}`, (log, e) => {
    log(e.emit(name), e.listenerCount(name), e.listeners(name).length);
    e.on(name, (v) => log('heard', v)); e.emit(name, 1);
    log(e.eventNames().map(String)); e.removeAllListeners(name); log(e.eventNames().length, e.emit(name));
  });
}
for (const name of [1, null, undefined, true, { toString: () => 'o' }]) {
  logged(`name ${String(name)} becomes text`, (log, e) => { e.on(name, () => log('heard')); return [e.emit(String(name)), e.eventNames()]; });
}
logged('eventNames', (log, e) => {
  const s = Symbol('s'); e.on('b', () => {}); e.on(s, () => {}); e.on('a', () => {}); e.on('1', () => {}); e.once('c', () => {});
  log(e.eventNames().map(String)); e.emit('c'); e.removeAllListeners('b'); log(e.eventNames().map(String));
});

// Removing and asking.
logged('off takes the last of equals', (log, e) => {
  const f = () => log('f'); const g = () => log('g');
  e.on('x', f).on('x', g).on('x', f); e.off('x', f); e.emit('x'); e.off('x', f).off('x', f).off('x', g); return [e.emit('x'), e.eventNames().length];
});
logged('off of a once', (log, e) => { const f = () => log('f'); e.once('x', f); e.off('x', f); return e.emit('x'); });
logged('off of what is not there', (log, e) => { e.on('x', () => {}); e.off('x', () => {}).off('y', () => {}); return e.listenerCount('x'); });
logged('off without any', (log, e) => e.off('x', () => {}) === e);
logged('removeAllListeners', (log, e) => {
  e.on('a', () => {}).on('a', () => {}).on('b', () => {});
  log(e.removeAllListeners('a') === e, e.eventNames(), e._eventsCount); e.removeAllListeners('zz'); e.removeAllListeners(); log(e.eventNames().length, e._eventsCount);
});
logged('removeAllListeners(undefined)', (log, e) => { e.on('undefined', () => {}).on('b', () => {}); e.removeAllListeners(undefined); return e.eventNames(); });
logged('listeners', (log, e) => {
  const f = () => {}; function g() {}
  e.on('x', f); log(names(e.listeners('x')), names(e.rawListeners('x')));
  e.once('x', g); log(names(e.listeners('x')), names(e.rawListeners('x')));
  const copy = e.listeners('x'); copy.pop(); log(e.listeners('x').length, e.listeners('none').length, e.rawListeners('none').length);
});
logged('listenerCount', (log, e) => {
  const f = () => {}; const g = () => {};
  e.on('x', f); log(e.listenerCount('x'), e.listenerCount('x', f), e.listenerCount('x', g), e.listenerCount('x', null));
  e.once('x', g).on('x', f); log(e.listenerCount('x'), e.listenerCount('x', f), e.listenerCount('x', g), e.listenerCount('y', f), e.listenerCount('x', undefined));
  log(EventEmitter.listenerCount(e, 'x'), EventEmitter.listenerCount({ listenerCount: () => 42 }, 'x'), EventEmitter.listenerCount({}, 'x'));
});

// newListener and removeListener.
logged('newListener', (log, e) => {
  const f = () => log('f'); e.on('newListener', (type, fn) => log('new', String(type), fn === f, e.listenerCount(type)));
  e.on('x', f); e.once('x', f); e.prependListener('y', f); e.on('newListener', () => {}); e.on(Symbol('s'), f);
});
logged('newListener once adds before', (log, e) => {
  e.once('newListener', (type) => { if (type === 'x') e.on('x', () => log('B')); }); e.on('x', () => log('A')); e.emit('x');
});
logged('removeListener', (log, e) => {
  const f = () => {}; const g = () => {};
  e.on('removeListener', (type, fn) => log('gone', type, fn === f, fn === g, e.listenerCount(type)));
  e.on('x', f).on('x', g).once('x', f).once('y', g); e.off('x', f); e.off('x', f); e.off('x', g); e.emit('y'); e.off('none', f);
  e.on('z', f).on('z', g).on('w', g); e.removeAllListeners('z'); log('-'); e.removeAllListeners(); log(e.eventNames().length, e._eventsCount);
});
logged('removeListener with a raw once', (log, e) => {
  const f = () => {}; e.on('removeListener', (type, fn) => log(type, fn === f, typeof fn.listener));
  e.once('x', f); e.off('x', e.rawListeners('x')[0]); e.once('x', f).on('x', () => {}); e.off('x', e.rawListeners('x')[0]);
});
logged('removeListener heard while once fires', (log, e) => { e.on('removeListener', (t) => log('removed', t)); e.once('x', () => log('x')); e.emit('x'); });
logged('removing removeListener', (log, e) => { const f = () => log('heard'); e.on('removeListener', f); e.off('removeListener', f); e.on('removeListener', f).on('removeListener', f); e.off('removeListener', f); });

// Errors.
for (const value of [undefined, null, 0, 'text', {}, { a: 1 }, [1, 2], Symbol('s'), 5n, () => {}, Object.create(null), new Map([[1, 2]])]) {
  logged(`error ${typeof value} ${Array.isArray(value)}`, (log, e) => {
    try { e.emit('error', value); } catch (error) { log(error.name, error.code, error.message, error.context === value, Object.keys(error)); }
  });
}
logged('error without a value', (log, e) => message(() => e.emit('error')));
logged('error with an error', (log, e) => { const given = new TypeError('mine'); try { e.emit('error', given); } catch (error) { log(error === given, Object.keys(error)); } });
logged('error that cannot be inspected', (log, e) => message(() => e.emit('error', { [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('no'); } })));
logged('error heard', (log, e) => { e.on('error', (error, more) => log(error.message, more)); return e.emit('error', new Error('x'), 5); });
logged('error without constructor', () => { const e = Object.create(EventEmitter.prototype); return message(() => e.emit('error', new Error('bare'))); });
logged('monitor', (log, e) => {
  e.on(EventEmitter.errorMonitor, (error, extra) => log('monitor', error.message, extra));
  log(message(() => e.emit('error', new Error('one'), 1))); e.on('error', () => log('handler')); return e.emit('error', new Error('two'));
});
logged('monitor that adds a handler', (log, e) => { e.on(EventEmitter.errorMonitor, () => e.on('error', () => log('handled'))); return message(() => e.emit('error', new Error('x'))); });

// Limits.
const limitCase = (label, body) => logged(label, async (log, e) => {
  warnings.length = 0;
  await body(log, e);
  await later();
  for (const w of warnings) log(w.name, w.message, String(w.type), w.count, w.emitter === e, Object.keys(w));
});
limitCase('eleventh listener warns', (log, e) => { for (let i = 0; i < 13; i++) e.on('x', () => {}); });
limitCase('ten do not', (log, e) => { for (let i = 0; i < 10; i++) e.on('x', () => {}); });
limitCase('setMaxListeners', (log, e) => { log(e.setMaxListeners(1) === e, e.getMaxListeners()); e.on(Symbol('s'), () => {}); e.on('x', () => {}).once('x', () => {}); });
limitCase('no limit', (log, e) => { e.setMaxListeners(0); for (let i = 0; i < 20; i++) e.on('x', () => {}); });
limitCase('infinite', (log, e) => { e.setMaxListeners(Infinity); for (let i = 0; i < 20; i++) e.on('x', () => {}); });
limitCase('each event warns once', (log, e) => { e.setMaxListeners(1); for (const n of ['a', 'b', 'a', 'b', 'a']) e.prependListener(n, () => {}); });
limitCase('subclass in the message', (log) => { const s = new (class Sub extends EventEmitter {})(); s.setMaxListeners(1); s.on('x', () => {}).on('x', () => {}); });
limitCase('default', (log, e) => {
  EventEmitter.defaultMaxListeners = 2;
  try { log(e.getMaxListeners()); for (let i = 0; i < 3; i++) e.on('x', () => {}); } finally { EventEmitter.defaultMaxListeners = 10; }
});
for (const bad of [-1, NaN, 'x', null, {}, 1n]) {
  test(`setMaxListeners ${String(bad)}`, () => new EventEmitter().setMaxListeners(bad));
  test(`defaultMaxListeners ${String(bad)}`, () => { EventEmitter.defaultMaxListeners = bad; });
  test(`static setMaxListeners ${String(bad)}`, () => EventEmitter.setMaxListeners(bad));
}
test('static setMaxListeners of several', () => {
  const e = new EventEmitter(); const t = new EventTarget(); EventEmitter.setMaxListeners(5, e, t);
  return [e.getMaxListeners(), EventEmitter.getMaxListeners(e), EventEmitter.getMaxListeners(t), EventEmitter.getMaxListeners(new EventTarget())];
});
test('static setMaxListeners for all', () => { EventEmitter.setMaxListeners(7); const n = EventEmitter.defaultMaxListeners; EventEmitter.setMaxListeners(10); return n; });
test('static setMaxListeners of something else', () => EventEmitter.setMaxListeners(1, {}));
for (const bad of [{}, null, undefined, 1]) test(`static getMaxListeners ${bad}`, () => EventEmitter.getMaxListeners(bad));
test('getEventListeners', () => {
  const f = () => {}; const e = new EventEmitter().on('x', f).once('x', f); const t = new EventTarget(); t.addEventListener('x', f); t.addEventListener('x', () => {}, { capture: true });
  return [EventEmitter.getEventListeners(e, 'x').map((l) => l === f), EventEmitter.getEventListeners(t, 'x').map((l) => l === f), EventEmitter.getEventListeners(t, 'y').length];
});
test('getEventListeners of something else', () => EventEmitter.getEventListeners({}, 'x'));

// Subclasses.
logged('class', (log) => { class A extends EventEmitter { constructor() { super(); this.n = 1; } } const a = new A(); a.on('x', function() { log(this.n, this instanceof A); }); a.emit('x'); });
logged('function that calls the constructor', (log) => {
  function A() { EventEmitter.call(this); } Object.setPrototypeOf(A.prototype, EventEmitter.prototype);
  const [a, b] = [new A(), new A()]; a.on('x', () => log('a')); return [a.emit('x'), b.emit('x')];
});
logged('function that does not', (log) => {
  function A() {} Object.setPrototypeOf(A.prototype, EventEmitter.prototype);
  const [a, b] = [new A(), new A()]; log(a.emit('x'), a.listeners('x').length, a.eventNames().length, a.removeAllListeners() === a, a.getMaxListeners());
  a.on('x', () => log('a')); return [a.emit('x'), b.emit('x'), a._eventsCount];
});
logged('mixed into an object', (log) => { const o = Object.assign({}, EventEmitter.prototype); EventEmitter.call(o); o.on('x', (v) => log(v)); return o.emit('x', 1); });
logged('prototype that is an emitter', (log) => {
  function A() { EventEmitter.call(this); } A.prototype = new EventEmitter();
  const [a, b] = [new A(), new A()]; a.on('x', () => log('a')); return [a.emit('x'), b.emit('x')];
});
logged('table laid out before', (log) => {
  function S() { this._events = { close: undefined, error: undefined, data: undefined }; EventEmitter.call(this); }
  Object.setPrototypeOf(S.prototype, EventEmitter.prototype); const s = new S(); const f = () => log('data');
  log(inspect(s)); s.on('data', f); log(s.eventNames(), s.listenerCount('close'), s.emit('close')); s.emit('data'); s.off('data', f);
  log(inspect(s._events), s._eventsCount, s.eventNames().length); s.on('removeListener', (t) => log('gone', t)); s.on('data', f); s.off('data', f); s.removeAllListeners(); log(inspect(s._events));
});

// Rejections.
const rejectionCase = (label, options, body) => logged(label, async (log) => {
  const e = new EventEmitter(options);
  await body(log, e);
  await later();
});
rejectionCase('rejection becomes an error', { captureRejections: true }, (log, e) => { e.on('error', (error) => log('error', error.message)); e.on('x', async () => { throw new Error('later'); }); return void e.emit('x'); });
rejectionCase('rejection goes to the method', { captureRejections: true }, (log, e) => {
  e[Symbol.for('nodejs.rejection')] = (error, type, ...args) => log(error.message, type, args); e.on('x', async () => { throw new Error('later'); }); e.on('x', async () => { throw new Error('too'); }); e.emit('x', 1, 2);
});
rejectionCase('any thenable', { captureRejections: true }, (log, e) => { e.on('error', (v) => log('error', v)); e.on('x', () => ({ then(ok, fail) { log(ok, typeof fail); fail('thenable'); } })); e.emit('x'); });
rejectionCase('then that throws', { captureRejections: true }, (log, e) => { e.on('error', (v) => log('error', v)); e.on('x', () => ({ get then() { throw 'getter'; } })); e.emit('x'); });
rejectionCase('not captured', undefined, (log, e) => { e.on('error', () => log('error')); e.on('x', () => ({ then() { log('followed'); } })); e.emit('x'); });
rejectionCase('resolved', { captureRejections: true }, (log, e) => { e.on('error', () => log('error')); e.on('x', async () => 5); log(e.emit('x')); });
rejectionCase('error listener that rejects', { captureRejections: true }, (log, e) => {
  e.on('error', (v) => { log('error', v.message); return { then(_, fail) { log('followed'); } }; }); e.on('x', async () => { throw new Error('first'); }); e.emit('x');
});
logged('captureRejections for all', async (log) => {
  EventEmitter.captureRejections = true;
  try { const e = new EventEmitter(); e.on('error', (error) => log(error.message)); e.on('x', async () => { throw new Error('all'); }); e.emit('x'); await later(); } finally { EventEmitter.captureRejections = false; }
});
for (const bad of [1, 'true', {}]) test(`captureRejections ${typeof bad}`, () => new EventEmitter({ captureRejections: bad }));
for (const bad of [1, undefined]) test(`static captureRejections ${bad}`, () => { EventEmitter.captureRejections = bad; });

// once as a promise.
logged('await once', async (log, e) => { const p = once(e, 'x'); e.emit('x', 1, 2); log(await p, e.listenerCount('x'), e.listenerCount('error')); });
logged('await once, error', async (log, e) => { const p = once(e, 'x'); e.emit('error', new Error('bad')); log(await p.catch((error) => error.message), e.listenerCount('x'), e.listenerCount('error')); });
logged('await once of error', async (log, e) => { const p = once(e, 'error'); e.emit('error', new Error('wanted')); log((await p)[0].message, e.listenerCount('error')); });
logged('await once, target', async (log) => { const t = new EventTarget(); const p = once(t, 'x'); const event = new Event('x'); t.dispatchEvent(event); log((await p)[0] === event, EventEmitter.getEventListeners(t, 'x').length); });
logged('await once, stopped event', async (log) => { const t = new EventTarget(); t.addEventListener('x', (event) => event.stopImmediatePropagation()); const p = once(t, 'x'); t.dispatchEvent(new Event('x')); log((await p).length); });
logged('await once, signal', async (log, e) => {
  const c = new AbortController(); const p = once(e, 'x', { signal: c.signal }); c.abort('why');
  const error = await p.catch((x) => x); log(error.name, error.code, error.message, error.cause, e.listenerCount('x'), e.listenerCount('error'), EventEmitter.getEventListeners(c.signal, 'abort').length);
});
logged('await once, signal not used', async (log, e) => { const c = new AbortController(); const p = once(e, 'x', { signal: c.signal }); e.emit('x', 1); log(await p, EventEmitter.getEventListeners(c.signal, 'abort').length); });
logged('await once, aborted before', async (log, e) => { const error = await once(e, 'x', { signal: AbortSignal.abort(5) }).catch((x) => x); log(error.name, error.cause, e.listenerCount('x')); });
for (const bad of [1, {}, 'x', null]) logged(`await once, signal ${bad}`, async (log, e) => log(await once(e, 'x', { signal: bad }).catch((error) => `${error.code} ${error.message}`)));
logged('await once of something else', (log) => once({}, 'x'));

// on as an iterator.
const take = async (iterator, count) => { const got = []; for (let i = 0; i < count; i++) got.push(JSON.stringify(await iterator.next())); return got; };
logged('on', async (log, e) => { const it = on(e, 'x'); e.emit('x', 1); e.emit('x', 2, 3); const p = it.next(); const q = it.next(); const r = it.next(); e.emit('x', 4); log(JSON.stringify(await Promise.all([p, q, r]))); log(JSON.stringify(await it.return())); log(await take(it, 1), e.listenerCount('x'), e.listenerCount('error')); });
logged('on, for await', async (log, e) => { Promise.resolve().then(() => { e.emit('x', 'a'); e.emit('x', 'b'); }); for await (const [v] of on(e, 'x')) { log(v); if (v === 'b') break; } return e.listenerCount('x'); });
logged('on, error while waiting', async (log, e) => { const it = on(e, 'x'); const p = it.next(); e.emit('error', new Error('bad')); log(await p.catch((error) => error.message), await take(it, 1)); });
logged('on, error while not waiting', async (log, e) => { const it = on(e, 'x'); e.emit('x', 1); e.emit('error', new Error('bad')); log(await take(it, 1), await it.next().catch((error) => error.message), await take(it, 1)); });
logged('on of error', async (log, e) => { const it = on(e, 'error'); e.emit('error', 'v'); return take(it, 1); });
logged('on, throw', async (log, e) => { const it = on(e, 'x'); const p = it.next(); log(it.throw(new Error('t'))); log(await p.catch((error) => error.message), e.listenerCount('x')); });
for (const bad of [undefined, 1, 'x']) logged(`on, throw ${bad}`, (log, e) => { on(e, 'x').throw(bad); });
logged('on, return while waiting', async (log, e) => { const it = on(e, 'x'); const p = it.next(); await it.return(); log(JSON.stringify(await p)); });
logged('on, close events', async (log, e) => { const it = on(e, 'x', { close: ['end', 'close'] }); e.emit('x', 1); e.emit('end'); log(await take(it, 2), e.eventNames().length); });
logged('on, signal', async (log, e) => { const c = new AbortController(); const it = on(e, 'x', { signal: c.signal }); const p = it.next(); c.abort('r'); log(await p.catch((error) => `${error.name} ${error.cause}`), EventEmitter.getEventListeners(c.signal, 'abort').length, e.listenerCount('x')); });
logged('on, aborted before', (log, e) => { on(e, 'x', { signal: AbortSignal.abort() }); });
logged('on, target', async (log) => { const t = new EventTarget(); const it = on(t, 'x'); t.dispatchEvent(new Event('x')); const { value } = await it.next(); log(value[0].type, value.length); await it.return(); return EventEmitter.getEventListeners(t, 'x').length; });
logged('on, watermarks', async (log, e) => {
  e.pause = () => log('pause'); e.resume = () => log('resume'); const it = on(e, 'x', { highWaterMark: 2, lowWaterMark: 1 });
  const data = it[Symbol.for('nodejs.watermarkData')]; const say = () => log(data.size, data.low, data.high, data.isPaused);
  for (let i = 0; i < 4; i++) e.emit('x', i); say(); for (let i = 0; i < 4; i++) { await it.next(); say(); }
});
for (const bad of [0, -1, 1.5, 'x', NaN]) {
  logged(`on, highWaterMark ${bad}`, (log, e) => { on(e, 'x', { highWaterMark: bad }); });
  logged(`on, lowWatermark ${bad}`, (log, e) => { on(e, 'x', { lowWatermark: bad }); });
}
logged('on of something else', () => on({}, 'x'));
logged('on, shape', (log, e) => { const it = on(e, 'x'); log(Reflect.ownKeys(it).map(String), it[Symbol.asyncIterator]() === it); log(inspect(it)); });
logged('on, many', async (log, e) => { const it = on(e, 'x'); for (let i = 0; i < 1000; i++) e.emit('x', i); let sum = 0; for (let i = 0; i < 1000; i++) sum += (await it.next()).value[0]; return sum; });

// addAbortListener.
logged('addAbortListener', async (log) => {
  const c = new AbortController(); c.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  const handle = EventEmitter.addAbortListener(c.signal, (event) => log('aborted', event.type)); log(Object.getPrototypeOf(handle), typeof handle[Symbol.dispose]); c.abort();
});
logged('addAbortListener disposed', (log) => { const c = new AbortController(); EventEmitter.addAbortListener(c.signal, () => log('no'))[Symbol.dispose](); c.abort(); });
logged('addAbortListener, aborted before', async (log) => { EventEmitter.addAbortListener(AbortSignal.abort(), (...args) => log('called', args.length)); log('first'); await later(); });
for (const bad of [undefined, null, {}, 1]) test(`addAbortListener ${bad}`, () => EventEmitter.addAbortListener(bad, () => {}));
test('addAbortListener without listener', () => EventEmitter.addAbortListener(new AbortController().signal));

// The rules of docs/library/events.md, one by one.
logged('EVENT-1: one listener, then an array that is replaced', (log, e) => {
  const f = () => {}; const g = () => {};
  e.on('x', f); log(e._events.x === f, e._eventsCount); e.on('x', g); const pair = e._events.x; log(Array.isArray(pair), e._eventsCount);
  e.on('x', f); e.off('x', f); log(e._events.x.length); e.off('x', f); log(e._events.x === g); e.off('x', g); log(e._events.x, e._eventsCount);
});
logged('EVENT-2: who was there hears it', (log, e) => {
  e.on('x', function() { log('a', this === e); e.off('x', b); e.on('x', () => log('late')); }); const b = () => log('b'); e.on('x', b);
  return [e.emit('x'), e.emit('y')];
});
logged('EVENT-3: monitors first, then thrown', (log, e) => {
  e.on(EventEmitter.errorMonitor, (value) => log('monitor', value));
  for (const value of ['text', 0, null, undefined]) try { e.emit('error', value); } catch (error) { log(error.code, error.message, String(error.context)); }
});
logged('EVENT-4: the table is read again after newListener', (log, e) => {
  e.on('newListener', (type, fn) => { if (type === 'x') { log(e.listenerCount('x'), fn.name); e.removeAllListeners(); } });
  e.once('x', function mine() {}); return e.eventNames();
});
logged('EVENT-5: what removeListener is told', (log, e) => {
  function f() {} function g() {}
  e.on('removeListener', (type, fn) => log(type, fn.name, e.listenerCount(type)));
  e.once('x', f); e.off('x', f); e.once('x', f).on('x', g); e.off('x', e.rawListeners('x')[0]); e.off('x', g);
});
logged('EVENT-6: the latest goes', (log, e) => {
  const f = () => log('f'); e.on('x', f).once('x', f).on('x', () => log('g')).on('x', f); e.off('x', f); log(e.rawListeners('x').map((one) => one === f)); e.off('x', f); log(e.rawListeners('x').map((one) => one === f));
});
logged('EVENT-7: all of them, one by one if heard', (log) => {
  class Told extends EventEmitter { removeListener(type, fn) { log('off', type, fn.name); return super.removeListener(type, fn); } }
  for (const heard of [false, true]) {
    const e = new Told(); function a() {} function b() {} function h(type) { log('gone', type); }
    e.on('x', a).on('x', b).on('y', a); if (heard) e.on('removeListener', h);
    e.removeAllListeners('x'); log(e.eventNames()); e.on('x', b); e.removeAllListeners(); log(e.eventNames().length, e._eventsCount);
  }
});
logged('EVENT-8: once, also by hand', (log, e) => {
  e.once('x', function f(v) { log(v, this === e, e.listenerCount('x')); return 'r'; }); const [raw] = e.rawListeners('x');
  log(raw.name, raw.listener.name, raw(1), raw(2), e.emit('x', 3));
});
logged('EVENT-9: a warning per type', async (log, e) => {
  warnings.length = 0; e.setMaxListeners(1.5);
  for (const type of ['a', 'a', 'a', 'b', 'b']) e.on(type, () => {});
  await later(); log(warnings.map((w) => `${w.name} ${String(w.type)} ${w.count}`)); log(e._events.a.warned, e._events.b.warned);
  e.on('c', () => {}).setMaxListeners(0); e.on('c', () => {}); await later(); log(warnings.length);
});
logged('EVENT-10: rejections become events', async (log) => {
  const e = new EventEmitter({ captureRejections: true });
  e.on('error', (error) => { log('error', error); return { then(resolved, rejected) { if (error === 'r') log('followed'); } }; });
  e.on('x', () => ({ then(resolved, rejected) { log(typeof resolved, typeof rejected); rejected('r'); } }));
  e.on('x', () => ({ get then() { throw 'getter'; } })).on('x', () => ({ then: 1 })); e.emit('x', 1);
  await later();
  e[Symbol.for('nodejs.rejection')] = (reason, type, ...args) => log('method', reason, type, args); e.emit('x', 2, 3); await later();
});
logged('EVENT-11: a table laid out before', (log) => {
  function Laid() { this._events = { a: undefined, b: undefined, removeListener: undefined }; EventEmitter.call(this); }
  Laid.prototype = Object.create(EventEmitter.prototype);
  const e = new Laid(); const f = () => {};
  e.on('removeListener', (type) => log('gone', type)); e.on('a', f).on('b', f).on('b', f).off('a', f).off('b', f);
  log(e.eventNames(), e._eventsCount); e.removeAllListeners(); log(e.eventNames().length); e.on('a', f).off('a', f); log(Object.keys(e._events).length);
});
logged('EVENT-12: once listens no more', async (log, e) => {
  const c = new AbortController(); const { signal } = c;
  log(await Promise.all([once(e, 'x', { signal }), e.emit('x', 1, 2)])); log(e.eventNames().length);
  const failed = once(e, 'x', { signal }).catch((error) => log(error)); e.emit('error', 0); await failed; log(e.eventNames().length);
  const aborted = once(e, 'x', { signal }).catch((error) => log(error.name, error.code, error.cause)); c.abort('why'); await aborted;
  log(e.eventNames().length, EventEmitter.getEventListeners(signal, 'abort').length);
});
logged('EVENT-13: events, then the error, then the end', async (log, e) => {
  const it = on(e, 'x'); e.emit('x', 1); e.emit('error', 'bad'); for (let i = 0; i < 3; i++) log(JSON.stringify(await it.next().catch((error) => error)));
  const early = on(e, 'x'); const asked = [early.next(), early.next(), early.next()]; e.emit('x', 2); e.emit('error', 'late');
  for (const one of asked) log(JSON.stringify(await one.catch((error) => error)));
});
logged('EVENT-14: listeners go in the reverse order', async (log, e) => {
  const it = on(e, 'x', { close: ['c', 'd'] }); e.on('removeListener', (type) => log(type)); e.emit('d'); log(JSON.stringify(await it.next()));
});
logged('EVENT-15: pauses and resumes', (log, e) => {
  e.pause = () => log('pause'); e.resume = () => log('resume');
  const it = on(e, 'x', { highWaterMark: 2, lowWaterMark: 2 }); for (let i = 0; i < 4; i++) { log(i); e.emit('x', i); } for (let i = 0; i < 4; i++) { log(i); it.next(); }
});
logged('EVENT-16: what looks like an emitter or a target', async (log) => {
  const calls = (names) => Object.fromEntries(names.map((name) => [name, (type) => { if (type === 'x') log(name); }]));
  for (const names of [['on', 'once', 'removeListener'], ['addEventListener', 'removeEventListener'], ['addEventListener', 'once', 'removeListener']]) {
    const c = new AbortController(); const p = once(calls(names), 'x', { signal: c.signal }).catch((error) => log(error.name)); c.abort(); await p;
    try { on(calls(names), 'x').return(); } catch (error) { log(error.code); }
  }
  log(await once({}, 'x').catch((error) => error.message));
});
logged('EVENT-17: an abort that others stop', async (log) => {
  const c = new AbortController(); c.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  EventEmitter.addAbortListener(c.signal, (event) => log('heard', event.type)); const { [Symbol.dispose ?? Symbol.for('x')]: dispose } = EventEmitter.addAbortListener(c.signal, () => log('disposed'));
  dispose(); c.abort(); c.abort(); EventEmitter.addAbortListener(c.signal, (...args) => log('late', args.length)); log('-'); await later();
});
// Many listeners: those of a long list are found by other means than those of a short one.
for (let seed = 1; seed <= 12; seed++) {
  logged(`EVENT-6: a long list, drawn ${seed}`, (log, e) => {
    let state = seed * 2654435761 % 4294967296;
    const draw = (n) => (state = (state * 1664525 + 1013904223) % 4294967296) % n;
    const functions = Array.from({ length: 60 }, (_, i) => () => { heard.push(i); if (during > 0) { during--; change(); } });
    let heard = [];
    let during = 0;
    const change = () => {
      const f = functions[draw(functions.length)];
      switch (draw(seed % 3 === 0 ? 6 : 8)) {
        case 0: return e.prependListener('x', f);
        case 1: return e.once('x', f);
        case 2: return e.prependOnceListener('x', f);
        case 3: case 4: return e.on('x', f);
        default: return e.off('x', f);
      }
    };
    e.setMaxListeners(0);
    for (let round = 0; round < 40; round++) {
      for (let i = 0; i < 12; i++) change();
      during = draw(4); heard = []; e.emit('x');
      log(heard.join(' '), e.listenerCount('x'), e.listenerCount('x', functions[3]), e.listeners('x').map((f) => functions.indexOf(f)).join(' '));
    }
    for (const f of functions) for (let i = 0; i < 30; i++) e.off('x', f);
    log(e.listenerCount('x'), e.eventNames().length);
  });
}
logged('EVENT-1: a long list shows its listeners only', (log, e) => {
  e.setMaxListeners(0); for (let i = 0; i < 20; i++) e.on('x', () => {}); e.emit('x'); e.off('x', () => {}); e.off('x', e.listeners('x')[3]); log(Object.keys(e._events.x).join(), e._events.x.length);
});
logged('EVENT-1: listeners of a long list that come in front, and the array of the table', (log, e) => {
  e.setMaxListeners(0);
  const named = Array.from({ length: 60 }, (_, i) => Object.defineProperty(() => log(i), 'name', { value: `f${i}` }));
  for (const [i, f] of named.entries()) e[['on', 'prependListener', 'once', 'prependOnceListener'][i % 4]]('x', f);
  log(names(e.listeners('x')), e._events.x.length, e.listenerCount('x'), Array.isArray(e._events.x));
  e.off('x', named[2]).off('x', named[3]).off('x', named[58]).off('x', named[58]);
  log(names(e.listeners('x')), e.emit('x'), names(e.listeners('x')), e.eventNames().map(String));
  e._events.x = named[0];
  log(e.emit('x'), e.listenerCount('x'), e.on('x', named[1]).emit('x'));
});
logged('EVENT-1: a long list that becomes short, and long again', (log, e) => {
  e.setMaxListeners(0);
  const all = Array.from({ length: 80 }, (_, i) => Object.defineProperty(() => {}, 'name', { value: `f${i}` }));
  e.on('removeListener', (type, f) => { if (f.name.endsWith('7')) log('removed', f.name, e.listenerCount('x')); });
  for (const f of all) e.on('x', f);
  for (const f of all.slice(0, 70)) e.removeListener('x', f);
  log(names(e.listeners('x')));
  for (const f of all.slice(0, 70)) e.prependListener('x', f);
  log(names(e.listeners('x')));
  e.removeAllListeners('x');
  log(e.listenerCount('x'), e.eventNames());
  for (const f of all) e.once('y', f);
  e.emit('y'); e.removeAllListeners();
  log(e.eventNames(), e.listenerCount('y'));
});
