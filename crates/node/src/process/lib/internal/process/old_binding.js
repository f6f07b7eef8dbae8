// `process.binding`, for what packages still look for in it: tables, and how to tell values apart.
'use strict';

const { deprecate } = require('internal/util/deprecate');
const { isOn } = require('internal/flags');

// What programs of old asked values for.
const UTIL = [
  'isExternal', 'isDate', 'isNativeError', 'isRegExp', 'isAsyncFunction', 'isPromise', 'isMap', 'isSet', 'isMapIterator', 'isSetIterator',
  'isArrayBuffer', 'isDataView', 'isAnyArrayBuffer', 'isArrayBufferView', 'isTypedArray', 'isUint8Array',
];

// Each as it is asked for.
const parts = {
  __proto__: null,
  buffer: () => ({ kMaxLength: require('buffer').constants.MAX_LENGTH, kStringMaxLength: require('buffer').constants.MAX_STRING_LENGTH }),
  config: () => ({ hasIntl: true, hasInspector: false, hasOpenSSL: true, fipsMode: false, hasTracing: false, noBrowserGlobals: false, isDebugBuild: false, bits: 64, hasNodeOptions: true }),
  constants: () => ({
    os: require('os').constants,
    fs: require('fs').constants,
    crypto: require('crypto').constants,
    zlib: require('zlib').constants,
    trace: { TRACE_EVENT_PHASE_BEGIN: 66, TRACE_EVENT_PHASE_END: 69, TRACE_EVENT_PHASE_COMPLETE: 88, TRACE_EVENT_PHASE_INSTANT: 73 },
  }),
  http_parser: () => {
    const { HTTPParser, methods } = require('_http_common');
    return { methods, allMethods: require('internal/http/parser').allMethods, HTTPParser };
  },
  // Whoever looks here wants to know which names are taken.
  natives: () => Object.fromEntries(require('internal/modules/builtins').names.map((name) => [name, ''])),
  os: () => {
    const os = require('os');
    return { getHostname: os.hostname, getHomeDirectory: os.homedir, getUptime: os.uptime, getTotalMem: os.totalmem, getFreeMem: os.freemem, getLoadAvg: os.loadavg };
  },
  spawn_sync: () => require('internal/child_process/sync').low,
  tty_wrap: () => ({ isTTY: require('tty').isatty }),
  util: () => {
    const { types } = require('util');
    return Object.fromEntries(UTIL.map((name) => [name, types[name]]));
  },
  uv: () => {
    const { errno } = require('os').constants;
    const { getSystemErrorName } = require('util');
    const table = Object.fromEntries(Object.entries(errno).map(([name, number]) => [`UV_${name}`, -number]));
    const errname = (number) => getSystemErrorName(number);
    const named = isOn('--pending-deprecation') ? deprecate(errname, ERRNAME, 'DEP0119') : errname;
    return { ...table, errname: named, getErrorMap: () => require('util').getSystemErrorMap() };
  },
};
const ERRNAME = "Directly calling process.binding('uv').errname(<val>) is being deprecated. " +
  'Please make sure to use util.getSystemErrorName() instead.';
const made = { __proto__: null };

function find(name) {
  const module = String(name);
  if (made[module] !== undefined) return made[module];
  if (parts[module] === undefined) throw new Error(`No such module: ${module}`);
  made[module] = parts[module]();
  return made[module];
}

const warned = deprecate(find, 'process.binding() is deprecated. Please use public APIs instead.', 'DEP0111');

exports.get = (name) => (isOn('--pending-deprecation') ? warned(name) : find(name));
