// Event, EventTarget, CustomEvent and NodeEventTarget.
const warnings = [];
const reports = [];
if (onNode) {
  process.on('warning', (warning) => warnings.push(warning));
  process.on('uncaughtException', (error) => reports.push(error));
} else {
  binding.emitWarning = (warning) => warnings.push(warning);
  binding.reportException = (error) => reports.push(error);
  binding.now = () => 12.5;
  binding.born = 0;
}
const events = load('events');
const {
  Event, CustomEvent, EventTarget, NodeEventTarget, defineEventHandler, isEventTarget,
  kTrustEvent, kNewListener, kRemoveListener, kResistStopPropagation, kCreateEvent,
} = load('internal/event_target');
const { AbortController, AbortSignal } = load('internal/abort_controller');
const { inspect } = load(onNode ? 'util' : 'internal/util/inspect');

const later = () => new Promise((resolve) => (onNode ? setTimeout(resolve, 1) : os.setTimeout(resolve, 1)));
const logged = (label, body) => test(label, async () => {
  const log = [];
  warnings.length = reports.length = 0;
  const result = await body((...values) => log.push(values.map(String).join(' ')), new EventTarget());
  if (result !== undefined) log.push(`=> ${String(result)}`);
  await later();
  for (const error of reports) log.push(`reported ${error?.message ?? String(error)}`);
  for (const w of warnings) log.push(`warning ${w.name}: ${w.message} [${Object.keys(w)}] ${String(w.type)} ${w.count}`);
  return log;
});
const shape = (object) => Reflect.ownKeys(object).map((key) => {
  const { enumerable, writable, configurable, get, set, value } = Object.getOwnPropertyDescriptor(object, key);
  const flags = `${enumerable ? 'e' : ''}${writable ? 'w' : ''}${configurable ? 'c' : ''}${get ? `g ${get.name}` : ''}${set ? `s ${set.name}` : ''}`;
  return `${String(key)} ${flags} ${typeof value === 'function' ? `${value.name}/${value.length}` : typeof value}`;
}).filter((line) => !/^(arguments|caller) /.test(line) && !/kRemoveWeakListenerHelper|kHybridDispatch|\(k[A-Z]\w+\)/.test(line)).sort().join('\n');
// The time differs, the layout does not.
const shown = (value, options) => inspect(value, options).replace(/timeStamp: [\d.]+/g, 'timeStamp: T');

for (const Class of [Event, EventTarget, CustomEvent, NodeEventTarget]) {
  test(`statics of ${Class.name}`, () => shape(Class));
  test(`prototype of ${Class.name}`, () => shape(Class.prototype));
}

