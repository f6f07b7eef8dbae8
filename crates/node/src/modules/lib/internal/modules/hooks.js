// Hooks of the module loader, as the program's own thread sees them: they run in a thread of their own, and who
// loads a module waits for what they say.
// Uses binding.builtinName, perform, requireModule, useHooks, and gives others `hooked`.
'use strict';

const process = require('internal/process');
const { Module, builtin, dirname, loadFile } = require('internal/modules');
const { cloneAndTransfer } = require('internal/structured_clone');

// The number of no port.
const NOBODY = 0;
// The port to the thread, by its number, once there is one.
let port;
// What was resolved and loaded before the engine asks for it.
const ahead = new Map();
const loaded = new Map();
// The attributes with which the module at a URL was asked for, and what it is said to be.
const described = new Map();
// CommonJS modules whose text hooks have made, by URL.
const sources = new Map();
const made = new Map();
// The URL of the program until it is resolved, and after.
let entry;
let main;

function start() {
  const { Worker, kHooks } = require('internal/worker');
  const { adoptPort } = require('internal/messaging/port');
  const { Link } = require('internal/messaging/remote');
  const [near, far] = binding.perform('port.open', []);
  const theirs = adoptPort((inbox) => new Link(inbox, far));
  const worker = new Worker('', { eval: true, stdout: true, stderr: true, [kHooks]: theirs });
  worker.unref();
  port = near;
}

/// What the thread answers. Nothing else of the program runs meanwhile.
function ask(question, transferList = []) {
  const { write, read } = require('internal/messaging/remote');
  const { value } = cloneAndTransfer(question, transferList);
  if (port === undefined) start();
  let raw;
  try {
    // Who waits has written all that it has to say, also who waits for nobody: it comes before what hooks write.
    binding.perform('port.await', [NOBODY]);
    binding.perform('port.post', [port, ...write(value)]);
    binding.perform('port.await', [port]);
    raw = binding.perform('port.take', [port]);
  } catch (fault) {
    throw Object.assign(new Error(`a hook of the module loader does not answer: ${fault.message}`), { code: fault.code });
  }
  if (raw === null || raw === undefined) throw new Error('the thread of the module hooks has ended');
  const { value: answer } = read(raw);
  if (answer.exit !== undefined) process.exit(answer.exit);
  if (answer.error !== undefined) throw require('internal/worker/errors').unpack(answer.error);
  return answer.value;
}

function attempt(act) {
  try {
    return { value: act() };
  } catch (error) {
    return { error };
  }
}

function told({ value, error }) {
  if (value === undefined) throw error;
  return value;
}

exports.register = function register(specifier, parentURL, data, transferList) {
  ask({ type: 'register', specifier, parentURL, data }, transferList);
  if (binding.hooked !== undefined) return;
  binding.hooked = exports;
  binding.useHooks();
};

/// The URL that hooks give for a specifier.
function find(specifier, parentURL, attributes) {
  const isEntry = specifier === entry;
  if (isEntry) entry = undefined;
  const { url, format } = ask({ type: 'resolve', specifier, parentURL: isEntry ? undefined : parentURL, attributes });
  if (isEntry) main = url;
  described.set(url, { format, attributes });
  return url;
}

const keyOf = (specifier, base, attributes) => `${base}\n${specifier}\n${JSON.stringify(attributes)}`;

/// The URL that a specifier means.
exports.resolve = function resolve(specifier, base, attributes) {
  const key = keyOf(specifier, base, attributes);
  const known = ahead.get(key);
  if (known === undefined) return find(specifier, base, attributes);
  ahead.delete(key);
  return told(known);
};

/// The same for a module that the engine will ask for; undefined if there is none.
exports.resolveAhead = function resolveAhead(specifier, base, attributes) {
  const key = keyOf(specifier, base, attributes);
  if (!ahead.has(key)) ahead.set(key, attempt(() => find(specifier, base, attributes)));
  return ahead.get(key).value;
};

/// The URL that a specifier means, whether there is anything or not.
exports.resolveOnly = function resolveOnly(specifier, base) {
  const { url } = ask({ type: 'resolve', specifier, parentURL: base, attributes: {}, isLenient: true });
  return url;
};

/// The module at a URL, for the first time.
exports.peek = function peek(url) {
  if (!loaded.has(url)) loaded.set(url, attempt(() => askToLoad(url)));
  return told(loaded.get(url));
};

/// The same for the last time.
exports.load = function load(url) {
  const known = exports.peek(url);
  loaded.delete(url);
  if (known.format === 'commonjs' && known.source !== undefined) sources.set(url, known.source);
  return known;
};

function askToLoad(url) {
  const { format, attributes } = described.get(url) ?? {};
  const answer = ask({ type: 'load', url, format, attributes: attributes ?? {} });
  const { source } = answer;
  const isText = typeof source === 'string' || source === undefined;
  const text = isText ? source : require('buffer').Buffer.from(source.buffer ?? source, source.byteOffset, source.byteLength).toString();
  return { format: answer.format, source: text, isMade: answer.isMade && text !== undefined };
}

/// Says which module the program begins with: nobody imports it.
exports.begin = function begin(url) {
  entry = url;
};

/// What a CommonJS module exports that hooks had their say in; undefined if it is left to `require`.
exports.evaluate = function evaluate(url, path) {
  const source = sources.get(url);
  if (source === undefined) return url === main ? loadFile(path, null, true) : undefined;
  return made.get(url) ?? evaluateSource(url, path, source);
};

function evaluateSource(url, path, source) {
  const name = path ?? url;
  const module = new Module(name);
  made.set(url, module);
  module.filename = name;
  module.paths = path === undefined ? [] : Module._nodeModulePaths(dirname(path));
  if (url === main) {
    process.mainModule = module;
    module.id = '.';
  }
  // What such a module requires is found by hooks, too.
  Object.defineProperty(module, 'require', { __proto__: null, configurable: true, enumerable: false, writable: true, value: requireFrom(url) });
  let failed = true;
  try {
    module._compile(source, name, 'commonjs');
    module.loaded = true;
    failed = false;
  } finally {
    if (failed) made.delete(url);
  }
  return module;
}

function requireFrom(base) {
  return function require_(id) {
    require('internal/validators').validateString(id, 'id');
    const url = find(id, base, {});
    if (binding.builtinName(url) !== undefined) return builtin(url);
    const path = url.startsWith('file:') ? require('internal/url').fileURLToPath(url) : undefined;
    const known = made.get(url) ?? Module._cache[path];
    if (known !== undefined) return known.exports;
    const { format, source } = exports.load(url);
    if (format === 'module') return binding.requireModule(url, undefined, require('internal/stack/noting').evaluatingModules(), []);
    if (format !== 'json') return (exports.evaluate(url, path) ?? loadFile(path, undefined, false)).exports;
    const module = new Module(path ?? url);
    module.exports = require('internal/modules/json').parse(source, path ?? url);
    made.set(url, module);
    return module.exports;
  };
}
