// `events`: EventEmitter and the helpers around it.
//
// Takes from `binding`:
//   emitWarning(error)         says a warning as `process.emitWarning` does
//   nextTick(callback, ...args) as `process.nextTick`
//   tellListeners(emitter, type, changes)  tells of an access, in runs that do
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_UNHANDLED_ERROR } } = require('internal/errors');
const { validateBoolean, validateFunction, validateNumber } = require('internal/validators');

const { apply, ownKeys } = Reflect;
const { tellListeners } = binding;
const { getPrototypeOf, defineProperties, defineProperty } = Object;

const kCapture = Symbol('kCapture');
const kShapeMode = Symbol('shapeMode');
const kErrorMonitor = Symbol('events.errorMonitor');
const kRejection = Symbol.for('nodejs.rejection');
const kMaxEventTargetListeners = Symbol('events.maxEventTargetListeners');
const kMaxEventTargetListenersWarned = Symbol('events.maxEventTargetListenersWarned');

let defaultMaxListeners = 10;

// More listeners than this are not copied whenever one of them comes or goes: the table of listeners has them as long
// lists under this name.
const LONG = 32;
const kLong = Symbol('long lists');
// Whether there was ever one: most programs have none.
let areLong = false;

/// What emits events; the rules are in docs/library/events.md.
///
/// (EVENT-1) `_events` maps each name to its listener, or to an array of them. Such an array is never changed
/// in place: events are emitted far more often than listeners come and go, and to copy the array at each event would
/// cost as much as calling the listeners. Of many listeners it is made when somebody reads it.
function EventEmitter(opts) {
  EventEmitter.init.call(this, opts);
}

EventEmitter.init = function(opts) {
  // A subclass may lay out the table before it calls us; its keys are kept when listeners go.
  const laidOut = this._events !== undefined && this._events !== getPrototypeOf(this)._events;
  if (!laidOut) clear(this);
  this._maxListeners = this._maxListeners || undefined;
  this[kShapeMode] = laidOut;
  if (opts?.captureRejections) {
    validateBoolean(opts.captureRejections, 'options.captureRejections');
    this[kCapture] = true;
  } else {
    this[kCapture] = prototype[kCapture];
  }
};

// Emitting (EVENT-2, EVENT-3).

/// Settles an `error` event: the monitors hear it, and it is thrown if nobody listens for it.
function announceError(emitter, events, args) {
  if (events !== undefined) {
    if (events[kErrorMonitor] !== undefined) emitter.emit(kErrorMonitor, ...args);
    if (events.error !== undefined) return;
  }
  const reason = args[0];
  if (reason instanceof Error) throw reason;
  let text = reason;
  try {
    text = require('internal/util/inspect').inspect(reason);
  } catch {
    // A value that cannot be inspected is put into the message as it is.
  }
  const error = new ERR_UNHANDLED_ERROR(text);
  error.context = reason;
  throw error;
}

/// Waits for what a listener returned, if that is a promise (EVENT-10).
function followResult(emitter, type, args, result) {
  let then;
  try {
    then = result.then;
    if (typeof then !== 'function') return;
    const rejected = (reason) => binding.nextTick(announceRejection, { emitter, type, args, reason });
    apply(then, result, [undefined, rejected]);
  } catch (error) {
    emitter.emit('error', error);
  }
}

function announceRejection({ emitter, type, args, reason }) {
  const told = emitter[kRejection];
  if (typeof told === 'function') told.call(emitter, reason, type, ...args);
  else emitUnfollowed(emitter, reason);
}

/// Emits an error of which the listeners are not followed: one that rejects would come back for ever.
function emitUnfollowed(emitter, error) {
  const followed = emitter[kCapture];
  try {
    emitter[kCapture] = false;
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = followed;
  }
}

// Adding.

function add(emitter, type, listener, first) {
  if (typeof listener !== 'function') validateFunction(listener, 'listener');
  let events = emitter._events;
  if (events === undefined || events.newListener !== undefined) events = announceListener(emitter, type, listener);
  if (areLong && addToLong(emitter, events, type, listener, first)) return emitter;
  const present = events[type];
  if (present !== undefined) return addBeside(emitter, type, listener, present, first);
  emitter._eventsCount++;
  events[type] = listener;
  return emitter;
}