// Events.
const facts = (event) => JSON.stringify([
  event.type, event.bubbles, event.cancelable, event.composed, event.defaultPrevented, event.returnValue, event.cancelBubble,
  event.eventPhase, event.target === null, event.currentTarget === null, event.srcElement === null, event.isTrusted, event.composedPath().length, typeof event.timeStamp,
]);
for (const options of [undefined, null, {}, { bubbles: true }, { cancelable: 1, composed: 'x' }, [], { bubbles: 0, cancelable: false }]) {
  test(`new Event ${JSON.stringify(options)}`, () => facts(new Event('x', options)));
}
for (const options of [1, 'x', true, () => {}, Symbol('s')]) test(`new Event with ${typeof options}`, () => facts(new Event('x', options)));
for (const type of [undefined, null, 1, {}, [], '']) test(`type ${String(type)}`, () => new Event(type).type);
test('no type', () => new Event());
test('no type, custom', () => new CustomEvent());
test('a symbol as type', () => { try { new Event(Symbol('s')); } catch (error) { return error.name; } });
test('constants', () => [Event.NONE, Event.CAPTURING_PHASE, Event.AT_TARGET, Event.BUBBLING_PHASE]);
test('trusted', () => [new Event('x', { [kTrustEvent]: true }).isTrusted, Object.getOwnPropertyNames(new Event('x')).length]);
test('preventDefault, cancelable', () => { const e = new Event('x', { cancelable: true }); e.preventDefault(); return facts(e); });
test('preventDefault, not cancelable', () => { const e = new Event('x'); e.preventDefault(); return facts(e); });
test('stopPropagation', () => { const e = new Event('x'); e.stopPropagation(); return facts(e); });
test('cancelBubble', () => { const e = new Event('x'); e.cancelBubble = 0; const a = e.cancelBubble; e.cancelBubble = 'x'; const b = e.cancelBubble; e.cancelBubble = false; return [a, b, e.cancelBubble]; });
test('initEvent', () => { const e = new Event('x'); e.initEvent('y', 1, 1); const a = facts(e); e.initEvent('z'); return [a, facts(e)]; });
test('initEvent without type', () => new Event('x').initEvent());
for (const key of ['type', 'target', 'currentTarget', 'srcElement', 'cancelable', 'defaultPrevented', 'timeStamp', 'returnValue', 'bubbles', 'composed', 'eventPhase', 'cancelBubble']) {
  test(`${key} of something else`, () => Reflect.get(Event.prototype, key, {}));
}
for (const key of ['preventDefault', 'stopPropagation', 'stopImmediatePropagation', 'composedPath']) test(`${key} of something else`, () => Event.prototype[key].call({}));
test('inspect', () => shown(new Event('x', { cancelable: true })));
test('inspect nested', () => shown({ a: { b: new Event('x') } }));
test('inspect too deep', () => [shown(new Event('x'), { depth: -1 }), shown({ a: { b: { c: { d: new Event('x') } } } }, { depth: 3 })]);
test('inspect a subclass', () => shown(new (class Mine extends Event {})('x')));
test('tags', () => [new Event('x'), new CustomEvent('x'), new EventTarget(), new NodeEventTarget()].map((o) => Object.prototype.toString.call(o)));
test('CustomEvent', () => [new CustomEvent('x').detail, new CustomEvent('x', { detail: 5 }).detail, new CustomEvent('x', { detail: undefined }).detail, new CustomEvent('x', { detail: 0, bubbles: true }).bubbles, shown(new CustomEvent('x', { detail: { a: 1 } }))]);
test('CustomEvent with null', () => new CustomEvent('x', null).detail);
test('detail of something else', () => Reflect.get(CustomEvent.prototype, 'detail', new Event('x')));

