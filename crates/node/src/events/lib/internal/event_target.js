// EventTarget and Event as the web has them, and NodeEventTarget, which adds the manners of an
// EventEmitter.
//
// Takes from `binding`:
//   now()                   milliseconds since the program began, with a fraction
//   reportException(error)  makes the error an uncaught exception, after the running callback
//   emitWarning(error)      says a warning as `process.emitWarning` does
//   tellListeners(target, type, changes)  tells of an access, in runs that do
'use strict';

const { codes: {
  ERR_EVENT_RECURSION, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_MISSING_ARGS,
} } = require('internal/errors');
const {
  validateAbortSignal, validateObject, validateString, kValidateObjectAllowObjects,
  kValidateObjectAllowObjectsAndNull,
} = require('internal/validators');
const EventEmitter = require('events');
const { Event, CustomEvent, kTarget, kIsBeingDispatched, kStop, kTrustEvent, inspectAs } =
  require('internal/event');
const { Listener, ListenerList } = require('internal/event_listeners');
const { tellListeners } = binding;

const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = EventEmitter;
const { apply } = Reflect;
const { defineProperties, defineProperty } = Object;

const kIsEventTarget = Symbol.for('nodejs.event_target');
const kHybridDispatch = Symbol.for('nodejs.internal.kHybridDispatch');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kIsNodeEventTarget = Symbol('kIsNodeEventTarget');
const kEvents = Symbol('kEvents');
const kHandlers = Symbol('kHandlers');
const kCreateEvent = Symbol('kCreateEvent');
const kNewListener = Symbol('kNewListener');
const kRemoveListener = Symbol('kRemoveListener');
const kIsNodeStyleListener = Symbol('kIsNodeStyleListener');
const kWeakHandler = Symbol('kWeak');
const kResistStopPropagation = Symbol('kResistStopPropagation');

const noOptions = Object.freeze({ __proto__: null });

function initEventTarget(self) {
  self[kEvents] = new Map();
  self[kMaxEventTargetListeners] = EventEmitter.defaultMaxListeners;
  self[kMaxEventTargetListenersWarned] = false;
  self[kHandlers] = new Map();
}

function isEventTarget(value) {
  return value?.constructor?.[kIsEventTarget];
}

function isNodeEventTarget(value) {
  return value?.constructor?.[kIsNodeEventTarget];
}

function checkTarget(value) {
  if (!isEventTarget(value)) throw new ERR_INVALID_THIS('EventTarget');
}

function checkNodeTarget(value) {
  if (!isNodeEventTarget(value)) throw new ERR_INVALID_THIS('NodeEventTarget');
}

/// Whether something can be a listener; null and undefined cannot, but are let through.
function isListener(listener) {
  if (typeof listener === 'function') return true;
  if (listener === null || listener === undefined) return false;
  if (typeof listener === 'object') return true;
  throw new ERR_INVALID_ARG_TYPE('listener', 'EventListener', listener);
}

function readOptions(options) {
  if (typeof options === 'boolean') options = { capture: options };
  else if (options === null) options = noOptions;
  else validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
  return {
    once: Boolean(options.once),
    capture: Boolean(options.capture),
    passive: Boolean(options.passive),
    signal: options.signal,
    weak: options[kWeakHandler],
    resists: options[kResistStopPropagation] ?? false,
    nodeStyle: Boolean(options[kIsNodeStyleListener]),
  };
}

function followResult(result) {
  const then = result.then;
  if (typeof then === 'function') {
    apply(then, result, [undefined, (error) => binding.reportException(error)]);
  }
}

class EventTarget {
  static [kIsEventTarget] = true;

  constructor() {
    initEventTarget(this);
  }

  [kNewListener](size, type) {
    const most = this[kMaxEventTargetListeners];
    if (most > 0 && size > most && !this[kMaxEventTargetListenersWarned]) {
      this[kMaxEventTargetListenersWarned] = true;
      const { inspect } = require('internal/util/inspect');
      const warning = new Error(
        `Possible EventTarget memory leak detected. ${size} ${type} listeners added to ` +
        `${inspect(this, { depth: -1 })}. MaxListeners is ${most}. ` +
        'Use events.setMaxListeners() to increase limit');
      warning.name = 'MaxListenersExceededWarning';
      warning.target = this;
      warning.type = type;
      warning.count = size;
      binding.emitWarning(warning);
    }
  }

  // For subclasses that need to know.
  [kRemoveListener]() {}

