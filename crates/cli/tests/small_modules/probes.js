// What tools ask of modules that they can do without: the inspector, trace events, old timers, internals.
'use strict';
process.on('warning', ({ code, message }) => console.log(code, message));
const attempt = (f) => {
  try {
    return f();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};

const timers = require('timers');
const item = { _onTimeout() { console.log('fired', this === item); } };
console.log(timers.enroll(item, 5), Object.keys(item), item._idleTimeout);
timers.active(item);
console.log(Object.getOwnPropertyNames(item));
timers._unrefActive({ _idleTimeout: 1, _onTimeout() {} });
timers.unenroll({ _idleTimeout: 3 });
console.log(attempt(() => timers.enroll({}, 'x')));
console.log(attempt(() => timers.enroll({}, -1)));

const events = require('trace_events');
console.log(attempt(() => events.createTracing()));
console.log(attempt(() => events.createTracing({ categories: [] })));
const tracing = events.createTracing({ categories: ['node', 'v8'] });
console.log(tracing, tracing.enabled, tracing.categories, events.getEnabledCategories());

const inspector = require('inspector');
console.log(inspector.url(), attempt(() => inspector.waitForDebugger()));
const session = new inspector.Session();
console.log(attempt(() => session.post('x')), attempt(() => session.post()));
session.connect();
console.log(attempt(() => session.connect()), attempt(() => session.connectToMainThread()));
session.post('Nope.x', (error) => console.log(error.code, error.message));
session.disconnect();
const { Session } = require('inspector/promises');
const other = new Session();
other.connect();
other.post('Nope.y').catch((error) => console.log(error.code, error.message));

const sea = require('node:sea');
console.log(sea.isSea(), attempt(() => sea.getAsset('x')), attempt(() => sea.getAsset()), attempt(() => require('sea')).slice(0, 40));
console.log(attempt(() => process.binding('nope')));
console.log(Object.keys(process.binding('constants')), typeof process.binding('natives'), process.binding('uv').UV_ENOENT, process.binding('uv').errname(-2));

const { brotliCompressSync, brotliDecompressSync } = require('node:zlib');
console.log(typeof process.versions.brotli, String(brotliDecompressSync(brotliCompressSync('compressed'))));
