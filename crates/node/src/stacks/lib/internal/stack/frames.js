// What a stack says: the names and places of its frames, in the program's own text, and the engine's
// messages in V8's words. Loaded when a stack is first looked at.
// Uses binding.explainLink, failModule, parsedColumn, sourceLine, sourcePlace, sourceText.
'use strict';

const { apply, call, startsWith, weakMap } = require('internal/kept');
const { functionOf, isOurs, moduleFunctions, placeOf, setPlace, throwSiteOf } = require('internal/stack');

function header(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

// The engine's own name for code outside all functions.
const TOP = '<eval>';

// Line and column. `above` is the frame that this one has called; none for the first, where an object
// of a class by the name `made` may have been made.
function placeIn(site, above, made) {
  const line = site.getLineNumber();
  const column = site.getColumnNumber();
  const file = site.getFileName();
  if (typeof file !== 'string') return [line, column];
  const name = above === undefined ? made : above.getFunctionName();
  const known = typeof name === 'string' ? name : undefined;
  return binding.sourcePlace(file, line, column, known, above !== undefined, above?.isConstructor() ?? true) ?? [line, column];
}

// The properties of nothing that errors are about, and where the engine saw them.
const misses = new WeakMap();

// The engine names the start of an expression: the property that was missed stands further on. One that
// was to be set is known by what sets it.
function placeOfMiss(error, site, place) {
  const miss = misses.get(error);
  if (miss === undefined || miss.line !== site.getLineNumber() || miss.column !== site.getColumnNumber()) return place;
  const [line, column] = place;
  const text = lineOf(site.getFileName(), line)?.slice(column - 1);
  const name = miss.name.replace(/[$^.*+?()[\]{}|\\/]/g, '\\$&');
  const found = text === undefined ? null : new RegExp(miss.set ? `\\.\\s*${name}(?![\\w$])\\s*` : `\\.\\s*(?=${name}(?![\\w$]))`).exec(text);
  return found === null ? place : [line, column + found.index + found[0].length];
}

// The name of an error's class, as it would stand after `new`.
function classOf(error) {
  try {
    const name = error.constructor?.name;
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

// Text of `eval`, and of functions made of text; behind this is the file that made it.
const isEvaluated = (file) => typeof file === 'string' && startsWith(file, '<input>');

// Library files are known by the names that programs use.
function fileOf(site) {
  const file = site.getFileName();
  if (typeof file !== 'string') return undefined;
  if (file.startsWith('node:lib/')) return `node:${file.slice('node:lib/'.length)}`;
  return isEvaluated(file) ? '<anonymous>' : file;
}

function nameOf(site) {
  if (moduleFunctions.has(functionOf(site))) return 'Object.<anonymous>';
  const name = site.getFunctionName();
  if (name === TOP) return isEvaluated(site.getFileName()) ? 'eval' : '';
  if (!name || name === '<anonymous>') return site.isConstructor() ? 'new <anonymous>' : '';
  if (site.isNative()) return nativeName(functionOf(site), name);
  return site.isConstructor() ? `new ${name}` : name;
}

// A method of the language goes by the kind of its object, too.
let natives;
function nativeName(method, name) {
  if (natives === undefined) {
    natives = weakMap();
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

// What a source map says of a place, of files only.
function originOf(file, line, column) {
  return file[0] === '/' || startsWith(file, 'file:') ? require('internal/source_maps').origin(file, line, column) : undefined;
}

function frame(site, above, made, error) {
  const name = nameOf(site);
  const file = site.isNative() ? undefined : fileOf(site);
  let place = '<anonymous>';
  if (file !== undefined) {
    const found = placeIn(site, above, made);
    const exact = above === undefined && error !== undefined ? placeOfMiss(error, site, found) : found;
    const origin = originOf(file, ...exact);
    place = origin === undefined ? `${file}:${exact.join(':')}` : `${origin.file}:${origin.line}:${origin.column}`;
  }
  return name === '' ? place : `${name} (${place})`;
}

// What a program's own `Error.prepareStackTrace` gets.
class CallSite {
  #site;
  #above;
  #made;
  constructor(site, above, made) {
    this.#site = site;
    this.#above = above;
    this.#made = made;
  }
  getThis() { return undefined; }
  getTypeName() { return null; }
  // The functions of the library are not the program's.
  getFunction() { return this.#site.isNative() || isLibrary(this.#site) ? undefined : functionOf(this.#site); }
  getFunctionName() {
    const name = this.#site.getFunctionName();
    return !name || name === TOP || moduleFunctions.has(functionOf(this.#site)) ? null : name;
  }
  getMethodName() { return null; }
  getFileName() { return this.#site.isNative() ? undefined : fileOf(this.#site); }
  getLineNumber() { return this.#site.isNative() ? null : placeIn(this.#site, this.#above, this.#made)[0]; }
  getColumnNumber() { return this.#site.isNative() ? null : placeIn(this.#site, this.#above, this.#made)[1]; }
  getEnclosingLineNumber() { return this.getLineNumber(); }
  getEnclosingColumnNumber() { return this.getColumnNumber(); }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return this.getFileName(); }
  getScriptHash() { return ''; }
  getPosition() { return 0; }
  getPromiseIndex() { return null; }
  isToplevel() { return true; }
  isEval() { return isEvaluated(this.#site.getFileName()); }
  isNative() { return this.#site.isNative(); }
  isConstructor() { return this.#site.isConstructor(); }
  isAsync() { return false; }
  isPromiseAll() { return false; }
  toString() { return frame(this.#site, this.#above, this.#made); }
}

function isLibrary(site) {
  const file = site.getFileName();
  return typeof file === 'string' && startsWith(file, 'node:lib/');
}
const isCall = (site) => functionOf(site) === apply || functionOf(site) === call;

// A constructor that nobody wrote, of a class that extends another.
const textOf = Function.prototype.toString;
function isImplied(site) {
  if (!site.isConstructor() || site.isNative()) return false;
  const text = apply(textOf, functionOf(site), []);
  return text.startsWith('class') && !text.includes('constructor');
}

// The frames that are shown.
function shown(sites) {
  return sites.filter((site, at) => {
    // What calls out of the library is the engine's `call`.
    const caller = sites[at + 1];
    const intoOurs = site.isNative() && (caller === undefined ? isCall(site) : isLibrary(caller));
    // The global console's functions are native until they call the library.
    const ofConsole = site.isNative() && sites[at - 1]?.getFileName() === 'node:lib/internal/console';
    return !isOurs(site) && !intoOurs && !ofConsole && !isImplied(site);
  });
}

const lineOf = binding.sourceLine;
exports.lineOf = lineOf;

// The line of a place and a mark below it, as Node writes them above an error.
exports.excerpt = function excerpt(place, blank = true) {
  const origin = originOf(place.file, place.line, place.column);
  const { file, line, column, length } = origin ?? place;
  const text = origin === undefined ? lineOf(file, line) : require('internal/source_maps').lineAt(origin);
  if (text === undefined) return `${file}:${line}\n`;
  // A mark under the end of a very long line helps nobody.
  const shownLine = text.length > 4096 ? '' : `${text}\n${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}${'^'.repeat(Math.max(1, length ?? 1))}\n`;
  return `${file}:${line}\n${shownLine}${blank ? '\n' : ''}`;
};

exports.render = function render(error, sites, limit, custom) {
  const frames = shown(sites).slice(0, Math.max(0, limit));
  if (typeof custom === 'function') return custom(error, frames.map((site, at) => new CallSite(site, frames[at - 1], classOf(error))));
  const place = placeOf(error);
  const above = place === undefined || place.hidden ? '' : exports.excerpt(place, place.blank);
  const made = classOf(error);
  let text = above + header(error);
  for (let at = 0; at < frames.length; at += 1) text += `\n    at ${frame(frames[at], frames[at - 1], made, error)}`;
  return text;
};

// An error of the engine's parser names the place as a frame without a function; one of its linker
// names neither the place nor the import that does not fit.
exports.refine = function refine(error, sites) {
  const first = sites[0];
  if (first !== undefined && !functionOf(first) && typeof first.getFileName() === 'string') {
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
    setPlace(error, place);
    return sites.slice(1);
  }
  const linking = /^(?:(Could not find) export '(.*)' in module|(circular reference) when looking for export '(.*)' in module|export '(.*)' in module) '(.*)'(?: is ambiguous)?$/s.exec(error.message);
  if (linking !== null) explain(error, linking);
  return sites;
};

function explain(error, [, missing, missingName, circular, circularName, ambiguousName, module]) {
  const name = missingName ?? circularName ?? ambiguousName;
  const found = binding.explainLink(name, module);
  if (found === undefined) return;
  const [specifier, isCommonJs, file, line, column, length] = found;
  setPlace(error, { file, line, column, length, blank: false });
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
  ['this is not initialized', "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"],
  [/^(.+) is not initialized$/s, "Cannot access '$1' before initialization"],
  [/^cannot read property '(.*)' of (undefined|null)$/s, "Cannot read properties of $2 (reading '$1')"],
  [/^cannot set property '(.*)' of (undefined|null)$/s, "Cannot set properties of $2 (setting '$1')"],
  [/^'(.+)' is read-only$/s, 'Assignment to constant variable.'],
  [/^unexpected token in expression: '(.+)'$/s, "Unexpected token '$1'"],
  ["unexpected token in expression: ''", 'Unexpected end of input'],
  [/^(?:unexpected end of string|invalid number literal|invalid first character of private name)$/, 'Invalid or unexpected token'],
  ['unexpected end of regexp', 'Invalid regular expression: missing /'],
  ['return not in a function', 'Illegal return statement'],
  ['missing initializer for variable', 'Missing initializer in const declaration'],
  ['invalid assignment left-hand side', 'Invalid left-hand side in assignment'],
  ['cannot convert symbol to string', 'Cannot convert a Symbol value to a string'],
  ['cannot convert BigInt to number', 'Cannot mix BigInt and other types, use explicit conversions'],
  ['invalid array length', 'Invalid array length'],
  [/ in JSON at position \d+ \(line \d+ column \d+\)$/, (tail) => tail.slice(0, tail.indexOf(' ('))],
  ['circular reference', 'Converting circular structure to JSON'],
  ['BigInt are forbidden in JSON.stringify', 'Do not know how to serialize a BigInt'],
  ["invalid 'instanceof' right operand", "Right-hand side of 'instanceof' is not callable"],
  ['empty array', 'Reduce of empty array with no initial value'],
  ['invalid repeat count', 'Invalid count value'],
  ['invalid string length', 'Invalid string length'],
  // The engine says so of what stands after `new`, too.
  ['not a function', (sites) => `${calleeAt(sites[0]) ?? '(intermediate value)'} is not a ${isAfterNew(sites[0]) ? 'constructor' : 'function'}`],
  ['not a constructor', (sites) => `${calleeAt(sites[0]) ?? '(intermediate value)'} is not a constructor`],
  ["class constructors must be invoked with 'new'", (sites) => `Class constructor ${calleeAt(sites[0])?.replace(/.*\./s, '').concat(' ') ?? ''}cannot be invoked without 'new'`],
  ['must be called with new', (sites) => (sites[0]?.getFunctionName() === 'Promise' ? "Promise constructor cannot be invoked without 'new'" : `Constructor ${sites[0]?.getFunctionName()} requires 'new'`)],
  ['invalid number of digits', (sites) => ({
    toFixed: 'toFixed() digits argument must be between 0 and 100',
    toPrecision: 'toPrecision() argument must be between 1 and 100',
    toExponential: 'toExponential() argument must be between 0 and 100',
  })[sites[0]?.getFunctionName()] ?? 'invalid number of digits'],
];

// What is called where a frame stands, as it is written; undefined when that is not certain: the engine
// names the last call that it met, which may be in an argument of the one that failed.
function calleeAt(site) {
  if (site === undefined || site.isNative()) return undefined;
  const [line, column] = placeIn(site, undefined, undefined);
  const text = lineOf(site.getFileName(), line);
  if (text === undefined) return undefined;
  const called = /^(?:new\s+)?([\w$.\u0080-\uffff]+)\s*(?:\?\.)?\s*(?:[(`]|(?=[;,)\]}\s]|$))/.exec(text.slice(column - 1));
  if (called === null || called[1] === 'new') return undefined;
  const before = text.slice(0, column - 1);
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const char = before[at];
    if (char === ')' || char === ']' || char === '}') depth += 1;
    else if (depth > 0 && (char === '(' || char === '[' || char === '{')) depth -= 1;
    else if (char === ';' || (char === '{' && /[)>]\s*$/.test(before.slice(0, at)))) break;
    else if (char === '(') {
      // A call around it, unless everybody has its function.
      const outer = /([\w$.\u0080-\uffff]*)\s*$/.exec(before.slice(0, at))[1];
      if (outer !== '' && !/^(?:if|while|for|switch|return|await|yield|typeof|void|console\..*|String|Number|Boolean|Array|Object|Promise\..*)$/.test(outer)) return undefined;
    }
  }
  const object = /(?:[\w$\u0080-\uffff]+(?:\[[^[\]()]*\])*\??\.)*$/.exec(before)[0];
  const inner = /[)\]]\??\.$/.test(before.slice(0, before.length - object.length)) || /[)\]]\.$/.test(before);
  return `${inner ? '(intermediate value).' : object}${called[1]}`;
}

function isAfterNew(site) {
  if (site === undefined || site.isNative()) return false;
  const [line, column] = placeIn(site, undefined, undefined);
  return /^new\b/.test(lineOf(site.getFileName(), line)?.slice(column - 1) ?? '');
}

exports.reword = function reword(error, sites) {
  if (error instanceof URIError) {
    if (/^(?:expecting|malformed|invalid|unexpected)/.test(error.message)) setMessage(error, 'URI malformed');
    return;
  }
  const { message } = error;
  if (message === 'string too long' && error.name === 'InternalError') {
    Object.setPrototypeOf(error, RangeError.prototype);
    setMessage(error, 'Invalid string length');
    return;
  }
  const miss = /^cannot (read|set) property '(.*)' of (?:undefined|null)$/s.exec(message);
  if (miss !== null && sites[0] !== undefined) {
    misses.set(error, { name: miss[2], set: miss[1] === 'set', line: sites[0].getLineNumber(), column: sites[0].getColumnNumber() });
  }
  for (const [theirs, text] of words) {
    if (typeof theirs === 'string' ? theirs === message : theirs.test(message)) {
      const said = typeof theirs === 'string' && typeof text === 'function' ? text(sites) : message.replace(theirs, text);
      setMessage(error, said);
      return;
    }
  }
};

// Where a value was thrown that nobody has caught since; undefined if that is not known.
exports.throwPlaceOf = function throwPlaceOf(value) {
  const site = throwSiteOf(value);
  if (site === undefined) return undefined;
  const file = site.isNative() ? undefined : fileOf(site);
  if (file === undefined) return undefined;
  const [line, column] = placeOfMiss(value, site, placeIn(site, undefined, undefined));
  return { file, line, column, length: 1 };
};