// Adding and dispatching.
logged('dispatch', (log, t) => {
  t.addEventListener('x', function(event) { log(this === t, event.target === t, event.currentTarget === t, event.srcElement === t, event.eventPhase, event.composedPath().length, event.composedPath()[0] === t); });
  const event = new Event('x'); log(t.dispatchEvent(event)); log(event.target === t, event.currentTarget, event.eventPhase, event.composedPath().length);
});
logged('nobody listens', (log, t) => { const event = new Event('x'); log(t.dispatchEvent(event), event.target === t, event.eventPhase); });
logged('EVENT-19: order and duplicates', (log, t) => { const f = () => log('f'); const g = () => log('g'); for (const fn of [f, g, f, f]) t.addEventListener('x', fn); t.dispatchEvent(new Event('x')); });
logged('capture makes another', (log, t) => { const f = () => log('f'); t.addEventListener('x', f); t.addEventListener('x', f, { capture: true }); t.addEventListener('x', f, true); t.dispatchEvent(new Event('x')); t.removeEventListener('x', f, { capture: true }); log('-'); t.dispatchEvent(new Event('x')); });
logged('remove with true', (log, t) => { const f = () => log('f'); t.addEventListener('x', f, true); t.removeEventListener('x', f, true); t.dispatchEvent(new Event('x')); });
logged('remove', (log, t) => { const f = () => log('f'); t.addEventListener('x', f); t.removeEventListener('x', () => {}); t.removeEventListener('y', f); t.removeEventListener('x', f); t.removeEventListener('x', f); t.dispatchEvent(new Event('x')); });
logged('once', (log, t) => { t.addEventListener('x', () => { log('once'); t.dispatchEvent(new Event('x')); }, { once: true }); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); });
logged('once can be added again', (log, t) => { const f = () => { log('f'); t.addEventListener('x', f, { once: true }); }; t.addEventListener('x', f, { once: true }); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); });
logged('type is text', (log, t) => { t.addEventListener(5, () => log('five')); t.addEventListener(null, () => log('null')); t.dispatchEvent(new Event('5')); t.dispatchEvent(new Event('null')); t.removeEventListener({ toString: () => '5' }, () => {}); });
logged('names of Object.prototype', (log, t) => { for (const n of ['__proto__', 'constructor', 'toString']) { t.addEventListener(n, () => log(n)); t.dispatchEvent(new Event(n)); } });
logged('EVENT-19: handleEvent', (log, t) => { const o = { handleEvent(event) { log(this === o, event.type); } }; t.addEventListener('x', o); t.addEventListener('x', o); t.dispatchEvent(new Event('x')); t.removeEventListener('x', o); t.dispatchEvent(new Event('x')); });
logged('handleEvent set later', (log, t) => { const o = {}; t.addEventListener('x', o); t.dispatchEvent(new Event('x')); o.handleEvent = () => log('now'); t.dispatchEvent(new Event('x')); });
logged('handleEvent that throws', (log, t) => { t.addEventListener('x', { handleEvent() { throw new Error('h'); } }); t.addEventListener('x', () => log('next')); t.dispatchEvent(new Event('x')); });
logged('function with handleEvent', (log, t) => { const f = () => log('f'); f.handleEvent = () => log('no'); t.addEventListener('x', f); t.dispatchEvent(new Event('x')); });
logged('stopImmediatePropagation', (log, t) => { const event = new Event('x'); t.addEventListener('x', (e) => { e.stopImmediatePropagation(); log(1, e.cancelBubble); }); t.addEventListener('x', () => log(2)); t.dispatchEvent(event); t.dispatchEvent(event); t.dispatchEvent(new Event('x')); });
logged('stopPropagation does not stop here', (log, t) => { t.addEventListener('x', (e) => e.stopPropagation()); t.addEventListener('x', () => log(2)); t.dispatchEvent(new Event('x')); });
logged('EVENT-21: resisting listener', (log, t) => { t.addEventListener('x', (e) => e.stopImmediatePropagation()); t.addEventListener('x', () => log('plain')); t.addEventListener('x', () => log('resists'), { [kResistStopPropagation]: true }); t.dispatchEvent(new Event('x')); });
logged('preventDefault', (log, t) => { t.addEventListener('x', (e) => e.preventDefault()); log(t.dispatchEvent(new Event('x', { cancelable: true })), t.dispatchEvent(new Event('x'))); });
logged('passive', (log, t) => { t.addEventListener('x', (e) => e.preventDefault(), { passive: true }); log(t.dispatchEvent(new Event('x', { cancelable: true }))); });
logged('phase in later listeners', (log, t) => { for (let i = 0; i < 3; i++) t.addEventListener('x', (e) => log(i, e.eventPhase, e.currentTarget === t, e.composedPath().length)); t.dispatchEvent(new Event('x')); });
logged('phase after a listener that throws', (log, t) => { for (let i = 0; i < 4; i++) t.addEventListener('x', (e) => { log(i, e.eventPhase); if (i < 2) throw new Error('x'); }); t.dispatchEvent(new Event('x')); });
logged('initEvent while dispatched', (log, t) => { t.addEventListener('x', (e) => { e.initEvent('y'); log(e.type); }); t.dispatchEvent(new Event('x')); });
logged('added while dispatched', (log, t) => { t.addEventListener('x', () => { log('a'); t.addEventListener('x', () => log('late')); }); t.dispatchEvent(new Event('x')); log('-'); t.dispatchEvent(new Event('x')); });
logged('EVENT-20: added while dispatched, more to come', (log, t) => { let once = true; t.addEventListener('x', () => { log('a'); if (once) t.addEventListener('x', () => log('late')); once = false; }); t.addEventListener('x', () => log('b')); t.dispatchEvent(new Event('x')); });
logged('removed while dispatched', (log, t) => { const b = () => log('b'); t.addEventListener('x', () => { log('a'); t.removeEventListener('x', b); }); t.addEventListener('x', b); t.addEventListener('x', () => log('c')); t.dispatchEvent(new Event('x')); });
logged('all removed while dispatched', (log, t) => { const fs = [1, 2, 3, 4].map((n) => () => { log(n); for (const f of fs) t.removeEventListener('x', f); }); for (const f of fs) t.addEventListener('x', f); t.dispatchEvent(new Event('x')); log('-'); t.dispatchEvent(new Event('x')); });
logged('removed and added again while dispatched', (log, t) => { let n = 0; const b = () => log('b'); t.addEventListener('x', () => { if (n++ < 1) { t.removeEventListener('x', b); t.addEventListener('x', b); } log('a'); }); t.addEventListener('x', b); t.addEventListener('x', () => log('c')); t.dispatchEvent(new Event('x')); });
logged('EVENT-20: errors do not stop the rest', (log, t) => { t.addEventListener('x', () => { throw new Error('one'); }); t.addEventListener('x', () => { throw 'text'; }); t.addEventListener('x', async () => { throw new Error('async'); }); t.addEventListener('x', () => log('end')); log(t.dispatchEvent(new Event('x'))); });
logged('dispatch within dispatch', (log, t) => { t.addEventListener('x', () => { log('x'); t.dispatchEvent(new Event('y')); log('after'); }); t.addEventListener('y', () => log('y')); t.dispatchEvent(new Event('x')); });
logged('EVENT-22: same event within itself', (log, t) => { t.addEventListener('x', (e) => { t.dispatchEvent(e); }); t.dispatchEvent(new Event('x')); });
logged('event used twice', (log, t) => { const e = new Event('x'); const u = new EventTarget(); t.addEventListener('x', () => log('t')); u.addEventListener('x', () => log('u')); t.dispatchEvent(e); u.dispatchEvent(e); log(e.target === u); });
logged('subclass', (log) => { class T extends EventTarget { f() { return this.dispatchEvent(new CustomEvent('x', { detail: this.n })); } n = 5; } const t = new T(); t.addEventListener('x', (e) => log(e.detail, e.target === t)); t.f(); log(inspect(t)); });