/// Tells of a listener that will be added, and gives the table, which is made if there is none (EVENT-4).
function announceListener(emitter, type, listener) {
  if (emitter._events === undefined) clear(emitter);
  else emitter.emit('newListener', type, listener.listener ?? listener);
  return emitter._events;
}

function addBeside(emitter, type, listener, present, first) {
  const list = typeof present === 'function' ? [present] : copied(present);
  if (first) list.unshift(listener);
  else list.push(listener);
  emitter._events[type] = list;
  if (!list.warned) warnIfMany(emitter, type, list);
  if (list.length > LONG) lengthen(emitter._events, type, list);
  return emitter;
}

function copied(list) {
  const copy = list.slice();
  if (list.warned) copy.warned = true;
  return copy;
}

function warnIfMany(emitter, type, list) {
  const most = emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
  if (list.length > most && most > 0) warnOfLeak(emitter, type, list, most);
}

// Long lists.

const longList = (events, type) => events?.[kLong]?.[type];

function lengthen(events, type, list) {
  areLong = true;
  if (events[kLong] === undefined) defineProperty(events, kLong, { __proto__: null, value: { __proto__: null } });
  require('internal/events/long_list').lengthen(events, events[kLong], type, list);
}

/// Adds to a long list, if the event has one.
function addToLong(emitter, events, type, listener, first) {
  const long = longList(events, type);
  if (long === undefined) return false;
  if (first) long.prepend(listener);
  else long.append(listener);
  if (!long.warned) warnIfMany(emitter, type, long);
  return true;
}

/// EVENT-6, for a long list, if the event has one.
function removeFromLong(emitter, events, type, listener) {
  const long = longList(events, type);
  if (long === undefined) return false;
  if (!long.remove(listener)) return true;
  if (long.length <= LONG / 2) require('internal/events/long_list').shorten(events, events[kLong], type, long.array);
  // EVENT-5
  if (events.removeListener !== undefined) emitter.emit('removeListener', type, listener);
  return true;
}

/// Says, once per type, that there are more listeners than there should be (EVENT-9).
function warnOfLeak(emitter, type, list, most) {
  list.warned = true;
  const { inspect } = require('internal/util/inspect');
  const message = `Possible EventEmitter memory leak detected. ${list.length} ${String(type)} listeners ` +
    `added to ${inspect(emitter, { depth: -1 })}. MaxListeners is ${most}. Use emitter.setMaxListeners() to increase limit`;
  const facts = { name: 'MaxListenersExceededWarning', emitter, type, count: list.length };
  binding.emitWarning(Object.assign(new Error(message), facts));
}

