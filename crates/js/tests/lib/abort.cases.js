// AbortController, AbortSignal and DOMException.
const reports = [];
const timers = [];
if (onNode) {
  process.on('uncaughtException', (error) => reports.push(error));
} else {
  binding.reportException = (error) => reports.push(error);
  binding.emitWarning = () => {};
  binding.now = () => 0;
  binding.born = 0;
  binding.setUnrefTimeout = (callback, delay, ...args) => { timers.push(delay); os.setTimeout(() => callback(...args), delay); };
}
const { AbortController, AbortSignal } = load('internal/abort_controller');
const { Event, EventTarget } = load('internal/event_target');
const DOMException = onNode ? globalThis.DOMException : load('internal/domexception').DOMException;
const events = load('events');
const { inspect } = load(onNode ? 'util' : 'internal/util/inspect');

const wait = (ms) => new Promise((resolve) => (onNode ? setTimeout(resolve, ms) : os.setTimeout(resolve, ms)));
const logged = (label, body) => test(label, async () => {
  const log = [];
  reports.length = 0;
  const result = await body((...values) => log.push(values.map(String).join(' ')), new AbortController());
  if (result !== undefined) log.push(`=> ${String(result)}`);
  await wait(1);
  for (const error of reports) log.push(`reported ${error?.message ?? error}`);
  return log;
});
const shape = (object) => Reflect.ownKeys(object).map((key) => {
  const { enumerable, writable, configurable, get, set, value } = Object.getOwnPropertyDescriptor(object, key);
  const flags = `${enumerable ? 'e' : ''}${writable ? 'w' : ''}${configurable ? 'c' : ''}${get ? `g ${get.name}` : ''}${set ? `s ${set.name}` : ''}`;
  return `${String(key)} ${flags} ${typeof value === 'function' ? `${value.name}/${value.length}` : typeof value}`;
}).filter((line) => !/^(arguments|caller) |\((k[A-Z]\w+|messaging_\w+)\)/.test(line)).sort().join('\n');
for (const Class of [AbortController, AbortSignal, DOMException]) {
  test(`statics of ${Class.name}`, () => shape(Class));
  test(`prototype of ${Class.name}`, () => shape(Class.prototype));
}
const about = (reason) => (reason instanceof DOMException ? `${reason.name} ${reason.code} ${reason.message}` : `${typeof reason} ${String(reason)}`);

// The controller.
logged('fresh', (log, c) => log(c.signal.aborted, c.signal.reason, c.signal === c.signal, c.signal instanceof AbortSignal, c.signal instanceof EventTarget));
logged('abort', (log, c) => { log(c.abort(), c.signal.aborted, about(c.signal.reason)); });
for (const reason of [null, 0, '', 'text', false, Symbol('s'), 5n, undefined]) logged(`abort with ${String(reason)}`, (log, c) => { c.abort(reason); log(about(c.signal.reason)); });
logged('abort with an error', (log, c) => { const reason = new Error('x'); c.abort(reason); log(c.signal.reason === reason); });
logged('EVENT-25: abort twice', (log, c) => { c.signal.addEventListener('abort', () => log('heard')); c.abort(1); c.abort(2); log(c.signal.reason); });
logged('the event', (log, c) => {
  c.signal.addEventListener('abort', function(event) { log(this === c.signal, event.type, event.target === c.signal, event.isTrusted, event.bubbles, event.cancelable, event.constructor === Event, c.signal.aborted); }); c.abort();
});
logged('onabort', (log, c) => { log(c.signal.onabort); c.signal.onabort = (e) => log('first', e.type); c.signal.onabort = (e) => log('second', e.type); c.signal.addEventListener('abort', () => log('third')); c.abort(); });
logged('listener that throws', (log, c) => { c.signal.onabort = () => { throw new Error('listener'); }; c.signal.addEventListener('abort', () => log('next')); c.abort(); });
logged('listening too late', (log, c) => { c.abort(); c.signal.addEventListener('abort', () => log('no')); });
logged('abort within abort', (log, c) => { c.signal.addEventListener('abort', () => { log('in'); c.abort(); }); c.abort(); });
logged('dispatch by hand', (log, c) => { c.signal.onabort = (e) => log(e.isTrusted); c.signal.dispatchEvent(new Event('abort')); log(c.signal.aborted); });
logged('throwIfAborted', (log, c) => { log(c.signal.throwIfAborted()); c.abort('r'); try { c.signal.throwIfAborted(); } catch (error) { log(error); } });
logged('stack of the reason', (log, c) => { c.abort(); log(c.signal.reason.stack.split('\n')[0]); });
test('inspect', () => { const c = new AbortController(); const before = [inspect(c), inspect(c.signal), inspect({ c }), inspect(c.signal, { depth: -1 }), inspect(c, { depth: 0 })]; c.abort(); return [...before, inspect(c), inspect(c.signal)]; });
test('tags', () => [new AbortController(), new AbortController().signal].map((o) => Object.prototype.toString.call(o)));
test('limit', () => events.getMaxListeners(new AbortController().signal));

