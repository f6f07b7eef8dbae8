// What messages carry, and how: every kind of value, transfers, order, and what cannot be sent.
const { Worker, MessageChannel, markAsUntransferable, receiveMessageOnPort } = require('worker_threads');
const echo = new Worker('const { parentPort } = require("worker_threads"); parentPort.on("message", (m) => parentPort.postMessage(m))', { eval: true });
const ask = (value, list) => new Promise((resolve) => {
  echo.once('message', resolve);
  echo.postMessage(value, list);
});
const shared = { x: 1 };
const cycle = { name: 'cycle' };
cycle.self = cycle;
const sparse = [1, , 3];
sparse.extra = 'property';
sparse[7] = 'far';
class Point { constructor() { this.x = 1; } get y() { return 2; } }
const error = Object.assign(new RangeError('message', { cause: 'because' }), { code: 'LOST' });
error.stack = 'RangeError: message\n    at somewhere';
const values = [
  undefined, null, true, false, 0, -0, 1, -1, 63, 64, -64, -65, 2 ** 30 - 1, 2 ** 30, -(2 ** 30), 2 ** 31, 2 ** 32, 2 ** 53, -1.5, NaN, Infinity, -Infinity, 5e-324,
  0n, 1n, -1n, 2n ** 64n, -(2n ** 200n) + 1n,
  '', 'text', 'ü'.repeat(3), '€uro', '\u{1F600}', '\ud800 alone', 'x'.repeat(200), '\0',
  [], [1, 'a', null], sparse, [, ,], new Array(3), [[[[]]]],
  {}, { a: 1, 2: 'two', '-1': 'minus', '01': 'text', 4294967295: 'large', 4294967294: 'index' }, { __proto__: null, b: 2 }, JSON.parse('{"__proto__":1}'), new Point(),
  { one: shared, two: shared }, cycle,
  new Date(0), new Date(NaN), new Date(8.64e15), /a\/b/gimsuy, new RegExp('', 'd'),
  Object(true), Object(false), Object(1.5), Object('boxed'), Object(5n),
  new Map([[1, { a: new Map() }], ['k', [1]], [NaN, -0]]), new Set([1, 'a', shared, shared]), new Map([[shared, shared]]),
  error, new TypeError('t'), new EvalError('e'), new ReferenceError('r'), new SyntaxError('s'), new URIError('u'), new Error(''), new AggregateError([1], 'many'),
  new Uint8Array([1, 2, 3]), new Uint8ClampedArray([300]), new Int16Array([-1, 2]), new Float32Array([1.5]), new Float64Array([Math.PI]), new BigInt64Array([-5n]),
  new BigUint64Array([5n]), new Int8Array(), new Uint32Array([2 ** 32 - 1]), new DataView(new ArrayBuffer(4), 1, 2), new ArrayBuffer(3), new ArrayBuffer(2, { maxByteLength: 8 }),
  new Uint16Array(new ArrayBuffer(16), 4, 3), Buffer.from('buffer'), Buffer.from('pool').subarray(1, 3),
  (() => { const buffer = new ArrayBuffer(8); return [new Uint8Array(buffer), new Uint16Array(buffer, 2, 1), buffer]; })(),
];
const show = (value) => {
  if (value instanceof Error) return [Object.prototype.toString.call(value), value.name, value.message, value.cause, Object.keys(value), value.stack?.split('\n').length > 1];
  return [value, Object.getPrototypeOf(Object(value)) === null ? null : Object.getPrototypeOf(Object(value)).constructor.name];
};
(async () => {
  for (const value of values) console.log(...show(await ask(value)));
  const back = await ask({ one: shared, two: shared, cycle });
  console.log(back.one === back.two, back.cycle.self === back.cycle);
  const views = await ask((() => { const buffer = new ArrayBuffer(8); return [new Uint8Array(buffer), new Uint16Array(buffer, 2, 1), buffer]; })());
  console.log(views[0].buffer === views[2], views[1].buffer === views[2], views[1].byteOffset);
  const resized = await ask(new ArrayBuffer(2, { maxByteLength: 8 }));
  console.log(resized.resizable, resized.maxByteLength);

  const moved = new Uint8Array([1, 2, 3]);
  console.log(await ask({ moved, same: moved.buffer }, [moved.buffer]), moved.length, moved.buffer.byteLength);
  const kept = new Uint8Array([1, 2]);
  markAsUntransferable(kept.buffer);
  console.log(await ask(kept, [kept.buffer]), kept.length);
  const memory = new SharedArrayBuffer(4);
  const same = await ask({ memory, view: new Uint8Array(memory, 1) });
  new Uint8Array(memory)[1] = 42;
  console.log(same.view[0], same.memory instanceof SharedArrayBuffer, same.view.buffer === same.memory, same.memory.byteLength);

  const refused = (value, list) => {
    try {
      echo.postMessage(value, list);
      console.log('sent');
    } catch (failure) {
      console.log(failure.name, failure.code, failure.message);
    }
  };
  refused(() => {});
  refused(Symbol('s'));
  refused({ deep: [new WeakMap()] });
  refused(Promise.resolve());
  refused(new MessageChannel().port1);
  refused(1, 5);
  refused(1, [5]);
  refused(1, { transfer: 5 });
  const { port1, port2 } = new MessageChannel();
  refused(port1, [port1, port1]);
  port1.close();
  const detached = new ArrayBuffer(1);
  structuredClone(detached, { transfer: [detached] });
  refused(detached);
  refused(moved);
  let order = 0;
  const ended = new Promise((resolve) => echo.on('message', function count(message) {
    if (message !== order++) console.log('out of order', message);
    if (order === 3000) {
      echo.off('message', count);
      resolve();
    }
  }));
  for (let i = 0; i < 3000; ++i) echo.postMessage(i);
  await ended;
  console.log('in order', order);
  echo.unref();
})();
