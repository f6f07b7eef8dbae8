// Channels and traced calls. The output is Node 20's.
const dc = require('diagnostics_channel');
const util = require('util');
const s = (l, f) => {
  try {
    console.log(l, '=>', f());
  } catch (e) {
    console.log(l, 'throws', e.name, e.code, e.message);
  }
};
process.on('uncaughtException', (e) => console.log('uncaught', e.message));
console.log(Object.keys(dc), Object.getOwnPropertyNames(dc.Channel.prototype));
const c = dc.channel('a');
console.log(
  c,
  c === dc.channel('a'),
  c.hasSubscribers,
  c instanceof dc.Channel,
  Object.getPrototypeOf(c) === dc.Channel.prototype,
  c.constructor.name,
);
for (const x of [1, null, undefined, {}]) {
  s('channel ' + x, () => dc.channel(x));
  s('sub ' + x, () => dc.subscribe('a', x));
  s('unsub ' + x, () => dc.unsubscribe('a', x));
}
s('sym', () => dc.channel(Symbol.for('x')).name);
const f = (m, n) => console.log('got', m, n);
c.subscribe(f);
console.log(
  c.hasSubscribers,
  dc.hasSubscribers('a'),
  dc.hasSubscribers('zz'),
  Object.getPrototypeOf(c) === dc.Channel.prototype,
  c instanceof dc.Channel,
  c.constructor.name,
);
c.publish({ x: 1 });
c.subscribe(f);
c.publish(2);
console.log(c.unsubscribe(f), c.unsubscribe(f), c.unsubscribe(f), c.hasSubscribers);
c.subscribe(() => {
  throw new Error('sub');
});
c.subscribe(f);
c.publish(3);
console.log('after');
s('new Channel', () => new dc.Channel('q').name);
s('tc bad', () => dc.tracingChannel(1));
const t = dc.tracingChannel('t');
console.log(Object.keys(t), t.start.name, t.hasSubscribers, Object.getOwnPropertyNames(Object.getPrototypeOf(t)));
const h = {};
for (const k of ['start', 'end', 'asyncStart', 'asyncEnd', 'error'])
  h[k] = (m) => console.log(k, m.ctx, m.result, m.error?.message);
console.log(t.subscribe(h), t.hasSubscribers);
console.log(
  t.traceSync(
    function (a) {
      return [this.v, a];
    },
    { ctx: 1 },
    { v: 9 },
    5,
  ),
);
s('traceSync throw', () =>
  t.traceSync(
    () => {
      throw new Error('ts');
    },
    { ctx: 2 },
  ),
);
t.tracePromise(async (a) => a * 2, { ctx: 3 }, null, 4).then((v) => console.log('resolved', v));
t.tracePromise(
  async (a) => {
    throw new Error('tp');
  },
  { ctx: 4 },
).catch((v) => console.log('rejected', v.message));
s('tracePromise sync throw', () =>
  t.tracePromise(
    () => {
      throw new Error('st');
    },
    { ctx: 5 },
  ),
);
t.traceCallback(
  function (x, cb) {
    process.nextTick(cb, null, x);
  },
  1,
  { ctx: 6 },
  null,
  7,
  (e, v) => console.log('cb', e, v),
);
t.traceCallback(
  function (cb) {
    process.nextTick(cb, new Error('ce'));
  },
  undefined,
  { ctx: 7 },
  null,
  (e, v) => console.log('cb', e.message, v),
);
s('traceCallback nocb', () => t.traceCallback(() => {}, 0, {}, null, 5));
// Behind the ticks, which an error has kept waiting.
setImmediate(setTimeout, () => {
  console.log(t.unsubscribe(h), t.unsubscribe(h), t.hasSubscribers);
  console.log(t.traceSync(() => 1, {}));
}, 5);
const tt = dc.tracingChannel({
  start: dc.channel('s1'),
  end: dc.channel('s2'),
  asyncStart: dc.channel('s3'),
  asyncEnd: dc.channel('s4'),
  error: dc.channel('s5'),
});
console.log(tt.start.name);
// stores
const store = {
  run(d, fn) {
    console.log('store run', d);
    const r = fn();
    console.log('store out');
    return r;
  },
};
const b = dc.channel('b');
console.log(b.bindStore(store, (x) => x + 1));
console.log(
  b.hasSubscribers,
  b.runStores(
    5,
    function (a) {
      return [this.z, a];
    },
    { z: 3 },
    4,
  ),
);
b.subscribe(f);
b.runStores(6, () => {
  console.log('in');
});
console.log(b.unbindStore(store), b.unbindStore(store));
b.unsubscribe(f);
console.log(b.runStores(6, () => 8));

// The rules of docs/library/diagnostics_channel.md, one by one.
setTimeout(() => {
  const { AsyncLocalStorage } = require('async_hooks');
  const none = () => {};
  const one = dc.channel(Symbol.for('rule'));
  one.subscribe(none);
  const active = one.constructor.name;
  one.unsubscribe(none);
  console.log('CHANNEL-1', one === dc.channel(Symbol.for('rule')), active, one.constructor.name, one instanceof dc.Channel);

  const heard = [];
  const second = (message, name) => heard.push(message, name);
  const first = () => one.unsubscribe(second);
  one.subscribe(first);
  one.subscribe(second);
  one.subscribe(second);
  one.publish(1);
  one.publish(2);
  console.log('CHANNEL-2', heard);

  const inner = new AsyncLocalStorage();
  const outer = new AsyncLocalStorage();
  const failing = new AsyncLocalStorage();
  const bound = dc.channel('bound');
  bound.bindStore(inner, (data) => [data, outer.getStore()]);
  bound.bindStore(failing, () => {
    throw new Error('CHANNEL-3');
  });
  bound.bindStore(outer);
  bound.subscribe(() => console.log('CHANNEL-4', inner.getStore(), failing.getStore(), outer.getStore()));
  bound.runStores('data', () => console.log('CHANNEL-4', inner.getStore()));

  const quiet = dc.tracingChannel('quiet');
  console.log('CHANNEL-5', quiet.error.name, quiet.traceCallback((a) => a, 0, {}, null, 'no function'));

  const log = [];
  const trace = dc.tracingChannel('rules');
  const handlers = Object.fromEntries(
    ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((event) => [
      event,
      ({ result, error }) => log.push([event, result, error].join(' ')),
    ]),
  );
  trace.subscribe(handlers);
  const shown = (label) => console.log(label, log.splice(0));
  trace.start.bindStore(inner, () => 'in start');
  trace.asyncStart.bindStore(inner, () => 'in asyncStart');
  trace.traceSync(() => log.push(inner.getStore()));
  shown('CHANNEL-6');
  s('CHANNEL-6', () =>
    trace.traceSync(() => {
      throw new Error('sync');
    }),
  );
  shown('CHANNEL-6');
  trace.traceCallback(
    (callback) => callback('reason', 'result'),
    0,
    {},
    null,
    (...args) => log.push(args.join(), inner.getStore()),
  );
  shown('CHANNEL-8');
  s('CHANNEL-8', () =>
    trace.traceCallback(
      (a, callback) => callback(),
      undefined,
      {},
      null,
      1,
      () => {
        throw new Error('callback');
      },
    ),
  );
  shown('CHANNEL-8');
  setTimeout(async () => {
    log.length = 0;
    log.push(await trace.tracePromise(() => 5));
    shown('CHANNEL-7');
    log.push(await trace.tracePromise(() => ({ then: (resolved, rejected) => rejected('no') })).catch((reason) => reason));
    shown('CHANNEL-7');
  }, 20);
}, 20);
