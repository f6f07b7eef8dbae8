// What a stack says: the names and places of its frames, in the program's own text. Loaded when a stack is
// first looked at.
// Uses binding.awaitPlace, executedPlace, explainLink, failModule, sourceLine, sourcePlace.
'use strict';

const { apply, call, construct, startsWith } = require('internal/kept');
const { kIsNodeError } = require('internal/errors');
const { kAbove, kExecuted, kReceivers, kept: { applyOfFunctions, isPrototypeOf }, moduleFunctions, placeOf, setPlace } = require('internal/stack');
const { AsyncSite, functionOf, isOurs, throwSiteOf, without } = require('internal/stack/noting');
const { TOP, isAlsoCalled, isEvaluated, isLibrary, methodOf, nameOf, ownName, prototypeIn, textOf, typeOf } = require('internal/stack/names');

function header(error) {
  try {
    if (error[kIsNodeError]) return `${error.name} [${error.code}]: ${error.message}`;
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

/// What a stack says if nobody prepares it otherwise.
exports.write = (error, sites) => (sites.length === 0 ? header(error) : `${header(error)}\n    at ${sites.join('\n    at ')}`);

// Line and column. `above` is the frame that this one has called; none for the first, where an object
// of a class by the name `made` may have been made. What it executes is asked for where the text has no call of
// that name: it calls a getter, or something without a name, or by another one.
function placeIn(site, above, made, executed) {
  const line = site.getLineNumber();
  const column = site.getColumnNumber();
  const file = site.getFileName();
  if (typeof file !== 'string') return [line, column];
  if (AsyncSite.is(site)) return binding.awaitPlace(file, line, column) ?? [line, column];
  const name = above === undefined ? made : above.getFunctionName();
  const known = typeof name === 'string' ? name : undefined;
  const found = binding.sourcePlace(file, line, column, known, above !== undefined, above?.isConstructor() ?? true);
  if (found === undefined) return [line, column];
  const exact = found.length === 3 && executed >= 0 ? binding.executedPlace(file, functionOf(site), executed) : undefined;
  return exact ?? found.slice(0, 2);
}

// Where errors of the engine are, if the text tells: the frame that it is told of, its own place and what is
// marked.
const exact = new WeakMap();
exports.setExact = (error, site, place, mark) => {
  exact.set(error, { line: site.getLineNumber(), column: site.getColumnNumber(), file: site.getFileName(), place, mark });
};

// What is marked of an error of the engine.
exports.markOf = (error) => {
  const known = exact.get(error);
  return known === undefined ? undefined : { file: known.file, line: known.mark[0], column: known.mark[1], length: 1, exact: true };
};

function exactOf(error, site) {
  const known = exact.get(error);
  const fits = known !== undefined && known.line === site.getLineNumber() && known.column === site.getColumnNumber() && known.file === site.getFileName();
  return fits ? known : undefined;
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

// Library files are known by the names that programs use.
function fileOf(site) {
  const file = site.getFileName();
  if (typeof file !== 'string') return undefined;
  if (file.startsWith('node:lib/')) return `node:${file.slice('node:lib/'.length)}`;
  return isEvaluated(file) ? '<anonymous>' : file;
}

// What a source map says of a place, of files only.
function originOf(file, line, column) {
  return file[0] === '/' || startsWith(file, 'file:') ? require('internal/source_maps').origin(file, line, column) : undefined;
}

function frame(site, receiver, executed, above, made, error) {
  if (!AsyncSite.is(site)) return plainFrame(site, receiver, executed, above, made, error);
  return `async ${site.isSeveral ? `${site.getFunctionName()} (index ${site.index})` : plainFrame(site, site.receiver, executed, above, made, error)}`;
}

function plainFrame(site, receiver, executed, above, made, error) {
  const name = nameOf(site, receiver);
  const file = site.isNative() ? undefined : fileOf(site);
  let place = '<anonymous>';
  if (file !== undefined) {
    const found = exactOf(error, site)?.place ?? placeIn(site, above, made, executed);
    const origin = originOf(file, ...found);
    if (origin !== undefined) return `${name || '<anonymous>'} (${origin.file}:${origin.line}:${origin.column})`;
    place = `${file}:${found.join(':')}`;
  }
  return name === '' ? place : `${name} (${place})`;
}

// What a program's own `Error.prepareStackTrace` gets.
class CallSite {
  #site;
  #receiver;
  #executed;
  #above;
  #made;
  #error;
  constructor(site, receiver, executed, above, made, error) {
    this.#site = site;
    this.#executed = executed;
    this.#receiver = AsyncSite.is(site) ? site.receiver : receiver;
    this.#above = above;
    this.#made = made;
    this.#error = error;
  }
  #place() { return exactOf(this.#error, this.#site)?.place ?? placeIn(this.#site, this.#above, this.#made, this.#executed); }
  getThis() { return undefined; }
  getTypeName() { return isLibrary(this.#site) ? null : typeOf(this.#receiver) ?? null; }
  // The functions of the library are not the program's.
  getFunction() { return this.#site.isNative() || isLibrary(this.#site) ? undefined : functionOf(this.#site); }
  getFunctionName() {
    const name = this.#site.getFunctionName();
    return !name || name === TOP || moduleFunctions.has(functionOf(this.#site)) ? null : name;
  }
  getMethodName() {
    if (isLibrary(this.#site) || typeOf(this.#receiver) === undefined) return null;
    return methodOf(this.#receiver, functionOf(this.#site), this.#site.getFunctionName()) ?? null;
  }
  getFileName() { return this.#site.isNative() ? undefined : fileOf(this.#site); }
  getLineNumber() { return this.#site.isNative() ? null : this.#place()[0]; }
  getColumnNumber() { return this.#site.isNative() ? null : this.#place()[1]; }
  getEnclosingLineNumber() { return this.getLineNumber(); }
  getEnclosingColumnNumber() { return this.getColumnNumber(); }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return this.getFileName(); }
  getScriptHash() { return ''; }
  getPosition() { return 0; }
  getPromiseIndex() { return this.isPromiseAll() ? this.#site.index : null; }
  isToplevel() { return typeOf(this.#receiver) === undefined; }
  isEval() { return isEvaluated(this.#site.getFileName()); }
  isNative() { return this.#site.isNative(); }
  isConstructor() { return this.#site.isConstructor(); }
  isAsync() { return AsyncSite.is(this.#site); }
  isPromiseAll() { return this.isAsync() && this.#site.isSeveral && this.#site.getFunctionName() === 'Promise.all'; }
  toString() { return frame(this.#site, this.#receiver, this.#executed, this.#above, this.#made, this.#error); }
}

const isCall = (site) => functionOf(site) === apply || functionOf(site) === call;
// What only calls something else has no frame in V8.
const isWithout = (site) => site.isNative() && /^(?:Array|Proxy)$/.test(site.getFunctionName());
const onlyCalls = (site) => isCall(site) || functionOf(site) === applyOfFunctions || functionOf(site) === construct || isWithout(site);

// A constructor that nobody wrote, of a class that extends another.
function isImplied(site) {
  if (!site.isConstructor() || site.isNative()) return false;
  const text = textOf(functionOf(site));
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
    return !isOurs(site) && !intoOurs && !onlyCalls(site) && !ofConsole && !isImplied(site);
  });
}

const lineOf = binding.sourceLine;
exports.lineOf = lineOf;

// The line of a place and a mark below it, as Node writes them above an error.
exports.excerpt = function excerpt(place, blank = true) {
  const origin = place.text === undefined ? originOf(place.file, place.line, place.column) : undefined;
  const { file, line, column, length } = origin ?? place;
  const text = place.text ?? (origin === undefined ? lineOf(file, line) : require('internal/source_maps').lineAt(origin));
  if (text === undefined) return `${file}:${line}\n`;
  // A mark under the end of a very long line helps nobody.
  const mark = `${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}${'^'.repeat(length ?? 1)}`;
  const shownLine = text.length > 4096 ? '' : `${text}\n${mark}\n`;
  return `${file}:${line}\n${shownLine}${blank ? '\n' : ''}`;
};

// What the first frame has called that is not shown: a frame of our own, or a function that the program names. One that
// has made the error is known as its class.
function calledIn(above, error) {
  if (typeof above !== 'function') return above;
  const prototype = prototypeIn(above);
  if (prototype !== undefined && apply(isPrototypeOf, prototype, [error])) return undefined;
  return { getFunctionName: () => ownName(above), isConstructor: () => false };
}

exports.render = function render(error, sites, limit, custom) {
  const frames = shown(sites).slice(0, Math.max(0, limit));
  const receiverOf = (site) => sites[kReceivers]?.[sites.indexOf(site)];
  const executedBy = (site) => sites[kExecuted]?.[sites.indexOf(site)];
  const aboveAt = (at) => {
    const before = sites[sites.indexOf(frames[at]) - 1];
    if (before !== undefined && onlyCalls(before)) return before;
    return at === 0 && frames[0] === sites[0] ? calledIn(sites[kAbove], error) : frames[at - 1];
  };
  if (typeof custom === 'function') {
    return custom(error, frames.map((site, at) => new CallSite(site, receiverOf(site), executedBy(site), aboveAt(at), classOf(error), error)));
  }
  const place = placeOf(error);
  const above = place === undefined || place.hidden ? '' : exports.excerpt(place, place.blank);
  const made = classOf(error);
  let text = above + header(error);
  for (let at = 0; at < frames.length; at += 1) {
    const isMade = isAlsoCalled(frames[at]) && at + 1 < frames.length && makes(frames[at + 1], aboveAt(at + 1), made, error);
    text += `\n    at ${isMade ? 'new ' : ''}${frame(frames[at], receiverOf(frames[at]), executedBy(frames[at]), aboveAt(at), made, error)}`;
  }
  return text;
};

// Whether a frame has called what is above it with `new`.
function makes(site, above, made, error) {
  const file = site.isNative() || AsyncSite.is(site) ? undefined : fileOf(site);
  if (file === undefined) return false;
  const [line, column] = exactOf(error, site)?.place ?? placeIn(site, above, made);
  return /^new\b/.test(lineOf(file, line)?.slice(column - 1) ?? '');
}

// The engine's parser names a place as a frame without a function.
const isParsers = (site) => site !== undefined && !functionOf(site) && typeof site.getFileName() === 'string';
exports.isParsers = isParsers;

// An error of the engine's linker names neither the place nor the import that does not fit.
exports.refine = function refine(error, sites) {
  const first = sites[0];
  if (isParsers(first)) {
    // A text that is no JSON is none of the program's.
    if (sites[1]?.isNative() && sites[1].getFunctionName() === 'parse') return without(sites, 1);
    return require('internal/stack/syntax').explain(error, first, sites[1]) ? without(sites, 1) : sites;
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

exports.setMessage = setMessage;
function setMessage(error, value) {
  Object.defineProperty(error, 'message', { __proto__: null, configurable: true, enumerable: false, writable: true, value });
}

// Where a value was thrown that nobody has caught since; undefined if that is not known.
exports.throwPlaceOf = function throwPlaceOf(value) {
  const site = throwSiteOf(value);
  if (site === undefined) return undefined;
  const file = site.isNative() ? undefined : fileOf(site);
  if (file === undefined) return undefined;
  const known = exactOf(value, site);
  const [line, column] = known?.mark ?? placeIn(site, undefined, undefined);
  return { file, line, column, length: 1, exact: known !== undefined };
};