// Arguments.
for (const method of ['addEventListener', 'removeEventListener']) {
  logged(`${method} without arguments`, (log, t) => t[method]());
  logged(`${method} with one`, (log, t) => t[method]('x'));
  for (const bad of [null, undefined, 1, 'x', true, Symbol('s')]) logged(`${method} ${String(bad)}`, (log, t) => t[method]('x', bad));
  test(`${method} of something else`, () => EventTarget.prototype[method].call({}, 'x', () => {}));
}
for (const bad of [1, 'x', Symbol('s'), () => {}]) logged(`options ${String(bad)}`, (log, t) => t.addEventListener('x', () => {}, bad));
for (const fine of [null, undefined, true, false, {}, []]) logged(`options ${String(fine)} are fine`, (log, t) => { t.addEventListener('x', () => log('heard'), fine); t.dispatchEvent(new Event('x')); });
for (const bad of [undefined, null, {}, 'x', 1]) test(`dispatchEvent ${bad}`, () => new EventTarget().dispatchEvent(bad));
test('dispatchEvent without arguments', () => new EventTarget().dispatchEvent());
test('dispatchEvent of something else', () => EventTarget.prototype.dispatchEvent.call({}, new Event('x')));
test('isEventTarget', () => [new EventTarget(), new NodeEventTarget(), {}, null, undefined, 5, new events()].map((v) => Boolean(isEventTarget(v))));
test('inspect targets', () => [inspect(new EventTarget()), inspect(new EventTarget(), { depth: -1 }), inspect({ t: new NodeEventTarget() })]);