// The statics.
test('new AbortSignal', () => new AbortSignal());
test('subclass of AbortSignal', () => new (class extends AbortSignal {})());
for (const reason of [undefined, null, 5, 'x']) test(`AbortSignal.abort ${reason}`, () => { const s = AbortSignal.abort(reason); return [s.aborted, about(s.reason)]; });
for (const bad of [undefined, null, -1, 1.5, 'x', 2 ** 32, 2 ** 53, NaN, Infinity, {}]) test(`timeout ${String(bad)}`, () => AbortSignal.timeout(bad));
logged('timeout', async (log) => { const s = AbortSignal.timeout(5); log(s.aborted); s.onabort = (e) => log(e.type, e.isTrusted, about(s.reason)); await wait(30); log(s.aborted); });
logged('timeout 0', async (log) => { const s = AbortSignal.timeout(0); log(s.aborted); await wait(20); log(s.aborted, s.reason.stack.split('\n')[0]); });
for (const [key, value] of [['aborted'], ['reason']]) test(`${key} of something else`, () => Reflect.get(AbortSignal.prototype, key, {}));
test('throwIfAborted of something else', () => AbortSignal.prototype.throwIfAborted.call({}));

// any.
for (const bad of [undefined, null, 1, {}, 'x', [1], [null], [{}], [new AbortController()]]) test(`any ${inspect(bad, { depth: 0 })}`, () => AbortSignal.any(bad));
logged('any of none', (log) => log(AbortSignal.any([]).aborted));
logged('EVENT-26: any', (log) => { const [a, b] = [new AbortController(), new AbortController()]; const s = AbortSignal.any([a.signal, b.signal]); s.onabort = (e) => log('any', e.target === s, e.isTrusted); log(s.aborted); b.abort('b'); a.abort('a'); log(s.aborted, s.reason); });
logged('any of aborted', (log) => { const a = new AbortController(); const s = AbortSignal.any([a.signal, AbortSignal.abort(1), AbortSignal.abort(2)]); log(s.aborted, s.reason); a.abort(3); log(s.reason); });
logged('any of one twice', (log, c) => { const s = AbortSignal.any([c.signal, c.signal]); s.onabort = () => log('once'); c.abort(); });
// Whether those that follow are aborted when the first one tells is the standard's, which came after Node 20's.
logged('any of any', (log) => {
  const [a, b] = [new AbortController(), new AbortController()]; const d = AbortSignal.any([a.signal, b.signal]); const e = AbortSignal.any([d]); const f = AbortSignal.any([e, b.signal]);
  a.signal.addEventListener('abort', () => log('a')); d.addEventListener('abort', () => log('d')); e.addEventListener('abort', () => log('e')); f.addEventListener('abort', () => log('f')); a.signal.addEventListener('abort', () => log('a again'));
  a.abort(7); log(d.reason, e.reason, f.reason); b.abort(8); log(f.reason);
});
logged('any of an aborted any', (log) => { const d = AbortSignal.any([AbortSignal.abort(1)]); log(AbortSignal.any([d]).reason); });
logged('EVENT-26: order among several', (log, c) => { const all = [1, 2, 3].map((n) => { const s = AbortSignal.any([c.signal]); s.onabort = () => log(n); return s; }); c.signal.onabort = () => log('source'); c.abort(); log(all.every((s) => s.aborted)); });
logged('made while aborting', (log, c) => { c.signal.onabort = () => { const s = AbortSignal.any([c.signal]); log(s.aborted, s.reason); }; c.abort(4); });
logged('any with a timeout', async (log, c) => { const s = AbortSignal.any([c.signal, AbortSignal.timeout(3)]); s.onabort = () => log(about(s.reason)); await wait(30); c.abort(); log(s.reason.name); });
logged('EVENT-27: listener removed from any', (log, c) => { const s = AbortSignal.any([c.signal]); const f = () => log('no'); s.addEventListener('abort', f); s.removeEventListener('abort', f); c.abort(); log(s.aborted); });
logged('EVENT-28: the limit of one that nobody else has', async (log) => { AbortSignal.any([AbortSignal.timeout(100)]).addEventListener('abort', () => log('any')); AbortSignal.timeout(1).onabort = () => log('own'); await wait(200); });
logged('many from one', (log, c) => { let heard = 0; for (let i = 0; i < 1000; i++) { const s = AbortSignal.any([c.signal]); if (i % 100 === 0) s.onabort = () => heard++; } c.abort(); log(heard); });
logged('a signal in options', (log, c) => { const t = new EventTarget(); t.addEventListener('x', () => log('x'), { signal: AbortSignal.any([c.signal]) }); t.dispatchEvent(new Event('x')); c.abort(); t.dispatchEvent(new Event('x')); });

