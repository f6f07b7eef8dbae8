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
} = require('internal/validators');
const EventEmitter = require('events');
const { Event, CustomEvent, kTarget, kIsBeingDispatched, kStop, kTrustEvent, inspectAs } =
  require('internal/event');
const { Listener, ListenerList } = require('internal/event_listeners');
const { tellListeners } = binding;

const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = EventEmitter;
const { apply } = Reflect;
const { defineProperty } = Object;

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

/// How a listener is added if nothing is said.
const plain = Object.freeze({
  __proto__: null,
  once: false,
  capture: false,
  passive: false,
  signal: undefined,
  weak: undefined,
  nodeStyle: false,
  resists: false,
});

// What a target has that nobody ever listened to: most signals of a controller are such.
const unheard = new Map();

function initEventTarget(self) {
  // Made with the first handler.
  self[kHandlers] = null;
  self[kEvents] = unheard;
  self[kMaxEventTargetListenersWarned] = false;
  self[kMaxEventTargetListeners] = EventEmitter.defaultMaxListeners;
}

/// Whether the class of something has a mark; classes derived from it have it, too.
function isMarked(value, mark) {
  return value?.constructor?.[mark];
}

const isEventTarget = (value) => isMarked(value, kIsEventTarget);

function checkTarget(value, mark = kIsEventTarget, name = 'EventTarget') {
  if (!isMarked(value, mark)) throw new ERR_INVALID_THIS(name);
}

function checkNodeTarget(value) {
  checkTarget(value, kIsNodeEventTarget, 'NodeEventTarget');
}

/// Whether something can be a listener; null and undefined cannot, but are let through.
function isListener(value) {
  switch (typeof value) {
    case 'function': return true;
    case 'undefined': return false;
    case 'object': return value !== null;
    default: throw new ERR_INVALID_ARG_TYPE('listener', 'EventListener', value);
  }
}

/// The options of `addEventListener`, all of them. A boolean is `capture`.
function readOptions(options) {
  if (options === plain || options === null) return plain;
  if (typeof options === 'boolean') return options ? { ...plain, capture: true } : plain;
  validateObject(options, 'options', kValidateObjectAllowObjects);
  return {
    once: !!options.once,
    capture: !!options.capture,
    passive: !!options.passive,
    signal: options.signal,
    weak: options[kWeakHandler],
    nodeStyle: !!options[kIsNodeStyleListener],
    resists: !!options[kResistStopPropagation],
  };
}

/// Emits a warning about a target and the listeners of a type.
function warn(target, type, name, message, more = {}) {
  binding.emitWarning(Object.assign(new Error(message), { name, target, type }, more));
}

function warnOfNoListener(target, type, listener) {
  warn(target, type, 'AddEventListenerArgumentTypeWarning', `addEventListener called with ${listener} which has no effect.`);
}

