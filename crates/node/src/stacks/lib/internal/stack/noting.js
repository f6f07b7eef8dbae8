// Takes note of the frames of errors when they are made. What is shown of them is made when it is first asked
// for, by `internal/stack/frames`: most errors are caught without anybody looking. Loaded with the first error.
// Uses binding.deepScripts, noteThrown, receivers, sourceLine, waiting, waitingPlace.
'use strict';

const { apply, call, freeze, getPrototypeOf, hasOwn } = require('internal/kept');
const { HIDDEN, LIMIT, accessor, engine, kAbove, kExecuted, kReceivers, kept: { applyOfFunctions, isPrototypeOf }, preparing } = require('internal/stack');

const { captureStackTrace } = engine;
const frames = () => require('internal/stack/frames');

// The frames of errors whose stack nobody has read.
const unread = new WeakMap();

// Who is told of every new error, if anybody is.
exports.made = undefined;

// The function of a frame, which may be one of the library, or a native: nobody else can ask a frame for it.
let getFunction;
const functionOf = (site) => (AsyncSite.is(site) ? site.function : apply(getFunction, site, []));
exports.functionOf = functionOf;

/// The frame of a function that waits for the outermost one that runs; of `Promise.all` and its like it has only a
/// name and an index.
class AsyncSite {
  #waits;
  #on;
  #at;
  #place;
  /// The one of what `binding.waiting` gave that begins at this element.
  constructor(waiting, first) {
    this.#waits = waiting[first];
    this.#on = waiting[first + 1];
    this.#at = waiting[first + 2];
  }
  static is(site) { return #waits in site; }
  // What was noted last of where it waits.
  #placed(part) {
    if (this.isSeveral) return undefined;
    this.#place ??= binding.waitingPlace(this.#waits, this.#at);
    return this.#place[part];
  }
  get isSeveral() { return this.#at === undefined; }
  get function() { return this.isSeveral ? undefined : this.#waits; }
  get receiver() { return this.isSeveral ? undefined : this.#on; }
  get index() { return this.#on; }
  getFunctionName() {
    if (this.isSeveral) return this.#waits;
    const name = Object.getOwnPropertyDescriptor(this.#waits, 'name')?.value;
    return typeof name === 'string' ? name : '';
  }
  getFileName() { return this.#placed(0); }
  getLineNumber() { return this.#placed(1); }
  getColumnNumber() { return this.#placed(2); }
  isNative() { return false; }
  isConstructor() { return false; }
}
exports.AsyncSite = AsyncSite;

const capturing = { getFunctionName: () => 'captureStackTrace', isConstructor: () => false };

// Notes with frames what their functions were called on, and adds those of functions that wait for the outermost
// one: neither can be told later.
function lookAround(sites) {
  const first = sites.length === 0 ? undefined : functionOf(sites[0]);
  if (typeof first !== 'function') return sites;
  try {
    [sites[kReceivers], sites[kExecuted]] = binding.receivers(first, sites.length, call, applyOfFunctions, apply);
    // With `--stacks` the chain below tells who waits.
    if (exports.made === undefined && sites.length < limit + HIDDEN) addWaiting(sites, binding.waiting(limit));
  } catch {
    // There is neither room nor memory for it.
  }
  return sites;
}

function addWaiting(sites, waiting) {
  if (waiting === undefined) return;
  for (let at = 0; at < waiting.length; at += 3) sites[sites.length] = new AsyncSite(waiting, at);
}

// Who waits for the outermost function that runs, if that is the one of which no frame is to be seen.
function addWaitingAbove(sites, above) {
  if (exports.made !== undefined || !capture().some((site) => functionOf(site) === above)) return;
  try {
    addWaiting(sites, binding.waiting(limit));
  } catch {
    // There is neither room nor memory for it.
  }
}

// Where a list has who waits, of whom no frames are made yet: those come when somebody looks.
const kWaiting = Symbol('waiting');

// All frames of a list.
function whole(sites) {
  const waiting = sites[kWaiting];
  if (waiting === undefined) return sites;
  sites[kWaiting] = undefined;
  addWaiting(sites, waiting);
  return sites;
}

// The second frame of a list, if there is one.
function secondOf(sites) {
  const waiting = sites?.[kWaiting];
  if (waiting === undefined) return sites?.[1];
  return waiting.length > 3 ? new AsyncSite(waiting, 3) : undefined;
}

/// Lets an error that nobody has looked at show who waits for a promise, if it is given, instead of frames of the
/// library; false if somebody has looked.
exports.showWaiting = (error, promise) => {
  if (!unread.has(error)) return false;
  const sites = [];
  if (promise !== undefined) sites[kWaiting] = binding.waiting(limit, promise);
  unread.set(error, sites);
  return true;
};

// Frames without the first so many.
function without(sites, count) {
  if (count === 0) return sites;
  const rest = sites.slice(count);
  rest[kReceivers] = sites[kReceivers]?.slice(count);
  rest[kExecuted] = sites[kExecuted]?.slice(count);
  return rest;
}
exports.without = without;

// Frames of the loader and of the engine's calls into the program say nothing about the program.
const loader = /^node:lib\/internal\/(?:access|bootstrap|context|error_messages|errors|modules(?:\/.*)?|rejections|stack(?:\/.*)?|uncaught|validators|vm\/.*)$|^hemiola:/;
exports.isOurs = isOurs;
function isOurs(site) {
  const file = site.getFileName();
  // Most files are the program's, and begin otherwise.
  return typeof file === 'string' && (file[0] === 'n' || file[0] === 'h') && loader.test(file);
}

// An error's own constructors say nothing about where it was made.
function withoutConstructors(error, sites) {
  let own = 0;
  while (own < sites.length && sites[own].isConstructor() && !sites[own].isNative()) {
    const { prototype } = functionOf(sites[own]);
    if (typeof prototype !== 'object' || prototype === null || !apply(isPrototypeOf, prototype, [error])) break;
    own += 1;
  }
  return without(sites, own);
}

// How many frames a program wants to see.
let limit = LIMIT;

function isSamePlace(one, other) {
  return one !== undefined && other !== undefined && functionOf(one) === functionOf(other) &&
    one.getLineNumber() === other.getLineNumber() && one.getColumnNumber() === other.getColumnNumber();
}

// What was thrown last, and where.
let thrown;

function throwsAt(value, site) {
  if (site === undefined || isOurs(site)) return;
  // The end of a `finally` throws again, but nobody wrote that.
  const again = thrown !== undefined && Object.is(thrown.value, value);
  if (again && !/\bthrow\b/.test(binding.sourceLine(site.getFileName(), site.getLineNumber()) ?? '')) return;
  thrown = { value, site };
}

// Where a value was thrown, if it was thrown last and nobody has caught it since.
exports.throwSiteOf = (value) => (thrown !== undefined && Object.is(thrown.value, value) ? thrown.site : undefined);

// Whether a message may be the engine's own. Most are the program's, or begin as V8's do.
function mayBeEngines(error) {
  if (error instanceof URIError || error instanceof SyntaxError) return true;
  const { message } = error;
  if (message === 'string too long') return true;
  return (error instanceof ReferenceError || error instanceof TypeError || error instanceof RangeError) &&
    typeof message === 'string' && /^[a-z']|^BigInt|^Cannot convert undefined|^Property description must|^[GS]etter must|^Invalid property desc|initialized$|is not defined$|object expected$|column \d+\)$/.test(message);
}

// Whether a frame is an ES module's code outside functions: that function has no name at all, not even an empty one.
const isTop = (site) => !site.isNative() && !hasOwn(functionOf(site), 'name');
exports.isTop = isTop;

// The ES modules whose code outside functions is on the stack.
exports.evaluatingModules = function evaluatingModules() {
  const sites = capture();
  // The engine gives 64 frames at most. Of a stack that is deeper, everything counts.
  if (sites.length >= 64) return binding.deepScripts();
  return sites.filter(isTop).map((site) => site.getFileName());
};

const define = (error, value) => {
  Object.defineProperty(error, 'stack', { __proto__: null, value, writable: true, configurable: true, enumerable: false });
};

/// Makes the stack that somebody looks at: of an object, or of one that it inherits from.
exports.stackOf = (error) => {
  let holder = error;
  while (holder !== null && !unread.has(holder)) holder = getPrototypeOf(holder);
  if (holder === null) return apply(engine.stack.get, error, []);
  const sites = whole(unread.get(holder));
  unread.delete(holder);
  const text = frames().render(holder, sites, limit, preparing());
  define(holder, text);
  return text;
};

/// What is put in the place of a stack.
exports.setStack = (error, value) => {
  unread.delete(error);
  define(error, value);
};

// The engine asks again while an error unwinds; only a program that asks gets a new stack.
let asked = false;
let raw = false;
let frameless = false;
const { set: setEngineLimit } = engine.limit;
const limitEngine = (frames) => apply(setEngineLimit, Error, [frames]);

function capture() {
  const target = {};
  raw = true;
  limitEngine(Infinity);
  try {
    apply(captureStackTrace, Error, [target, capture]);
  } finally {
    raw = false;
    limitEngine(limit + HIDDEN);
  }
  // The engine keeps the frames until something is caught, and notes no others meanwhile.
  try {
    throw undefined;
  } catch {
    // Now it has.
  }
  return target.stack;
}

/// What `make` gives, an error for which `showWaiting` is called next: that puts others in the place of its frames.
exports.withoutFrames = (make, one, other) => {
  // Somebody wants to know where it was made.
  if (exports.made !== undefined) return make(one, other);
  frameless = true;
  limitEngine(0);
  try {
    return make(one, other);
  } finally {
    frameless = false;
    limitEngine(limit > 0 ? limit + HIDDEN : 0);
  }
};

// What the program has set.
let given = limit;
exports.limit = () => given;
exports.setLimit = (value) => {
  given = value;
  limit = typeof value === 'number' && value > 0 ? value : 0;
  limitEngine(limit > 0 ? limit + HIDDEN : 0);
};

/// `Error.captureStackTrace(target, above)`, of which no frame is to be seen from that one on.
exports.capture = (target, above, own) => {
  const isObject = (typeof target === 'object' && target !== null) || typeof target === 'function';
  const noted = isObject ? {} : target;
  asked = true;
  try {
    apply(captureStackTrace, Error, [noted, typeof above === 'function' ? above : own]);
  } finally {
    asked = false;
  }
  Object.defineProperty(target, 'stack', { __proto__: null, ...accessor, configurable: true, enumerable: false });
  let sites = Array.isArray(noted.stack) ? noted.stack : [];
  // Of a function that does not run the engine finds no frame, and leaves out none.
  if (typeof above === 'function' && sites.length > 1 && functionOf(sites[1]) === exports.capture) sites = [];
  if (sites.length === 0 && limit > 0) addWaitingAbove(sites, above);
  sites[kAbove] = typeof above === 'function' ? above : capturing;
  unread.set(target, sites);
};

// What the engine keeps until something is caught, or the next callback begins: meanwhile it does not ask.
function kept() {
  binding.noteThrown();
  return null;
}

/// What the engine calls with the frames of an error, or of something else that is thrown.
exports.note = (error, sites) => {
  // No frame that the program gets to see leads to its function this way.
  if (getFunction === undefined && sites.length > 0) {
    const ofSites = getPrototypeOf(sites[0]);
    ({ getFunction } = ofSites);
    delete ofSites.getFunction;
    freeze(ofSites);
  }
  if (raw) return sites;
  if (frameless) {
    unread.set(error, sites);
    return undefined;
  }
  if (asked) return lookAround(sites);
  if (!(error instanceof Error)) {
    throwsAt(error, sites[0]);
    return kept();
  }
  const known = unread.get(error);
  if (known === undefined && !Object.hasOwn(error, 'stack')) {
    lookAround(sites);
    if (mayBeEngines(error)) require('internal/stack/messages').reword(error, sites);
    unread.set(error, error instanceof SyntaxError ? frames().refine(error, sites) : withoutConstructors(error, sites));
    exports.made?.(error);
    // Nothing is stored yet, so that the engine asks again when the error is thrown.
    return undefined;
  }
  // What is wrong in a regular expression is thrown before the parser says where that stands.
  if (error instanceof SyntaxError && frames().isParsers(sites[0])) {
    unread.set(error, frames().refine(error, sites));
    return undefined;
  }
  // An error that the engine itself throws is known from its place, and asked about in the caller.
  if (!isSamePlace(secondOf(known), sites[0])) throwsAt(error, sites[0]);
  return kept();
};
