// MessageChannel, MessagePort, MessageEvent, BroadcastChannel.
const reports = [];
const warnings = [];
let held = 0;
if (onNode) {
  process.on('uncaughtException', (error) => reports.push(error));
  process.on('warning', (warning) => warnings.push(warning));
} else {
  // A loop like Node's: in each round the receivers take their turns in the order they were made,
  // and each takes what waits for it.
  let waiting = [];
  const round = () => {
    const [next] = waiting.map(({ port }) => port).sort((a, b) => a - b);
    const at = waiting.findIndex(({ port }) => port === next);
    const [{ callback }] = waiting.splice(at, 1);
    if (waiting.length > 0) os.setTimeout(round, 0);
    callback();
  };
  binding.queueMessage = (callback, port, keepsAlive) => {
    if (typeof keepsAlive !== 'boolean') throw new Error('keepsAlive');
    waiting.push({ callback, port });
    if (waiting.length === 1) os.setTimeout(round, 0);
  };
  // Nothing here has a context.
  binding.getFrame = binding.swapFrame = () => undefined;
  binding.holdLoop = (change) => { held += change; };
  binding.now = () => 123.456789;
  binding.born = 0;
  binding.reportException = (error) => reports.push(error);
  binding.emitWarning = (warning) => warnings.push(warning);
}
const messaging = onNode ? load('worker_threads') : load('internal/messaging');
const { MessageChannel, MessagePort, BroadcastChannel, receiveMessageOnPort } = messaging;
const MessageEvent = onNode ? globalThis.MessageEvent : messaging.MessageEvent;
const { Event, EventTarget, NodeEventTarget } = load('internal/event_target');
const events = load('events');
const { inspect } = load(onNode ? 'util' : 'internal/util/inspect');

const pause = (ms) => new Promise((resolve) => (onNode ? setTimeout(resolve, ms) : os.setTimeout(resolve, ms)));
// The bare engine runs expired timers in the order in which they were set, not in which they are due: after a stall one
// long wait overtakes the messages. Short waits, each set after the one before, let everything else have its turn.
const wait = async (ms = 15) => { for (let waited = 0; waited < ms; waited++) await pause(1); };
const say = (values) => values.map((v) => (typeof v === 'object' && v !== null && !(v instanceof MessagePort) ? inspect(v) : String(v))).join(' ');
const logged = (label, body) => test(label, async () => {
  const log = [];
  reports.length = warnings.length = 0;
  const channel = new MessageChannel();
  const before = held;
  const result = await body((...values) => log.push(say(values)), channel);
  if (result !== undefined) log.push(`=> ${String(result)}`);
  await wait();
  channel.port1.close();
  await wait();
  for (const error of reports) log.push(`reported ${error?.message ?? error}`);
  for (const warning of warnings) log.push(`warning ${warning.name} ${warning.message}`);
  // Whatever a case opened it closes; then nothing may keep the program alive.
  if (!onNode && held !== before) log.push(`still held: ${held - before}`);
  return log;
});
const attempt = (fn) => { try { return fn(); } catch (error) { return `${error.constructor.name} ${error.name} ${error.code} ${error.message}`; } };

test('own methods of a port', () => Object.keys(MessagePort.prototype).filter((k) => k !== 'constructor').sort());
test('classes', () => { const { port1, port2 } = new MessageChannel(); const r = [port1 instanceof MessagePort, port1 instanceof NodeEventTarget, port1 instanceof EventTarget, port1 !== port2, MessagePort.name, MessageChannel.name, MessagePort.length, MessageChannel.length]; port1.close(); return r; });
test('new MessagePort', () => attempt(() => new MessagePort()));
test('MessageChannel without new', () => attempt(() => MessageChannel()));
test('keys of a channel', () => Object.keys(new MessageChannel()));