function maxListenersOf(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

/// Calls the listener of a `once`, after taking it off. `this` is the record made by `wrapOnce` (EVENT-8).
function onceWrapper(...args) {
  const { emitter, type, wrapper } = this;
  if (wrapper === undefined) return;
  if (tellListeners !== undefined) tellListeners(emitter, type, true);
  emitter.removeListener(type, wrapper);
  this.wrapper = undefined;
  return apply(wrapper.listener, emitter, args);
}

function wrapOnce(emitter, type, listener) {
  if (typeof listener !== 'function') validateFunction(listener, 'listener');
  const record = { emitter, type, wrapper: undefined };
  const wrapper = record.wrapper = onceWrapper.bind(record);
  wrapper.listener = listener;
  return wrapper;
}

// Removing.

function clear(emitter) {
  emitter._events = { __proto__: null };
  emitter._eventsCount = 0;
}

/// Takes a type out of the table (EVENT-11).
function forget(emitter, type, events) {
  if (emitter[kShapeMode]) events[type] = undefined;
  else delete events[type];
  if (areLong && events[kLong] !== undefined) delete events[kLong][type];
  if (--emitter._eventsCount === 0 && !emitter[kShapeMode]) clear(emitter);
}

function listenersOf(emitter, type) {
  const present = emitter._events?.[type];
  if (present === undefined) return [];
  return typeof present === 'function' ? [present] : present.slice();
}

const prototype = EventEmitter.prototype;

prototype._events = undefined;
prototype._eventsCount = 0;
prototype._maxListeners = undefined;

prototype.setMaxListeners = function setMaxListeners(n) {
  validateNumber(n, 'setMaxListeners', 0);
  this._maxListeners = n;
  return this;
};

prototype.getMaxListeners = function getMaxListeners() {
  return maxListenersOf(this);
};

prototype.emit = function emit(type, ...args) {
  if (tellListeners !== undefined) tellListeners(this, type, false);
  const events = this._events;
  if (type === 'error') announceError(this, events, args);
  else if (events === undefined) return false;
  const present = events[type];
  if (present === undefined) return false;
  if (typeof present === 'function') {
    const result = apply(present, this, args);
    if (result != null && this[kCapture]) followResult(this, type, args, result);
    return true;
  }
  // Listeners may come and go while we call them, which makes another array.
  const count = present.length;
  for (let i = 0; i < count; ++i) {
    const result = apply(present[i], this, args);
    if (result != null && this[kCapture]) followResult(this, type, args, result);
  }
  return true;
};

prototype.on = prototype.addListener = function addListener(type, listener) {
  return add(this, type, listener, false);
};

prototype.prependListener = function prependListener(type, listener) {
  return add(this, type, listener, true);
};

prototype.once = function once(type, listener) {
  return this.on(type, wrapOnce(this, type, listener));
};

prototype.prependOnceListener = function prependOnceListener(type, listener) {
  return this.prependListener(type, wrapOnce(this, type, listener));
};

/// EVENT-6: what is left of a list; undefined if the listener is not there.
function removed(list, listener) {
  let at = list.length - 1;
  for (; at >= 0; --at) {
    const one = list[at];
    if (one === listener || one.listener === listener) break;
  }
  if (at < 0) return undefined;
  if (list.length === 2) return list[1 - at];
  const rest = list.toSpliced(at, 1);
  if (list.warned) rest.warned = true;
  return rest;
}

prototype.removeListener = function removeListener(type, listener) {
  if (typeof listener !== 'function') validateFunction(listener, 'listener');
  const events = this._events;
  if (areLong && removeFromLong(this, events, type, listener)) return this;
  const present = events?.[type];
  if (present === undefined) return this;
  if (typeof present === 'function') {
    if (present !== listener && present.listener !== listener) return this;
    forget(this, type, events);
    if (events.removeListener !== undefined && !this[kShapeMode]) this.emit('removeListener', type, present.listener || listener);
    return this;
  }
  const rest = removed(present, listener);
  if (rest === undefined) return this;
  events[type] = rest;
  // EVENT-5
  if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
  return this;
};

prototype.off = prototype.removeListener;

prototype.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;
  const every = arguments.length === 0;
  // EVENT-7
  if (events.removeListener !== undefined) {
    if (!every) return removeOneByOne(this, type);
    for (const key of ownKeys(events)) {
      if (key !== 'removeListener' && key !== kLong) this.removeAllListeners(key);
    }
    this.removeAllListeners('removeListener');
  }
  this[kShapeMode] = false;
  if (every) clear(this);
  else if (events[type] !== undefined) forget(this, type, events);
  return this;
};

function removeOneByOne(emitter, type) {
  const list = listenersOf(emitter, type);
  while (list.length > 0) emitter.removeListener(type, list.pop());
  return emitter;
}

prototype.listeners = function listeners(type) {
  return listenersOf(this, type).map((listener) => listener.listener || listener);
};

prototype.rawListeners = function rawListeners(type) {
  return listenersOf(this, type);
};

prototype.listenerCount = function listenerCount(type, listener) {
  if (areLong && listener == null) {
    const long = longList(this._events, type);
    if (long !== undefined) return long.length;
  }
  const present = this._events?.[type];
  if (present === undefined) return 0;
  if (listener == null) return typeof present === 'function' ? 1 : present.length;
  const matches = (one) => listener === one || listener === one.listener;
  if (typeof present === 'function') return matches(present) ? 1 : 0;
  return present.filter(matches).length;
};

