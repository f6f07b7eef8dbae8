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

/// What emits events.
///
/// `_events` maps each name to its listener, or to an array of them. Such an array is never changed
/// in place: events are emitted far more often than listeners come and go, and to copy the array at
/// each event would cost as much as calling the listeners.
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

// Emitting.

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

/// Follows what a listener gave back; a promise that rejects becomes an event.
function followResult(emitter, result, type, args) {
  if (!emitter[kCapture]) return;
  try {
    const then = result.then;
    if (typeof then === 'function') {
      apply(then, result, [undefined, (error) => {
        binding.nextTick(announceRejection, emitter, error, type, args);
      }]);
    }
  } catch (error) {
    emitter.emit('error', error);
  }
}

function announceRejection(emitter, error, type, args) {
  if (typeof emitter[kRejection] === 'function') {
    emitter[kRejection](error, type, ...args);
    return;
  }
  // An `error` listener that rejects in turn must not come back here for ever.
  const before = emitter[kCapture];
  try {
    emitter[kCapture] = false;
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = before;
  }
}

// Adding.

function checkListener(listener) {
  if (typeof listener !== 'function') validateFunction(listener, 'listener');
}

function add(emitter, type, listener, first) {
  checkListener(listener);
  let events = emitter._events;
  let present;
  if (events === undefined) {
    events = emitter._events = { __proto__: null };
    emitter._eventsCount = 0;
  } else {
    // The event goes out before the listener is in, or a listener for it would hear of itself.
    if (events.newListener !== undefined) {
      emitter.emit('newListener', type, listener.listener ?? listener);
      events = emitter._events;
    }
    present = events[type];
  }
  if (present === undefined) {
    events[type] = listener;
    ++emitter._eventsCount;
    return emitter;
  }
  if (typeof present === 'function') {
    present = events[type] = first ? [listener, present] : [present, listener];
  } else {
    const { warned } = present;
    present = events[type] = first ? [listener, ...present] : [...present, listener];
    if (warned) present.warned = true;
  }
  const most = maxListenersOf(emitter);
  if (most > 0 && present.length > most && !present.warned) warnOfLeak(emitter, type, present, most);
  return emitter;
}

function warnOfLeak(emitter, type, present, most) {
  present.warned = true;
  const { inspect } = require('internal/util/inspect');
  const warning = new Error(
    `Possible EventEmitter memory leak detected. ${present.length} ${String(type)} listeners ` +
    `added to ${inspect(emitter, { depth: -1 })}. MaxListeners is ${most}. ` +
    'Use emitter.setMaxListeners() to increase limit');
  warning.name = 'MaxListenersExceededWarning';
  warning.emitter = emitter;
  warning.type = type;
  warning.count = present.length;
  binding.emitWarning(warning);
}