// Signals.
logged('EVENT-23: signal', (log, t) => { const c = new AbortController(); const f = () => log('f'); t.addEventListener('x', f, { signal: c.signal }); t.dispatchEvent(new Event('x')); c.abort(); t.dispatchEvent(new Event('x')); log(events.getEventListeners(t, 'x').length, events.getEventListeners(c.signal, 'abort').length); });
logged('EVENT-23: aborted signal', (log, t) => { t.addEventListener('x', () => log('no'), { signal: AbortSignal.abort() }); t.dispatchEvent(new Event('x')); });
logged('signal aborts while dispatched', (log, t) => { const c = new AbortController(); t.addEventListener('x', () => { log('a'); c.abort(); }); t.addEventListener('x', () => log('b'), { signal: c.signal }); t.dispatchEvent(new Event('x')); });
logged('signal of several', (log, t) => { const c = new AbortController(); for (let i = 0; i < 3; i++) t.addEventListener('x', () => log(i), { signal: c.signal, once: true }); c.abort(); t.dispatchEvent(new Event('x')); });
for (const bad of [null, 1, {}, 'x']) logged(`signal ${bad}`, (log, t) => t.addEventListener('x', () => {}, { signal: bad }));

// Limits.
logged('eleventh listener', (log, t) => { for (let i = 0; i < 13; i++) t.addEventListener('x', () => {}); });
logged('limit', (log, t) => { events.setMaxListeners(1, t); log(events.getMaxListeners(t)); t.addEventListener('x', () => {}); t.addEventListener('x', () => {}); events.setMaxListeners(2, t); t.addEventListener('x', () => {}); });
logged('no limit', (log, t) => { events.setMaxListeners(0, t); for (let i = 0; i < 20; i++) t.addEventListener('x', () => {}); });
logged('limit of a subclass', () => { const t = new (class Mine extends EventTarget {})(); events.setMaxListeners(1, t); t.addEventListener('x', () => {}); t.addEventListener('x', () => {}); });

// Hooks for subclasses.
logged('hooks', (log) => {
  class T extends EventTarget {
    [kNewListener](size, type, listener, once, capture) { log('new', size, type, typeof listener, Boolean(once), Boolean(capture)); }
    [kRemoveListener](size, type, listener, capture) { log('gone', size, type, typeof listener, Boolean(capture)); }
  }
  const t = new T(); const f = () => {};
  t.addEventListener('x', f); t.addEventListener('x', f); t.addEventListener('x', () => {}, { once: true, capture: true }); t.removeEventListener('x', f); t.dispatchEvent(new Event('x'));
});

// onxxx.
const WithHandler = class extends EventTarget {};
defineEventHandler(WithHandler.prototype, 'foo');
defineEventHandler(WithHandler.prototype, 'bar', 'baz');
test('handler property', () => shape(WithHandler.prototype));
logged('EVENT-24: handler', (log) => {
  const t = new WithHandler(); log(t.onfoo); t.onfoo = function(e) { log('A', this === t, e.type); }; t.addEventListener('foo', () => log('B')); t.dispatchEvent(new Event('foo'));
  t.onfoo = () => log('C'); t.dispatchEvent(new Event('foo')); log(typeof t.onfoo); t.onfoo = null; t.dispatchEvent(new Event('foo')); log(t.onfoo);
  t.onfoo = () => log('D'); t.dispatchEvent(new Event('foo'));
});
for (const value of [5, 'x', {}, undefined, null]) logged(`handler ${String(value)}`, (log) => { const t = new WithHandler(); t.onfoo = value; log(String(t.onfoo), t.onfoo === value); t.dispatchEvent(new Event('foo')); });
logged('handler of another event', (log) => { const t = new WithHandler(); t.onbar = () => log('bar'); t.dispatchEvent(new Event('baz')); t.dispatchEvent(new Event('bar')); });
logged('handler that throws', (log) => { const t = new WithHandler(); t.onfoo = () => { throw new Error('handler'); }; t.dispatchEvent(new Event('foo')); });
logged('handlers are not shared', (log) => { const a = new WithHandler(); const b = new WithHandler(); a.onfoo = () => log('a'); b.dispatchEvent(new Event('foo')); log(b.onfoo); });