prototype.eventNames = function eventNames() {
  const names = this._eventsCount > 0 ? ownKeys(this._events) : [];
  return areLong ? names.filter((name) => name !== kLong) : names;
};

defineProperty(prototype, kCapture, { __proto__: null, value: false, writable: true });

// The statics, which take emitters and event targets alike.

function refuse(name, value) {
  throw new ERR_INVALID_ARG_TYPE(name, ['EventEmitter', 'EventTarget'], value);
}

function addAbortListener(signal, listener) {
  return require('internal/events/abort_listener').addAbortListener(signal, listener);
}

async function once(emitter, name, options = {}) {
  if (tellListeners !== undefined) tellListeners(emitter, name, true);
  return require('internal/events/waiting').once(emitter, name, options);
}

function on(emitter, event, options = {}) {
  return require('internal/events/waiting').on(emitter, event, options);
}

function getEventListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listeners === 'function') return emitterOrTarget.listeners(type);
  const { isEventTarget, listenersOfTarget } = require('internal/event_target');
  return isEventTarget(emitterOrTarget) ? listenersOfTarget(emitterOrTarget, type) : refuse('emitter', emitterOrTarget);
}

function getMaxListeners(emitterOrTarget) {
  const isEmitter = typeof emitterOrTarget?.getMaxListeners === 'function';
  return isEmitter ? maxListenersOf(emitterOrTarget)
    : emitterOrTarget?.[kMaxEventTargetListeners] || refuse('emitter', emitterOrTarget);
}

module.exports = EventEmitter;
EventEmitter.addAbortListener = addAbortListener;
EventEmitter.once = once;
EventEmitter.on = on;
EventEmitter.getEventListeners = getEventListeners;
EventEmitter.getMaxListeners = getMaxListeners;
EventEmitter.EventEmitter = EventEmitter;
EventEmitter.usingDomains = false;
EventEmitter.captureRejectionSymbol = kRejection;

defineProperties(EventEmitter, {
  captureRejections: {
    __proto__: null,
    get() { return prototype[kCapture]; },
    set(value) {
      validateBoolean(value, 'EventEmitter.captureRejections');
      prototype[kCapture] = value;
    },
    enumerable: true,
  },
  EventEmitterAsyncResource: {
    __proto__: null,
    get: function lazyEventEmitterAsyncResource() {
      return require('internal/events/async_resource').EventEmitterAsyncResource;
    },
    set: undefined,
    enumerable: true,
    configurable: true,
  },
  errorMonitor: {
    __proto__: null,
    value: kErrorMonitor,
    writable: true,
    enumerable: true,
    configurable: true,
  },
  defaultMaxListeners: {
    __proto__: null,
    get() { return defaultMaxListeners; },
    set(value) {
      validateNumber(value, 'defaultMaxListeners', 0);
      defaultMaxListeners = value;
    },
    enumerable: true,
  },
  kMaxEventTargetListeners: { __proto__: null, value: kMaxEventTargetListeners },
  kMaxEventTargetListenersWarned: { __proto__: null, value: kMaxEventTargetListenersWarned },
});

EventEmitter.setMaxListeners = function(n = defaultMaxListeners, ...eventTargets) {
  validateNumber(n, 'setMaxListeners', 0);
  if (eventTargets.length === 0) defaultMaxListeners = n;
  else eventTargets.forEach((one) => limit(one, n));
};

function limit(emitterOrTarget, most) {
  if (require('internal/event_target').isEventTarget(emitterOrTarget)) {
    emitterOrTarget[kMaxEventTargetListeners] = most;
    emitterOrTarget[kMaxEventTargetListenersWarned] = false;
  } else {
    const { setMaxListeners } = emitterOrTarget;
    if (typeof setMaxListeners !== 'function') refuse('eventTargets', emitterOrTarget);
    setMaxListeners.call(emitterOrTarget, most);
  }
}

EventEmitter.listenerCount = function(emitter, type) {
  const count = typeof emitter.listenerCount === 'function' ? emitter.listenerCount : prototype.listenerCount;
  return count.call(emitter, type);
};