// Posting and receiving.
logged('on', async (log, { port1, port2 }) => { port2.on('message', (m) => log('got', m)); log(port1.postMessage({ a: [1] }), port1.postMessage('two')); log('sent'); });
logged('onmessage', (log, { port1, port2 }) => { port2.onmessage = function(e) { log(this === port2, e.data, e.type, e.target === port2, e.ports.length, e.origin, e.source, e.lastEventId, e.isTrusted, e.constructor === MessageEvent); }; port1.postMessage(5); });
logged('addEventListener', (log, { port1, port2 }) => { port2.addEventListener('message', (e) => log(e.data)); port1.postMessage(5); });
logged('all three', (log, { port1, port2 }) => { port2.onmessage = (e) => log('handler', e.data); port2.addEventListener('message', (e) => log('event', e.data)); port2.on('message', (m) => log('node', m)); port1.postMessage(1); });
logged('both ways', (log, { port1, port2 }) => { port2.on('message', (m) => { log('2', m); if (m < 3) port2.postMessage(m + 1); }); port1.on('message', (m) => { log('1', m); port1.postMessage(m + 1); }); port1.postMessage(0); });
logged('waits for a listener', async (log, { port1, port2 }) => { port1.postMessage(1); port1.postMessage(2); await wait(); port2.on('message', (m) => log(m)); });
logged('start', async (log, { port1, port2 }) => { port1.postMessage('lost'); port2.start(); await wait(); port2.on('message', (m) => log(m)); port1.postMessage('heard'); });
logged('a value is copied when posted', (log, { port1, port2 }) => { const o = { a: 1 }; port2.on('message', (m) => log(m.a, m === o)); port1.postMessage(o); o.a = 2; });
logged('jobs between messages', (log, { port1, port2 }) => { port2.on('message', (m) => { log('m', m); Promise.resolve().then(() => log('micro', m)); }); port1.postMessage(1); port1.postMessage(2); port1.postMessage(3); });
logged('posted while receiving', (log, { port1, port2 }) => { port2.on('message', (m) => { log(m); if (m < 3) { port1.postMessage(m + 1); log('posted', m + 1); } }); port1.postMessage(1); });
logged('once', async (log, { port1, port2 }) => { port2.once('message', (m) => log('once', m)); port1.postMessage(1); port1.postMessage(2); await wait(); log(receiveMessageOnPort(port2), port2.hasRef()); });
logged('off', async (log, { port1, port2 }) => { const f = (m) => log('f', m); port2.on('message', f); port1.postMessage(1); await wait(); port2.off('message', f); port1.postMessage(2); await wait(); log('off'); port2.on('message', f); });
logged('off before it arrives', async (log, { port1, port2 }) => { const f = (m) => log('f', m); port2.on('message', f); port1.postMessage(1); port2.off('message', f); await wait(); log(receiveMessageOnPort(port2)); });
logged('listener that throws', (log, { port1, port2 }) => { port2.on('message', (m) => { log(m); throw new Error(`from ${m}`); }); port1.postMessage(1); port1.postMessage(2); });
logged('events.once', async (log, { port1, port2 }) => { setTimeoutOrOs(() => port1.postMessage(7)); log(await events.once(port2, 'message')); });
function setTimeoutOrOs(fn) { return onNode ? setTimeout(fn, 1) : os.setTimeout(fn, 1); }
logged('emit by hand', (log, { port1, port2 }) => { port2.on('message', (m) => log('m', m)); log(port2.emit('message', 5), port2.emit('other', 5), port2.listenerCount('message')); });
logged('event by hand', (log, { port2 }) => { port2.onmessage = (e) => log(e.data); port2.dispatchEvent(new MessageEvent('message', { data: 9 })); });
logged('values', (log, { port1, port2 }) => { port2.on('message', (m) => log(m)); for (const v of [undefined, null, -0, 5n, 'x', new Date(0), new Map([[1, 2]]), /x/g, new Uint8Array(2)]) port1.postMessage(v); });

// Arguments of postMessage.
logged('postMessage without arguments', (log, { port1 }) => log(attempt(() => port1.postMessage())));
for (const [label, value] of [['function', () => 1], ['symbol', Symbol('s')], ['inside', { f() {} }], ['WeakMap', new WeakMap()]]) logged(`postMessage ${label}`, (log, { port1 }) => log(attempt(() => port1.postMessage(value))));
for (const bad of [1, 'x', true, Symbol('s'), [{}], [1], [null], { transfer: 1 }, { transfer: {} }, { transfer: [{}] }, { transfer: 'x' }]) logged(`transfer ${inspect(bad)}`, (log, { port1 }) => log(attempt(() => port1.postMessage(1, bad))));
for (const fine of [undefined, null, {}, [], { transfer: undefined }, { transfer: null }, new Set(), { transfer: new Set() }, () => {}]) logged(`transfer ${inspect(fine)} is fine`, (log, { port1 }) => log(attempt(() => port1.postMessage(1, fine))));
for (const name of ['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef']) test(`${name} of something else`, () => attempt(() => MessagePort.prototype[name].call({}, 1)));
logged('getter that throws', (log, { port1, port2 }) => { log(attempt(() => port1.postMessage({ get a() { throw new Error('g'); } }))); log(receiveMessageOnPort(port2)); });