  addEventListener(type, listener, options = noOptions) {
    checkTarget(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('type', 'listener');
    const settings = readOptions(options);
    const { once, capture, passive, signal, weak } = settings;
    validateAbortSignal(signal, 'options.signal');
    if (!isListener(listener)) {
      const warning = new Error(`addEventListener called with ${listener} which has no effect.`);
      warning.name = 'AddEventListenerArgumentTypeWarning';
      warning.target = this;
      warning.type = type;
      binding.emitWarning(warning);
      return;
    }
    type = `${type}`;
    if (signal) {
      if (signal.aborted) return;
      // Held weakly: a signal may live much longer than the targets that wait for it.
      signal.addEventListener('abort', () => this.removeEventListener(type, listener, options),
                              { once: true, [kWeakHandler]: this, [kResistStopPropagation]: true });
    }
    let list = this[kEvents].get(type);
    if (list === undefined) {
      this[kEvents].set(type, list = new ListenerList());
    } else {
      if (weak !== undefined) list.sweep();
      if (list.find(listener, capture) !== undefined) return;
    }
    list.append(new Listener(listener, settings));
    this[kNewListener](list.size, type, listener, once, capture, passive, weak);
  }

  removeEventListener(type, listener, options = noOptions) {
    checkTarget(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('type', 'listener');
    if (!isListener(listener)) return;
    type = `${type}`;
    const capture = options?.capture === true;
    const list = this[kEvents].get(type);
    const found = list?.find(listener, capture);
    if (found === undefined) return;
    list.remove(found);
    if (list.size === 0) this[kEvents].delete(type);
    this[kRemoveListener](list.size, type, listener, capture);
  }

  dispatchEvent(event) {
    checkTarget(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('event');
    if (!(event instanceof Event)) throw new ERR_INVALID_ARG_TYPE('event', 'Event', event);
    if (event[kIsBeingDispatched]) throw new ERR_EVENT_RECURSION(event.type);
    this[kHybridDispatch](event, event.type, event);
    return event.defaultPrevented !== true;
  }

  /// Calls the listeners, those of Node's kind with the value, the others with an event, which is
  /// made from the value only if one of them is there to see it.
  [kHybridDispatch](nodeValue, type, event) {
    if (tellListeners !== undefined) tellListeners(this, type, false);
    const list = this[kEvents].get(type);
    if (event !== undefined) event[kTarget] = this;
    let listener = list?.first;
    if (listener === undefined) return true;
    if (event !== undefined) event[kIsBeingDispatched] = true;

    while (listener !== undefined && (list.resists || event?.[kStop] !== true)) {
      // The next one is settled before the call: what a listener appends is heard of in this
      // round unless the listener is the last.
      const { next } = listener;
      if (!listener.removed && (event?.[kStop] !== true || listener.resists)) {
        // Taken before a removal, which may let go of the last hold on it.
        const callback = listener.weak ? listener.callback.deref() : listener.callback;
        if (listener.once) {
          if (tellListeners !== undefined) tellListeners(this, type, true);
          list.remove(listener);
          this[kRemoveListener](list.size, type, listener.value, listener.capture);
        }
        if (!listener.nodeStyle && event === undefined) {
          event = this[kCreateEvent](nodeValue, type);
          event[kTarget] = this;
          event[kIsBeingDispatched] = true;
        }
        const returned = call(this, callback, listener.nodeStyle ? nodeValue : event);
        // Node ends the dispatch, as the event tells it, with the first listener that returns.
        if (returned && !listener.nodeStyle) event[kIsBeingDispatched] = false;
      }
      listener = next;
    }
    if (event !== undefined) event[kIsBeingDispatched] = false;
  }

  [kCreateEvent](nodeValue, type) {
    return new CustomEvent(type, { detail: nodeValue });
  }

  [kInspect](depth, options) {
    checkTarget(this);
    return inspectAs(this.constructor.name, {}, depth, options);
  }
}

/// Calls one listener and says whether it returned; what it throws is reported and stops nothing.
function call(target, callback, argument) {
  try {
    const result = callback === undefined ? undefined : apply(callback, target, [argument]);
    if (result !== undefined && result !== null) followResult(result);
    return true;
  } catch (error) {
    binding.reportException(error);
    return false;
  }
}

/// Makes methods enumerable and gives the class its tag, as the web's classes have them.
function finishClass(Class, methods, tag = undefined) {
  for (const name of methods) defineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
  if (tag !== undefined) {
    defineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, value: tag, configurable: true });
  }
}

finishClass(EventTarget, ['addEventListener', 'removeEventListener', 'dispatchEvent'], 'EventTarget');

/// An event target that can also be used like an EventEmitter.
class NodeEventTarget extends EventTarget {
  static [kIsNodeEventTarget] = true;
  static defaultMaxListeners = 10;