function maxListenersOf(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

/// Calls the listener of a `once`, after taking it off. `this` is the record made by `wrapOnce`.
function onceWrapper(...args) {
  if (this.fired) return;
  if (tellListeners !== undefined) tellListeners(this.target, this.type, true);
  this.target.removeListener(this.type, this.wrapFn);
  this.fired = true;
  return apply(this.listener, this.target, args);
}

function wrapOnce(target, type, listener) {
  const state = { fired: false, wrapFn: undefined, target, type, listener };
  const wrapped = onceWrapper.bind(state);
  wrapped.listener = listener;
  state.wrapFn = wrapped;
  return wrapped;
}

// Removing.

function clear(emitter) {
  emitter._events = { __proto__: null };
  emitter._eventsCount = 0;
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

  const handler = events[type];
  if (handler === undefined) return false;
  if (typeof handler === 'function') {
    const result = apply(handler, this, args);
    if (result !== undefined && result !== null) followResult(this, result, type, args);
    return true;
  }
  // Listeners may come and go while we call them, which makes another array.
  for (let i = 0; i < handler.length; ++i) {
    const result = apply(handler[i], this, args);
    if (result !== undefined && result !== null) followResult(this, result, type, args);
  }
  return true;
};

prototype.addListener = function addListener(type, listener) {
  return add(this, type, listener, false);
};

prototype.on = prototype.addListener;

prototype.prependListener = function prependListener(type, listener) {
  return add(this, type, listener, true);
};

prototype.once = function once(type, listener) {
  checkListener(listener);
  this.on(type, wrapOnce(this, type, listener));
  return this;
};

prototype.prependOnceListener = function prependOnceListener(type, listener) {
  checkListener(listener);
  this.prependListener(type, wrapOnce(this, type, listener));
  return this;
};

prototype.removeListener = function removeListener(type, listener) {
  checkListener(listener);
  const events = this._events;
  const present = events?.[type];
  if (present === undefined) return this;

  if (present === listener || present.listener === listener) {
    this._eventsCount -= 1;
    if (this[kShapeMode]) {
      events[type] = undefined;
    } else if (this._eventsCount === 0) {
      this._events = { __proto__: null };
    } else {
      delete events[type];
      if (events.removeListener) this.emit('removeListener', type, present.listener || listener);
    }
  } else if (typeof present !== 'function') {
    // The last of equal listeners goes first.
    let at = present.length - 1;
    while (at >= 0 && present[at] !== listener && present[at].listener !== listener) --at;
    if (at < 0) return this;
    if (present.length === 2) {
      events[type] = present[1 - at];
    } else {
      events[type] = present.toSpliced(at, 1);
      if (present.warned) events[type].warned = true;
    }
    if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
  }
  return this;
};

prototype.off = prototype.removeListener;

prototype.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;

  if (events.removeListener === undefined) {
    if (arguments.length === 0) {
      clear(this);
    } else if (events[type] !== undefined) {
      if (--this._eventsCount === 0) this._events = { __proto__: null };
      else delete events[type];
    }
    this[kShapeMode] = false;
    return this;
  }
  if (arguments.length === 0) {
    // Somebody wants to hear of each one; that listener goes last.
    for (const key of ownKeys(events)) {
      if (key !== 'removeListener') this.removeAllListeners(key);
    }
    this.removeAllListeners('removeListener');
    clear(this);
    this[kShapeMode] = false;
    return this;
  }
  const present = events[type];
  if (typeof present === 'function') {
    this.removeListener(type, present);
  } else if (present !== undefined) {
    for (let i = present.length - 1; i >= 0; --i) this.removeListener(type, present[i]);
  }
  return this;
};

prototype.listeners = function listeners(type) {
  return listenersOf(this, type).map((listener) => listener.listener || listener);
};

prototype.rawListeners = function rawListeners(type) {
  return listenersOf(this, type);
};

prototype.listenerCount = function listenerCount(type, listener) {
  const present = this._events?.[type];
  if (present === undefined) return 0;
  const matches = (one) => listener === one || listener === one.listener;
  if (typeof present === 'function') return listener == null || matches(present) ? 1 : 0;
  return listener == null ? present.length : present.filter(matches).length;
};

prototype.eventNames = function eventNames() {
  return this._eventsCount > 0 ? ownKeys(this._events) : [];
};

defineProperty(prototype, kCapture, { __proto__: null, value: false, writable: true });

// The statics, which take emitters and event targets alike.

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
  if (isEventTarget(emitterOrTarget)) return listenersOfTarget(emitterOrTarget, type);
  throw new ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function getMaxListeners(emitterOrTarget) {
  if (typeof emitterOrTarget?.getMaxListeners === 'function') return maxListenersOf(emitterOrTarget);
  if (emitterOrTarget?.[kMaxEventTargetListeners]) return emitterOrTarget[kMaxEventTargetListeners];
  throw new ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
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
  if (eventTargets.length === 0) {
    defaultMaxListeners = n;
    return;
  }
  const { isEventTarget } = require('internal/event_target');
  for (const target of eventTargets) {
    if (isEventTarget(target)) {
      target[kMaxEventTargetListeners] = n;
      target[kMaxEventTargetListenersWarned] = false;
    } else if (typeof target.setMaxListeners === 'function') {
      target.setMaxListeners(n);
    } else {
      throw new ERR_INVALID_ARG_TYPE('eventTargets', ['EventEmitter', 'EventTarget'], target);
    }
  }
};

EventEmitter.listenerCount = function(emitter, type) {
  if (typeof emitter.listenerCount === 'function') return emitter.listenerCount(type);
  return prototype.listenerCount.call(emitter, type);
};