// DOMException.
const codeNames = ['IndexSizeError', 'DOMStringSizeError', 'HierarchyRequestError', 'WrongDocumentError', 'InvalidCharacterError', 'NoDataAllowedError', 'NoModificationAllowedError', 'NotFoundError', 'NotSupportedError', 'InUseAttributeError', 'InvalidStateError', 'SyntaxError', 'InvalidModificationError', 'NamespaceError', 'InvalidAccessError', 'ValidationError', 'TypeMismatchError', 'SecurityError', 'NetworkError', 'AbortError', 'URLMismatchError', 'QuotaExceededError', 'TimeoutError', 'InvalidNodeTypeError', 'DataCloneError', 'EncodingError', 'NotReadableError', 'OperationError', 'constructor', '__proto__', ''];
test('codes', () => codeNames.map((name) => `${name} ${new DOMException('m', name).code}`));
for (const args of [[], ['m'], ['m', 'N'], [undefined, undefined], [null, null], [5, 6], ['m', {}], ['m', { name: 'N' }], ['m', { cause: 1 }], ['m', { name: 'N', cause: undefined }], ['m', { name: null }], ['', 'AbortError'], ['m', () => {}]]) {
  test(`new DOMException ${inspect(args)}`, () => {
    const e = new DOMException(...args);
    return [e.name, e.message, e.code, String(e), Object.prototype.toString.call(e), e instanceof Error, e.stack.split('\n')[0], Object.hasOwn(e, 'cause') ? `cause ${e.cause}` : 'no cause', Object.keys(e).length];
  });
}
for (const key of ['name', 'message', 'code']) test(`${key} of something else`, () => Reflect.get(DOMException.prototype, key, {}));
test('properties are not written', () => { const e = new DOMException('m', 'N'); try { e.name = 'x'; } catch {} return [e.name, Object.getOwnPropertyNames(e).sort()]; });
test('a symbol as name', () => { try { new DOMException('m', Symbol('s')); } catch (error) { return error.name; } });
test('subclass', () => { const e = new (class Mine extends DOMException {})('m', 'AbortError'); return [e.name, e.code, e.constructor.name, e instanceof DOMException]; });
test('inspect an exception', () => [new DOMException('m', 'AbortError'), new DOMException('m'), new DOMException('m', 'Foo'), new DOMException('', 'DataCloneError')].map((e) => withoutFrames(inspect(e))));