  setMaxListeners(n) {
    checkNodeTarget(this);
    EventEmitter.setMaxListeners(n, this);
  }

  getMaxListeners() {
    checkNodeTarget(this);
    return this[kMaxEventTargetListeners];
  }

  eventNames() {
    checkNodeTarget(this);
    return [...this[kEvents].keys()];
  }

  listenerCount(type) {
    checkNodeTarget(this);
    return this[kEvents].get(String(type))?.size ?? 0;
  }

  off(type, listener, options) {
    checkNodeTarget(this);
    this.removeEventListener(type, listener, options);
    return this;
  }

  removeListener(type, listener, options) {
    checkNodeTarget(this);
    this.removeEventListener(type, listener, options);
    return this;
  }

  on(type, listener) {
    checkNodeTarget(this);
    this.addEventListener(type, listener, { [kIsNodeStyleListener]: true });
    return this;
  }

  addListener(type, listener) {
    checkNodeTarget(this);
    this.addEventListener(type, listener, { [kIsNodeStyleListener]: true });
    return this;
  }

  emit(type, arg) {
    checkNodeTarget(this);
    validateString(type, 'type');
    const heard = this.listenerCount(type) > 0;
    this[kHybridDispatch](arg, type);
    return heard;
  }

  once(type, listener) {
    checkNodeTarget(this);
    this.addEventListener(type, listener, { once: true, [kIsNodeStyleListener]: true });
    return this;
  }

  removeAllListeners(type) {
    checkNodeTarget(this);
    if (type !== undefined) this[kEvents].delete(String(type));
    else this[kEvents].clear();
    return this;
  }
}

finishClass(NodeEventTarget, [
  'setMaxListeners', 'getMaxListeners', 'eventNames', 'listenerCount', 'off', 'removeListener', 'on',
  'addListener', 'emit', 'once', 'removeAllListeners',
]);

/// Defines `onNAME` on a prototype: a property whose value listens for the event.
///
/// The first value decides the place among the listeners; a later one takes over that place.
function defineEventHandler(emitter, name, event = name) {
  const property = `on${name}`;
  function get() {
    validateObject(this, 'this', kValidateObjectAllowObjects);
    return this[kHandlers]?.get(event)?.handler ?? null;
  }
  function set(value) {
    validateObject(this, 'this', kValidateObjectAllowObjects);
    const handlers = this[kHandlers] ??= new Map();
    const wrapped = handlers.get(event);
    if (wrapped === undefined) {
      const fresh = makeEventHandler(value);
      handlers.set(event, fresh);
      this.addEventListener(event, fresh);
      return;
    }
    const list = this[kEvents].get(event);
    if (typeof wrapped.handler === 'function') {
      list.size--;
      this[kRemoveListener](list.size, event, wrapped.handler, false);
    }
    wrapped.handler = value;
    if (typeof value === 'function') {
      list.size++;
      this[kNewListener](list.size, event, value, false, false, false, false);
    }
  }
  defineProperty(get, 'name', { __proto__: null, value: `get ${property}` });
  defineProperty(set, 'name', { __proto__: null, value: `set ${property}` });
  defineProperty(emitter, property, { __proto__: null, get, set, configurable: true, enumerable: true });
}

function makeEventHandler(handler) {
  function eventHandler(...args) {
    if (typeof eventHandler.handler === 'function') return apply(eventHandler.handler, this, args);
  }
  eventHandler.handler = handler;
  return eventHandler;
}


/// The listeners a program added to an event target, in order.
function listenersOfTarget(target, type) {
  const found = [];
  for (let one = target[kEvents].get(type)?.first; one !== undefined; one = one.next) {
    if (one.value !== undefined) found.push(one.value);
  }
  return found;
}

module.exports = {
  Event, CustomEvent, EventTarget, NodeEventTarget, defineEventHandler,
  initEventTarget, isEventTarget, listenersOfTarget, finishClass,
  kCreateEvent, kNewListener, kRemoveListener, kTrustEvent, kEvents, kWeakHandler,
  kResistStopPropagation, kHybridDispatch,
};