// receiveMessageOnPort.
logged('receiveMessageOnPort', (log, { port1, port2 }) => { port1.postMessage(1); port1.postMessage({ two: 2 }); port1.postMessage(undefined); for (let i = 0; i < 4; i++) log(receiveMessageOnPort(port2)); log(receiveMessageOnPort(port1)); });
logged('receiveMessageOnPort before the event', async (log, { port1, port2 }) => { port2.on('message', (m) => log('event', m)); port1.postMessage(1); port1.postMessage(2); log(receiveMessageOnPort(port2)); });
for (const bad of [undefined, null, 1, {}, new EventTarget()]) test(`receiveMessageOnPort ${inspect(bad, { depth: -1 })}`, () => attempt(() => receiveMessageOnPort(bad)));

// Keeping the program alive.
logged('ref', (log, { port1, port2 }) => {
  const f = () => {}; log(port1.hasRef(), port1.ref(), port1.hasRef(), port1.unref(), port1.hasRef());
  port2.on('message', f); log(port2.hasRef()); port2.on('message', () => {}); port2.off('message', f); log(port2.hasRef()); port2.unref(); log(port2.hasRef());
});
logged('ref by onmessage', (log, { port1 }) => { port1.onmessage = () => {}; log(port1.hasRef()); port1.onmessage = null; log(port1.hasRef()); port1.onmessage = () => {}; log(port1.hasRef()); });
logged('ref by null', (log, { port1 }) => { port1.onmessage = null; log(port1.hasRef()); port1.onmessage = () => {}; port1.onmessage = null; log(port1.hasRef(), port1.onmessage); });
logged('ref by other events', (log, { port1 }) => { port1.on('close', () => {}); port1.on('messageerror', () => {}); log(port1.hasRef()); });

// Closing.
logged('close', async (log, { port1, port2 }) => { port1.on('close', (e) => log('1', e.constructor.name, e.type, e.target === port1)); port2.addEventListener('close', (e) => log('2', e.constructor.name)); log(port1.close()); log('called'); });
logged('close with a callback', (log, { port1 }) => { port1.close(function(e) { log('closed', this === port1, e?.type); }); });
logged('close twice', (log, { port1, port2 }) => { port1.on('close', () => log('1')); port2.on('close', () => log('2')); port1.close(); port1.close(); });
logged('messages before the close arrive', (log, { port1, port2 }) => { port2.on('message', (m) => log(m)); port2.on('close', () => log('closed')); port1.postMessage(1); port1.postMessage(2); port1.close(); });
logged('messages to the closing port are lost', (log, { port1, port2 }) => { port1.on('message', (m) => log('no', m)); port2.postMessage(1); port1.close(); });
logged('close while receiving', async (log, { port1, port2 }) => { port2.on('message', (m) => { log(m); port2.close(); }); port2.on('close', () => log('2')); port1.on('close', () => log('1')); port1.postMessage(1); port1.postMessage(2); });
logged('close after the last', async (log, { port1, port2 }) => { port2.on('message', (m) => { log(m); port2.close(); }); port2.on('close', () => log('closed')); port1.postMessage(1); });
logged('after the close', async (log, { port1, port2 }) => {
  port1.close(); log(port1.postMessage(1), port2.postMessage(1)); await wait();
  log(port1.postMessage(1), port2.postMessage(1), port1.start(), port1.ref(), port1.hasRef(), port1.unref(), port1.close(), receiveMessageOnPort(port1)); log(attempt(() => port1.postMessage(() => {})));
  port1.on('message', () => {}); log(port1.hasRef()); log(attempt(() => port1.postMessage()));
});
logged('what waits stays until it is heard', async (log, { port1, port2 }) => { port1.postMessage('w'); port1.close(); await wait(); port2.on('close', () => log('closed')); port2.on('message', (m) => log(m)); });
logged('close lets go', async (log, { port1, port2 }) => { port1.on('message', () => {}); port2.on('message', () => {}); port1.close(); await wait(); log(port1.hasRef(), port2.hasRef()); });