function warnOfLeak(target, type, count, most) {
  target[kMaxEventTargetListenersWarned] = true;
  const { inspect } = require('internal/util/inspect');
  warn(target, type, 'MaxListenersExceededWarning',
       `Possible EventTarget memory leak detected. ${count} ${type} listeners added to ` +
       `${inspect(target, { depth: -1 })}. MaxListeners is ${most}. Use events.setMaxListeners() to increase limit`, { count });
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

  [kInspect](depth, options) {
    checkTarget(this);
    return inspectAs(this.constructor.name, {}, depth, options);
  }

  [kNewListener](size, type) {
    const most = this[kMaxEventTargetListeners];
    if (size > most && most > 0 && !this[kMaxEventTargetListenersWarned]) warnOfLeak(this, type, size, most);
  }

  // For subclasses that need to know.
  [kRemoveListener]() {}

  addEventListener(type, listener, options = plain) {
    checkTarget(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('type', 'listener');
    const settings = readOptions(options);
    const { once, capture, passive, signal, weak } = settings;
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    if (!isListener(listener)) {
      warnOfNoListener(this, type, listener);
      return;
    }
    type = `${type}`;
    if (signal !== undefined) {
      // EVENT-23
      if (signal.aborted) return;
      const remove = () => this.removeEventListener(type, listener, options);
      signal.addEventListener('abort', remove, { once: true, [kWeakHandler]: this, [kResistStopPropagation]: true });
    }
    let list = this[kEvents].get(type);
    if (list === undefined) {
      if (this[kEvents] === unheard) this[kEvents] = new Map();
      this[kEvents].set(type, list = new ListenerList());
    } else if (list.find(listener, capture) !== undefined) {
      // EVENT-19
      return;
    }
    list.append(new Listener(listener, settings));
    this[kNewListener](list.size, type, listener, once, capture, passive, weak);
  }

  removeEventListener(type, listener, options = plain) {
    checkTarget(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('type', 'listener');
    if (!isListener(listener)) return;
    type = `${type}`;
    const list = this[kEvents].get(type);
    const found = list?.find(listener, options?.capture === true);
    if (found === undefined) return;
    if (list.size === 1) this[kEvents].delete(type);
    takeOff(this, type, list, found);
  }

  dispatchEvent(event) {
    checkTarget(this);
    if (!(event instanceof Event)) {
      throw arguments.length === 0 ? new ERR_MISSING_ARGS('event') : new ERR_INVALID_ARG_TYPE('event', 'Event', event);
    }
    const { type } = event;
    // EVENT-22
    if (event[kIsBeingDispatched]) throw new ERR_EVENT_RECURSION(type);
    this[kHybridDispatch](event, type, event);
    return !event.defaultPrevented;
  }

  /// Calls the listeners of a type. The event is made when the first listener wants one; those of
  /// `NodeEventTarget.on` get the value itself.
  [kHybridDispatch](nodeValue, type, event) {
    if (tellListeners !== undefined) tellListeners(this, type, false);
    if (event !== undefined) event[kTarget] = this;
    const list = this[kEvents].get(type);
    let listener = list?.first;
    if (listener === undefined) return;
    if (event !== undefined) event[kIsBeingDispatched] = true;

    while (listener !== undefined) {
      // The next one is settled before the call: what a listener appends is heard of in this
      // round unless the listener is the last (EVENT-20).
      const { next } = listener;
      // EVENT-21
      const stopped = event !== undefined && event[kStop];
      if (stopped && !list.resists) break;
      if (!listener.removed && (!stopped || listener.resists)) {
        // Taken before a removal, which may let go of the last hold on it.
        const callback = listener.weak ? listener.callback.deref() : listener.callback;
        if (listener.once) {
          if (tellListeners !== undefined) tellListeners(this, type, true);
          takeOff(this, type, list, listener);
        }
        if (event === undefined && !listener.nodeStyle) event = makeEvent(this, type, nodeValue);
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
}

function takeOff(target, type, list, listener) {
  // Asked before the removal, which lets go of a weak one.
  const { value } = listener;
  list.remove(listener);
  target[kRemoveListener](list.size, type, value, listener.capture);
}

/// The event of a value that was emitted, on its way to the first listener that wants an event.
function makeEvent(target, type, nodeValue) {
  const event = target[kCreateEvent](nodeValue, type);
  event[kTarget] = target;
  event[kIsBeingDispatched] = true;
  return event;
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
    return remove(this, type, listener, options);
  }

  removeListener(type, listener, options) {
    return remove(this, type, listener, options);
  }

  on(type, listener) {
    return addNodeStyle(this, type, listener, false);
  }

  addListener(type, listener) {
    return addNodeStyle(this, type, listener, false);
  }

  once(type, listener) {
    return addNodeStyle(this, type, listener, true);
  }

  emit(type, arg) {
    checkNodeTarget(this);
    validateString(type, 'type');
    const heard = this.listenerCount(type) > 0;
    this[kHybridDispatch](arg, type, undefined);
    return heard;
  }

  removeAllListeners(type) {
    checkNodeTarget(this);
    if (type === undefined) this[kEvents].clear();
    else this[kEvents].delete(String(type));
    return this;
  }
}

function remove(target, type, listener, options) {
  checkNodeTarget(target);
  target.removeEventListener(type, listener, options);
  return target;
}

/// Adds a listener that gets what was emitted instead of an event.
function addNodeStyle(target, type, listener, once) {
  checkNodeTarget(target);
  target.addEventListener(type, listener, { once, [kIsNodeStyleListener]: true });
  return target;
}

finishClass(NodeEventTarget, [
  'setMaxListeners', 'getMaxListeners', 'eventNames', 'listenerCount', 'off', 'removeListener', 'on',
  'addListener', 'emit', 'once', 'removeAllListeners',
]);

/// Defines `onNAME` on a prototype: a property whose value listens for the event (EVENT-24).
///
/// The first value decides the place among the listeners; a later one takes over that place.
function defineEventHandler(emitter, name, event = name) {
  const accessors = {
    get() {
      return handlersOf(this).get(event)?.handler ?? null;
    },
    set(value) {
      const handlers = handlersOf(this);
      const place = handlers.get(event);
      if (place !== undefined) {
        occupy(this, event, place, value);
        return;
      }
      const made = makeEventHandler(value);
      handlers.set(event, made);
      this.addEventListener(event, made);
    },
  };
  for (const [kind, accessor] of Object.entries(accessors)) {
    defineProperty(accessor, 'name', { __proto__: null, value: `${kind} on${name}` });
  }
  defineProperty(emitter, `on${name}`, { __proto__: null, ...accessors, configurable: true, enumerable: true });
}

function handlersOf(target) {
  const handlers = target?.[kHandlers];
  if (handlers === undefined) throw new ERR_INVALID_ARG_TYPE('this', 'EventTarget', target);
  return handlers ?? (target[kHandlers] = new Map());
}

/// Changes what a place calls. It counts as a listener while that is a function.
function occupy(target, event, place, value) {
  const list = target[kEvents].get(event);
  const { handler } = place;
  place.handler = value;
  if (typeof handler === 'function') target[kRemoveListener](--list.size, event, handler, false);
  if (typeof value === 'function') target[kNewListener](++list.size, event, value, false, false, false, false);
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
  isEventTarget, listenersOfTarget, finishClass,
  kCreateEvent, kNewListener, kRemoveListener, kTrustEvent,
  kResistStopPropagation, kHybridDispatch, kWeakHandler,
};
