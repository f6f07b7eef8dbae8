// Tells what the modules of a runtime have, as JSON: names, arity, property descriptors, and what calls without
// arguments come to. Run by Node and by Hemiola; see compare-modules-with-node.
'use strict';

// Modules as Node 20 has them; both are asked for the same.
const modules = process.argv[2].split(',');
// What is called with nothing ends the process, waits, prints, or starts something.
const untouched = new RegExp(`^(?:${[
  'process\\.(?:exit|abort|reallyExit|kill|_kill|dlopen|openStdin|_debugProcess|_debugEnd|_startProfilerIdleNotifier|_stopProfilerIdleNotifier|emitWarning|_rawDebug|_fatalException|_tickCallback|_linkedBinding|report)',
  'cluster\\.(?:fork|setupPrimary|setupMaster|disconnect|_setupWorker|_getServer)',
  'repl\\.start', 'test\\..*', 'test', 'test/reporters\\..*', 'console\\..*', 'inspector(?:/promises)?\\.(?:open|close|waitForDebugger|console.*)',
  'v8\\.(?:writeHeapSnapshot|getHeapSnapshot|setHeapSnapshotNearHeapLimit|takeCoverage|stopCoverage)',
  'http2?\\.(?:createServer|createSecureServer|get|request|setMaxIdleHTTPParsers)', 'https\\.(?:createServer|get|request)',
  'net\\.(?:createServer|connect|createConnection|_createServerHandle)', 'tls\\.(?:connect|createServer)',
  'module\\.(?:runMain|_load|_preloadModules|_initPaths|register)', 'domain\\..*', 'vm\\.measureMemory', 'crypto\\.(?:setFips|secureHeapUsed|getFips)',
  'async_hooks\\.(?:createHook)', 'globalThis\\..*', 'readline(?:/promises)?\\.createInterface', 'assert(?:/strict)?.*', 'child_process\\._forkChild',
  'worker_threads\\.(?:receiveMessageOnPort|markAsUntransferable|moveMessagePortToContext)',
].join('|')})$`);
// Natives of JavaScript, which both have from their engines.
const known = new Set([Object.prototype, Function.prototype, Array.prototype, Promise.prototype, Error.prototype, Map.prototype, Set.prototype]);

const surface = {};
const waiting = [];
const done = new Map();

function kind(value) {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function flags({ configurable, enumerable, writable, get, set }) {
  const access = get || set ? `${get ? 'g' : ''}${set ? 's' : ''}` : `${writable ? 'w' : ''}`;
  return `${configurable ? 'c' : ''}${enumerable ? 'e' : ''}${access}`;
}

function outcome(fn, receiver) {
  const told = (error) => `throws ${error?.code ?? error?.name ?? kind(error)}`;
  try {
    const value = Reflect.apply(fn, receiver, []);
    if (typeof value?.then === 'function' && value instanceof Promise) return value.then((value) => `resolves ${kind(value)}`, (error) => `rejects ${error?.code ?? error?.name}`);
    if (typeof value?.on === 'function') value.on('error', () => {});
    return kind(value);
  } catch (error) {
    return told(error);
  }
}

function look(path, object, depth, calls) {
  for (const key of Reflect.ownKeys(object)) {
    const name = typeof key === 'symbol' ? `[${key.description}]` : key;
    // Symbols without a public name are nobody's business.
    if (typeof key === 'symbol' && !/^Symbol\.|^nodejs\./.test(key.description ?? '')) continue;
    if (typeof object === 'function' && ['length', 'name', 'prototype', 'arguments', 'caller', 'withoutStackTrace'].includes(key)) continue;
    // Files and listeners that the program itself has.
    if (/^(?:module\.(?:_cache|_pathCache)|process\._events|process\.env|process\.config)\b/.test(path) || key[0] === '/') continue;
    const at = `${path}.${name}`;
    let descriptor = Reflect.getOwnPropertyDescriptor(object, key);
    // An accessor of a prototype wants its object; others may only load what is first asked for.
    const isOfObjects = descriptor.get && /\.prototype$/.test(path);
    let value;
    if (!isOfObjects) {
      try {
        value = object[key];
      } catch (error) {
        surface[at] = { kind: `throws ${error.code ?? error.name}`, flags: flags(descriptor) };
        continue;
      }
      descriptor = Reflect.getOwnPropertyDescriptor(object, key) ?? descriptor;
    }
    const item = surface[at] = { kind: isOfObjects ? 'accessor' : kind(value), flags: flags(descriptor) };
    if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) continue;
    if (typeof value === 'function') {
      item.arity = value.length;
      // A class is not called, and neither is a method, which wants its object.
      const isClass = /^class\b/.test(Function.prototype.toString.call(value)) || /^[A-Z]/.test(name);
      if (calls && depth === 0 && !isClass && typeof key === 'string' && key[0] !== '_' && !untouched.test(at)) {
        const found = outcome(value, object);
        if (typeof found === 'string') item.call = found;
        else waiting.push(found.then((text) => { item.call = text; }));
      }
    }
    if (done.has(value)) {
      if (done.get(value) !== at) item.same = done.get(value);
      continue;
    }
    if (known.has(value) || depth > 1 || path === 'globalThis' && name !== 'Intl') continue;
    const isPlain = typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value));
    if (typeof value === 'function' || isPlain) {
      done.set(value, at);
      look(at, value, depth + 1, false);
      const { prototype } = typeof value === 'function' ? value : {};
      // One that holds nothing but its function comes with any function.
      const isEmpty = prototype && Reflect.ownKeys(prototype).length === 1 && Object.hasOwn(prototype, 'constructor');
      if (prototype && !isEmpty && !known.has(prototype) && !done.has(prototype)) {
        done.set(prototype, `${at}.prototype`);
        look(`${at}.prototype`, prototype, depth + 1, false);
      }
    }
  }
}

process.removeAllListeners('warning');
process.on('warning', () => {});
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
for (const name of modules) {
  let found;
  try {
    found = name === 'globalThis' ? globalThis : require(`node:${name}`);
  } catch (error) {
    surface[name] = { kind: `throws ${error.code}` };
    continue;
  }
  surface[name] = { kind: kind(found) };
  look(name, found, 0, name !== 'globalThis');
  if (typeof found === 'function' && found.prototype) look(`${name}.prototype`, found.prototype, 1, false);
}
const finish = () => {
  require('fs').writeFileSync(process.argv[3], JSON.stringify(surface));
  process.exit(0);
};
Promise.race([Promise.all(waiting), new Promise((resolve) => setTimeout(resolve, 5000))]).then(finish);