// Transferring.
logged('a port travels', async (log, { port1, port2 }) => {
  const other = new MessageChannel(); other.port1.postMessage('early'); other.port2.on('close', () => log('old one closed'));
  port1.postMessage({ p: other.port2 }, [other.port2]); log(other.port2.postMessage(1), attempt(() => other.port2.start())); other.port1.postMessage('later');
  port2.on('message', ({ p }) => { log(p === other.port2, p instanceof MessagePort); p.on('message', (m) => { log('moved', m); if (m === 'later') p.postMessage('back'); }); });
  other.port1.on('message', (m) => { log(m); other.port1.close(); });
});
logged('ports of the event', async (log, { port1, port2 }) => { const other = new MessageChannel(); port2.onmessage = (e) => { log(e.ports.length, e.ports[0] === e.data[0]); e.ports[0].close(); }; port1.postMessage([other.port1], [other.port1]); });
logged('ports not in the value', async (log, { port1, port2 }) => { const other = new MessageChannel(); port2.onmessage = (e) => { log(e.data, e.ports.length); e.ports[0].postMessage('hi'); e.ports[0].close(); }; other.port2.on('message', (m) => log(m)); port1.postMessage(0, { transfer: [other.port1] }); });
logged('port given away', (log, { port1 }) => { const other = new MessageChannel(); port1.postMessage(1, [other.port1]); log(attempt(() => port1.postMessage(1, [other.port1]))); });
logged('port twice', (log, { port1 }) => { const other = new MessageChannel(); log(attempt(() => port1.postMessage(1, [other.port1, other.port1]))); });
logged('port not listed', (log, { port1 }) => { const other = new MessageChannel(); log(attempt(() => port1.postMessage(other.port1))); });
logged('itself', (log, { port1 }) => { log(attempt(() => port1.postMessage(1, [port1]))); log(attempt(() => port1.postMessage(port1, [port1]))); });
logged('its other end', async (log, { port1, port2 }) => { port1.on('close', () => log('closed')); log(port1.postMessage(port2, [port2])); log(port1.postMessage(1)); });
logged('closed port', async (log, { port1 }) => { const other = new MessageChannel(); other.port1.close(); log(attempt(() => port1.postMessage(1, [other.port1]))); await wait(); log(attempt(() => port1.postMessage(1, [other.port1]))); });
logged('failure leaves the port', async (log, { port1 }) => { const other = new MessageChannel(); log(attempt(() => port1.postMessage(() => {}, [other.port1]))); other.port2.on('message', (m) => { log(m); other.port2.close(); }); other.port1.postMessage('works'); });
logged('a buffer travels', (log, { port1, port2 }) => { const b = new Uint8Array([1, 2]).buffer; port2.on('message', (m) => log(m)); port1.postMessage(b, [b]); log(b.byteLength); });
logged('through two channels', async (log, { port1, port2 }) => {
  const [a, b] = [new MessageChannel(), new MessageChannel()]; port2.once('message', (p) => { b.port1.postMessage(p, [p]); b.port2.once('message', (q) => { q.on('message', (m) => { log('end', m); q.close(); b.port1.close(); }); }); });
  a.port1.postMessage('x'); port1.postMessage(a.port2, [a.port2]);
});

