// Stacks as Node shows them: the error's name and message above the frames, positions in the
// program's own text, and nothing of how the program was loaded. What is shown is made when it is
// first asked for: most errors are caught without anybody looking.
// Uses binding.deepScripts, explainLink, failModule, parsedColumn, sourceColumn, sourceLine, withRoom.
'use strict';

// The frames of errors whose stack nobody has read.
const unread = new WeakMap();
// Where in a text something is wrong that keeps it from being run.
const places = new WeakMap();
// The functions that CommonJS modules are made of: their frames have a name of their own.
const moduleFunctions = new WeakSet();

exports.moduleFunctions = moduleFunctions;
exports.setPlace = (error, place) => { places.set(error, place); };
exports.placeOf = (error) => places.get(error);

function header(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

// The engine's own name for code outside all functions.
const TOP = '<eval>';

// `above` is the frame that this one has called; none for the first.
function columnOf(site, above) {
  const column = site.getColumnNumber();
  const file = site.getFileName();
  if (typeof file !== 'string') return column;
  return binding.sourceColumn(file, site.getLineNumber(), column, above !== undefined, above?.isConstructor() ?? true) ?? column;
}

// Library files are known by the names that programs use.
function fileOf(site) {
  const file = site.getFileName();
  if (typeof file !== 'string') return undefined;
  if (file.startsWith('node:lib/')) return `node:${file.slice('node:lib/'.length)}`;
  return file === '<input>' ? '<anonymous>' : file;
}

function nameOf(site) {
  if (moduleFunctions.has(site.getFunction())) return 'Object.<anonymous>';
  const name = site.getFunctionName();
  if (name === TOP) return site.getFileName() === '<input>' ? 'eval' : '';
  if (!name || name === '<anonymous>') return site.isConstructor() ? 'new <anonymous>' : '';
  if (site.isNative()) return nativeName(site.getFunction(), name);
  return site.isConstructor() ? `new ${name}` : name;
}

// A method of the language goes by the kind of its object, too.
let natives;
function nativeName(method, name) {
  if (natives === undefined) {
    natives = new WeakMap();
    const add = (kind, object) => {
      for (const key of Reflect.ownKeys(object)) {
        const { value } = Object.getOwnPropertyDescriptor(object, key);
        if (typeof value === 'function' && key !== 'constructor') natives.set(value, `${kind}.${typeof key === 'symbol' ? `[${key.description}]` : key}`);
      }
    };
    const kinds = { Array, String, Map, Set, WeakMap, WeakSet, Promise, RegExp, Number, BigInt, Date, Uint8Array };
    for (const kind of Object.keys(kinds)) {
      add('Function', kinds[kind]);
      add(kind, kinds[kind].prototype);
    }
    add('Function', Object);
    add('Object', Object.prototype);
    add('Function', Function.prototype);
    for (const [kind, object] of Object.entries({ JSON, Reflect, Math })) add(kind, object);
    for (const kind of [Promise, Map, Set, Array]) natives.set(kind, `new ${kind.name}`);
  }
  return natives.get(method) ?? name;
}

function frame(site, above) {
  const name = nameOf(site);
  const file = site.isNative() ? undefined : fileOf(site);
  const place = file === undefined ? '<anonymous>' : `${file}:${site.getLineNumber()}:${columnOf(site, above)}`;
  return name === '' ? place : `${name} (${place})`;
}

// What a program's own `Error.prepareStackTrace` gets.
class CallSite {
  #site;
  #above;
  constructor(site, above) {
    this.#site = site;
    this.#above = above;
  }
  getThis() { return undefined; }
  getTypeName() { return null; }
  getFunction() { return this.#site.getFunction(); }
  getFunctionName() {
    const name = this.#site.getFunctionName();
    return !name || name === TOP || moduleFunctions.has(this.#site.getFunction()) ? null : name;
  }
  getMethodName() { return null; }
  getFileName() { return this.#site.isNative() ? undefined : fileOf(this.#site); }
  getLineNumber() { return this.#site.isNative() ? null : this.#site.getLineNumber(); }
  getColumnNumber() { return this.#site.isNative() ? null : columnOf(this.#site, this.#above); }
  getEnclosingLineNumber() { return this.getLineNumber(); }
  getEnclosingColumnNumber() { return this.getColumnNumber(); }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return this.getFileName(); }
  getScriptHash() { return ''; }
  getPosition() { return 0; }
  getPromiseIndex() { return null; }
  isToplevel() { return true; }
  isEval() { return this.#site.getFileName() === '<input>'; }
  isNative() { return this.#site.isNative(); }
  isConstructor() { return this.#site.isConstructor(); }
  isAsync() { return false; }
  isPromiseAll() { return false; }
  toString() { return frame(this.#site, this.#above); }
}

// Frames of the loader and of the engine's calls into the program say nothing about the program.
const loader = /^node:lib\/internal\/(?:bootstrap|context|error_messages|errors|modules(?:\/.*)?|rejections|stack|uncaught|validators)$|^hemiola:/;
function isOurs(site) {
  const file = site.getFileName();
  return typeof file === 'string' && loader.test(file);
}

const isLibrary = (site) => String(site.getFileName()).startsWith('node:lib/');
const isCall = (site) => site.getFunction() === Reflect.apply || site.getFunction() === Function.prototype.call;

// A constructor that nobody wrote, of a class that extends another.
const textOf = Function.prototype.toString;
function isImplied(site) {
  if (!site.isConstructor() || site.isNative()) return false;
  const text = textOf.call(site.getFunction());
  return text.startsWith('class') && !text.includes('constructor');
}

// The frames that are shown.
function shown(sites) {
  return sites.filter((site, at) => {
    // What calls out of the library is the engine's `call`.
    const caller = sites[at + 1];
    const intoOurs = site.isNative() && (caller === undefined ? isCall(site) : isLibrary(caller));
    return !isOurs(site) && !intoOurs && !isImplied(site);
  });
}

const lineOf = binding.sourceLine;
exports.lineOf = lineOf;

// The line of a place and a mark below it, as Node writes them above an error.
exports.excerpt = function excerpt({ file, line, column, length }, blank = true) {
  const text = lineOf(file, line);
  if (text === undefined) return `${file}:${line}\n`;
  // A mark under the end of a very long line helps nobody.
  const shownLine = text.length > 4096 ? '' : `${text}\n${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}${'^'.repeat(Math.max(1, length ?? 1))}\n`;
  return `${file}:${line}\n${shownLine}${blank ? '\n' : ''}`;
};

function render(error, sites, custom) {
  const frames = shown(sites).slice(0, Math.max(0, limit));
  if (typeof custom === 'function') return custom(error, frames.map((site, at) => new CallSite(site, frames[at - 1])));
  const place = places.get(error);
  const above = place === undefined || place.hidden ? '' : exports.excerpt(place, place.blank);
  let text = above + header(error);
  for (let at = 0; at < frames.length; at += 1) text += `\n    at ${frame(frames[at], frames[at - 1])}`;
  return text;
}

// An error of the engine's parser names the place as a frame without a function; one of its linker
// names neither the place nor the import that does not fit.
function refine(error, sites) {
  const first = sites[0];
  if (first !== undefined && !first.getFunction() && typeof first.getFileName() === 'string') {
    const file = first.getFileName();
    const line = first.getLineNumber();
    const column = binding.parsedColumn(file, line, first.getColumnNumber());
    if (column === undefined) return sites;
    const isModule = file.startsWith('file:') || file.startsWith('data:');
    const place = { file, line, column, length: 1, hidden: isModule };
    const text = lineOf(file, line) ?? '';
    const statement = isModule ? null : /^(\s*)(import|export)\b(?!\s*[.(])/.exec(text);
    if (statement !== null) {
      place.column = statement[1].length + 1;
      setMessage(error, statement[2] === 'import' ? 'Cannot use import statement outside a module' : "Unexpected token 'export'");
    }
    // The whole word or text is marked.
    place.length = /^(?:[\w$\u0080-\uffff]+|"[^"]*"?|'[^']*'?)?/.exec(text.slice(place.column - 1))[0].length;
    places.set(error, place);
    return sites.slice(1);
  }
  const linking = /^(?:(Could not find) export '(.*)' in module|(circular reference) when looking for export '(.*)' in module|export '(.*)' in module) '(.*)'(?: is ambiguous)?$/s.exec(error.message);
  if (linking !== null) explain(error, linking);
  return sites;
}

function explain(error, [, missing, missingName, circular, circularName, ambiguousName, module]) {
  const name = missingName ?? circularName ?? ambiguousName;
  const found = binding.explainLink(name, module);
  if (found === undefined) return;
  const [specifier, isCommonJs, file, line, column, length] = found;
  places.set(error, { file, line, column, length, blank: false });
  let message;
  if (circular) {
    message = `Detected cycle while resolving name '${name}' in '${specifier}'`;
  } else if (!missing) {
    message = `The requested module '${specifier}' contains conflicting star exports for name '${name}'`;
  } else if (!isCommonJs) {
    message = `The requested module '${specifier}' does not provide an export named '${name}'`;
  } else {
    const names = /\{.*\}/.exec(lineOf(file, line) ?? '')?.[0];
    message = `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which may not support all module.exports as named exports.\n` +
      `CommonJS modules can always be imported via the default export, for example using:\n\nimport pkg from '${specifier}';\n` +
      (names === undefined ? '' : `const ${names.replace(/\s+as\s+/g, ': ')} = pkg;\n`);
  }
  setMessage(error, message);
  binding.failModule(file, error);
}

function setMessage(error, value) {
  Object.defineProperty(error, 'message', { __proto__: null, configurable: true, enumerable: false, writable: true, value });
}

// What the engine says of common mistakes, in V8's words: people search for those.
const words = [
  [/^(.+) is not initialized$/s, "Cannot access '$1' before initialization"],
  [/^cannot read property '(.*)' of (undefined|null)$/s, "Cannot read properties of $2 (reading '$1')"],
  [/^cannot set property '(.*)' of (undefined|null)$/s, "Cannot set properties of $2 (setting '$1')"],
  [/^'(.+)' is read-only$/s, 'Assignment to constant variable.'],
  [/^unexpected token in expression: '(.+)'$/s, "Unexpected token '$1'"],
  [/^unexpected token in expression: ''$/, 'Unexpected end of input'],
  [/^(?:unexpected end of string|invalid number literal|invalid first character of private name)$/, 'Invalid or unexpected token'],
  [/^unexpected end of regexp$/, 'Invalid regular expression: missing /'],
  [/^return not in a function$/, 'Illegal return statement'],
  [/^missing initializer for variable$/, 'Missing initializer in const declaration'],
  [/^invalid assignment left-hand side$/, 'Invalid left-hand side in assignment'],
  [/^cannot convert symbol to string$/, 'Cannot convert a Symbol value to a string'],
  [/^cannot convert BigInt to number$/, 'Cannot mix BigInt and other types, use explicit conversions'],
  [/^invalid array length$/, 'Invalid array length'],
];
function reword(error) {
  if (!(error instanceof ReferenceError || error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)) return;
  const { message } = error;
  if (typeof message !== 'string' || !/^[a-z']|initialized$/.test(message)) return;
  for (const [theirs, text] of words) {
    if (theirs.test(message)) {
      setMessage(error, message.replace(theirs, text));
      return;
    }
  }
}

// How many frames a program wants to see; the engine is asked for more, since some are not shown.
let limit = 10;
const HIDDEN = 10;
let capture;

function isSamePlace(one, other) {
  return one !== undefined && other !== undefined && one.getFunction() === other.getFunction() &&
    one.getLineNumber() === other.getLineNumber() && one.getColumnNumber() === other.getColumnNumber();
}

// What was thrown last, and where.
let thrown;

function throwsAt(value, site) {
  if (site === undefined || isOurs(site)) return;
  // The end of a `finally` throws again, but nobody wrote that.
  const again = thrown !== undefined && Object.is(thrown.value, value);
  if (again && !/\bthrow\b/.test(lineOf(site.getFileName(), site.getLineNumber()) ?? '')) return;
  thrown = { value, site };
}

// Where a value was thrown that nobody has caught since; undefined if that is not known.
exports.throwPlaceOf = function throwPlaceOf(value) {
  if (thrown === undefined || !Object.is(thrown.value, value)) return undefined;
  const { site } = thrown;
  const file = site.isNative() ? undefined : fileOf(site);
  return file === undefined ? undefined : { file, line: site.getLineNumber(), column: columnOf(site, undefined), length: 1 };
};

// The ES modules whose code outside functions is on the stack.
exports.evaluatingModules = function evaluatingModules() {
  const sites = capture();
  // The engine gives 64 frames at most. Of a stack that is deeper, everything counts.
  if (sites.length >= 64) return binding.deepScripts();
  // The function that a module's text is has no name at all, not even an empty one.
  const isTop = (site) => !site.isNative() && !Object.hasOwn(site.getFunction(), 'name');
  return sites.filter(isTop).map((site) => site.getFileName());
};

exports.install = function install() {
  let custom;
  const engine = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const stack = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  const define = (error, value) => {
    Object.defineProperty(error, 'stack', { __proto__: null, value, writable: true, configurable: true, enumerable: false });
  };
  // The engine asks again while an error unwinds; only a program that asks gets a new stack.
  let asked = false;
  let raw = false;
  const captureStackTrace = Error.captureStackTrace;
  const engineLimit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  const setLimit = (frames) => engineLimit.set.call(Error, frames);
  capture = () => {
    const target = {};
    raw = true;
    setLimit(Infinity);
    try {
      captureStackTrace.call(Error, target, capture);
    } finally {
      raw = false;
      setLimit(limit + HIDDEN);
    }
    return target.stack;
  };
  setLimit(limit + HIDDEN);
  let given = limit;
  Object.defineProperty(Error, 'stackTraceLimit', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => given,
    set(value) {
      given = value;
      limit = typeof value === 'number' && value > 0 ? value : 0;
      setLimit(limit > 0 ? limit + HIDDEN : 0);
    },
  });
  Object.defineProperty(Error, 'captureStackTrace', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    writable: true,
    value: function captureStackTrace_(target, above) {
      asked = true;
      try {
        captureStackTrace.call(Error, target, typeof above === 'function' ? above : captureStackTrace_);
      } finally {
        asked = false;
      }
    },
  });
  Object.defineProperty(Error.captureStackTrace, 'name', { __proto__: null, configurable: true, value: 'captureStackTrace' });
  engine.set.call(Error, binding.withRoom((error, sites) => {
    if (raw) return sites;
    if (asked) return render(error, sites, custom);
    if (!(error instanceof Error)) {
      throwsAt(error, sites[0]);
      return null;
    }
    const known = unread.get(error);
    if (known === undefined && !Object.hasOwn(error, 'stack')) {
      reword(error);
      unread.set(error, error instanceof SyntaxError ? refine(error, sites) : sites);
      // Nothing is stored yet, so that the engine asks again when the error is thrown.
      return undefined;
    }
    // An error that the engine itself throws is known from its place, and asked about in the caller.
    if (!isSamePlace(known?.[1], sites[0])) throwsAt(error, sites[0]);
    return null;
  }));
  Object.defineProperty(Error.prototype, 'stack', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      const sites = unread.get(this);
      if (sites === undefined) return stack.get.call(this);
      unread.delete(this);
      const text = render(this, sites, custom);
      define(this, text);
      return text;
    },
    set(value) {
      unread.delete(this);
      define(this, value);
    },
  });
  Object.defineProperty(Error, 'prepareStackTrace', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      return custom;
    },
    set(value) {
      custom = value;
    },
  });
};