// NodeEventTarget.
const node = (label, body) => logged(label, (log) => body(log, new NodeEventTarget()));
node('on and emit', (log, t) => { log(t.on('x', function(v) { log(v, this === t); }) === t); log(t.emit('x', 5), t.emit('y', 5)); });
node('on, emit and an event', (log, t) => { t.on('x', (v) => log('node', v)); t.addEventListener('x', (e) => log('event', e.constructor.name, e.type, e.detail, e.target === t)); t.emit('x', 5); t.dispatchEvent(new Event('x')); });
node('once', (log, t) => { log(t.once('x', (v) => log(v)) === t); t.emit('x', 1); t.emit('x', 2); log(t.listenerCount('x'), t.eventNames()); });
node('off', (log, t) => { const f = () => log('f'); t.on('x', f).addListener('x', () => log('g')); log(t.off('x', f) === t, t.removeListener('x', f) === t); t.emit('x'); });
node('same listener in two ways', (log, t) => { const f = (v) => log(typeof v); t.on('x', f); t.addEventListener('x', f); log(t.listenerCount('x')); t.emit('x', 1); });
node('eventNames', (log, t) => { const f = () => {}; t.on('a', f).on('b', f); log(t.eventNames()); t.off('a', f); log(t.eventNames()); t.removeAllListeners('b'); log(t.eventNames().length); t.on('c', f); log(t.removeAllListeners() === t, t.eventNames().length); });
node('limits', (log, t) => { log(t.getMaxListeners(), t.setMaxListeners(1), t.getMaxListeners(), NodeEventTarget.defaultMaxListeners); t.on('x', () => {}); t.on('x', () => {}); });
node('listenerCount', (log, t) => { t.on('5', () => {}); log(t.listenerCount(5), t.listenerCount('x'), t.listenerCount(undefined)); });
for (const bad of [1, undefined, Symbol('s'), null]) node(`emit ${String(bad)}`, (log, t) => t.emit(bad));
node('on without listener', (log, t) => t.on('x'));
for (const key of ['on', 'once', 'off', 'emit', 'addListener', 'removeListener', 'eventNames', 'listenerCount', 'setMaxListeners', 'getMaxListeners', 'removeAllListeners']) {
  test(`${key} of something else`, () => NodeEventTarget.prototype[key].call(new EventTarget(), 'x', () => {}));
}
node('async listener that rejects', (log, t) => { t.on('x', async () => { throw new Error('later'); }); t.emit('x'); });
node('events.once and events.on', async (log, t) => { const p = events.once(t, 'x'); t.emit('x', 5); log(await p); const it = events.on(t, 'x'); t.emit('x', 6); log((await it.next()).value); await it.return(); log(t.listenerCount('x')); });
logged('kCreateEvent', (log) => { class T extends NodeEventTarget { [kCreateEvent](value, type) { log('made', value, type); return new Event('other'); } } const t = new T(); t.on('x', () => {}); t.emit('x', 1); t.addEventListener('x', (e) => log(e.type)); t.addEventListener('x', (e) => log(e.type)); t.emit('x', 2); });
// Many listeners: those of a long list are found by other means than those of a short one.
for (let seed = 1; seed <= 8; seed++) {
  logged(`EVENT-19: a long list, drawn ${seed}`, (log) => {
    let state = seed * 2654435761 % 4294967296;
    const draw = (n) => (state = (state * 1664525 + 1013904223) % 4294967296) % n;
    const t = new EventTarget(); const { signal } = new AbortController(); let heard = []; let during = 0;
    const listeners = Array.from({ length: 50 }, (_, i) => { const f = () => { heard.push(i); if (during > 0) { during--; change(); } }; return i % 5 === 0 ? { handleEvent: f } : f; });
    const change = () => {
      const f = listeners[draw(listeners.length)]; const capture = draw(3) === 0;
      if (draw(8) < 4 + seed % 2) t.addEventListener('x', f, { capture, once: draw(4) === 0, ...(draw(4) === 0 ? { signal } : {}) });
      else t.removeEventListener('x', f, capture);
    };
    events.setMaxListeners(0, t, signal);
    for (let round = 0; round < 30; round++) { for (let i = 0; i < 12; i++) change(); during = draw(3); heard = []; t.dispatchEvent(new Event('x')); log(heard.join(' '), events.getEventListeners(t, 'x').length); }
  });
}