// MessageEvent.
const eventFacts = (e) => [e.type, inspect(e.data), e.origin, e.lastEventId, String(e.source), e.ports.length, e.bubbles, e.cancelable];
for (const init of [undefined, {}, { data: 5 }, { data: undefined }, { origin: 5, lastEventId: 6 }, { bubbles: true, cancelable: true }, { ports: new Set() }, 1]) test(`MessageEvent ${inspect(init)}`, () => eventFacts(new MessageEvent('x', init)));
test('MessageEvent without arguments', () => eventFacts(new MessageEvent()));
test('MessageEvent with ports', () => { const { port1 } = new MessageChannel(); const ports = [port1]; const e = new MessageEvent('x', { source: port1, ports }); port1.close(); return [e.source === port1, e.ports[0] === port1, e.ports === ports, Object.isFrozen(e.ports)]; });
for (const bad of [{}, 1, 'x', new EventTarget()]) { test(`MessageEvent source ${inspect(bad, { depth: -1 })}`, () => attempt(() => new MessageEvent('x', { source: bad }))); test(`MessageEvent port ${inspect(bad, { depth: -1 })}`, () => attempt(() => new MessageEvent('x', { ports: [bad] }))); }
for (const key of ['data', 'origin', 'lastEventId', 'source', 'ports']) test(`${key} of something else`, () => attempt(() => Reflect.get(MessageEvent.prototype, key, new Event('x'))));
test('MessageEvent shown', () => inspect(new MessageEvent('x', { data: 1 })).replace(/timeStamp: [\d.]+/, 'timeStamp: T'));
test('MessageEvent tag', () => Object.prototype.toString.call(new MessageEvent('x')));

// BroadcastChannel.
const broadcast = (label, body) => logged(label, async (log) => {
  const open = [];
  await body(log, (name = 'n') => { const channel = new BroadcastChannel(name); open.push(channel); return channel; });
  await wait();
  for (const channel of open) channel.close();
});
broadcast('shape', (log, make) => { const a = make(); log(a, a.name, a instanceof EventTarget, inspect(a, { depth: -1 }), Object.keys(BroadcastChannel.prototype), Object.prototype.toString.call(a), BroadcastChannel.length); a.close(); log(a); });
broadcast('everybody else', (log, make) => { const [a, b, c, d] = [make(), make(), make(), make('other')]; for (const [i, x] of [a, b, c, d].entries()) x.onmessage = (e) => log(i, e.data, e.target === x, e.origin, e.ports.length, e.constructor === MessageEvent); log(a.postMessage({ x: 1 })); });
broadcast('order', (log, make) => { const [a, b, c] = [make(), make(), make()]; for (const [i, x] of [a, b, c].entries()) x.onmessage = (e) => log(i, e.data); a.postMessage('a1'); b.postMessage('b1'); c.postMessage('c1'); a.postMessage('a2'); });
broadcast('copies are separate', (log, make) => { const [a, b, c] = [make(), make(), make()]; const got = []; b.onmessage = c.onmessage = (e) => { got.push(e.data); if (got.length === 2) log(got[0] !== got[1], got[0]); }; a.postMessage({ x: 1 }); });
broadcast('addEventListener', (log, make) => { const [a, b] = [make(), make()]; b.addEventListener('message', (e) => log(e.data)); a.postMessage(1); });
broadcast('without a listener messages are lost', async (log, make) => { const [a, b] = [make(), make()]; a.postMessage(1); await wait(); b.onmessage = (e) => log(e.data); a.postMessage(2); });
broadcast('closed', async (log, make) => { const [a, b] = [make(), make()]; b.onmessage = () => log('no'); a.postMessage(1); b.close(); b.close(); await wait(); log(attempt(() => b.postMessage(1)), attempt(() => a.postMessage(1)), b.ref() === b, b.name); });
broadcast('made later', async (log, make) => { const a = make(); a.postMessage('before'); const b = make(); b.onmessage = (e) => log(e.data); a.postMessage('after'); });
broadcast('cannot be copied', (log, make) => { log(attempt(() => make().postMessage(() => {}))); log(attempt(() => make().postMessage())); });
broadcast('names', (log, make) => { for (const name of [5, null, {}, '']) log(make(name).name); });
broadcast('ref', (log, make) => { const a = make(); log(a.ref() === a, a.unref() === a); });
broadcast('onmessage', (log, make) => { const a = make(); log(a.onmessage, a.onmessageerror); });
broadcast('listener that throws', (log, make) => { const [a, b] = [make(), make()]; b.onmessage = (e) => { throw new Error(e.data); }; a.postMessage('x'); a.postMessage('y'); });
test('BroadcastChannel without name', () => attempt(() => new BroadcastChannel()));
for (const name of ['close', 'postMessage', 'ref', 'unref']) test(`BroadcastChannel ${name} of something else`, () => attempt(() => BroadcastChannel.prototype[name].call({}, 1)));
test('BroadcastChannel name of something else', () => attempt(() => BroadcastChannel.prototype.name));
