// Event and CustomEvent.
//
// Takes from `binding`:
//   now()  milliseconds since the program began, with a fraction
'use strict';

const { codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS } } = require('internal/errors');
const { validateObject } = require('internal/validators');

const { defineProperties } = Object;

const kType = Symbol('type');
const kDetail = Symbol('detail');
const kTarget = Symbol('kTarget');
const kIsBeingDispatched = Symbol('kIsBeingDispatched');
const kStop = Symbol('kStop');
const kTrustEvent = Symbol('kTrustEvent');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

const trusted = new WeakSet();

function checkEvent(value) {
  if (typeof value?.[kType] !== 'string') throw new ERR_INVALID_THIS('Event');
}

function needType(count) {
  if (count === 0) throw new ERR_MISSING_ARGS('type');
}

/// How a class of the web is shown: its name and some values; nested too deep, the name alone.
function inspectAs(name, shown, depth, options) {
  if (depth < 0) return name;
  const { inspect } = require('internal/util/inspect');
  // What is not a number, such as null, is no limit.
  const left = Number.isInteger(options.depth) ? options.depth - 1 : options.depth;
  return `${name} ${inspect(shown, { ...options, depth: left })}`;
}

class Event {
  [kTarget] = null;
  [kIsBeingDispatched] = false;
  [kStop] = false;
  #bubbles;
  #cancelable;
  #composed = false;
  #defaultPrevented = false;
  #propagationStopped = false;
  #timestamp = binding.now() - binding.born;

  constructor(type, options = undefined) {
    needType(arguments.length);
    if (options === undefined || options === null) {
      this.#describe(type, false, false);
      return;
    }
    validateObject(options, 'options');
    this.#describe(type, options.bubbles, options.cancelable);
    this.#composed = !!options.composed;
    if (options[kTrustEvent]) trusted.add(this);
  }

  #describe(type, bubbles, cancelable) {
    this[kType] = `${type}`;
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    needType(arguments.length);
    // One that is under way stays what it is.
    if (!this[kIsBeingDispatched]) this.#describe(type, bubbles, cancelable);
  }

  [kInspect](depth, options) {
    checkEvent(this);
    const { type, defaultPrevented, cancelable, timeStamp } = this;
    return inspectAs(this.constructor.name, { type, defaultPrevented, cancelable, timeStamp }, depth, options);
  }

  stopImmediatePropagation() {
    checkEvent(this);
    // There is no tree of targets, so to stop here is to stop altogether.
    this.#propagationStopped = true;
    this[kStop] = true;
  }

  preventDefault() {
    checkEvent(this);
    this.#defaultPrevented = true;
  }

  get target() {
    checkEvent(this);
    return this[kTarget];
  }

  get currentTarget() {
    checkEvent(this);
    return this[kIsBeingDispatched] ? this[kTarget] : null;
  }

  get srcElement() {
    checkEvent(this);
    return this[kTarget];
  }

  get type() {
    checkEvent(this);
    return this[kType];
  }

  get cancelable() {
    checkEvent(this);
    return this.#cancelable;
  }

  get defaultPrevented() {
    checkEvent(this);
    return this.#cancelable && this.#defaultPrevented;
  }

  get timeStamp() {
    checkEvent(this);
    return this.#timestamp;
  }

  composedPath() {
    checkEvent(this);
    return this[kIsBeingDispatched] ? [this[kTarget]] : [];
  }

  get returnValue() {
    checkEvent(this);
    return !this.#cancelable || !this.#defaultPrevented;
  }

  get bubbles() {
    checkEvent(this);
    return this.#bubbles;
  }

  get composed() {
    checkEvent(this);
    return this.#composed;
  }

  get eventPhase() {
    checkEvent(this);
    return this[kIsBeingDispatched] ? Event.AT_TARGET : Event.NONE;
  }

  get cancelBubble() {
    checkEvent(this);
    return this.#propagationStopped;
  }

  set cancelBubble(value) {
    checkEvent(this);
    if (value) this.#propagationStopped = true;
  }

  stopPropagation() {
    checkEvent(this);
    this.#propagationStopped = true;
  }
}

const shown = { __proto__: null, enumerable: true };

defineProperties(Event, {
  NONE: { __proto__: null, value: 0, enumerable: true },
  CAPTURING_PHASE: { __proto__: null, value: 1, enumerable: true },
  AT_TARGET: { __proto__: null, value: 2, enumerable: true },
  BUBBLING_PHASE: { __proto__: null, value: 3, enumerable: true },
});

defineProperties(Event.prototype, {
  [Symbol.toStringTag]: { __proto__: null, value: 'Event', configurable: true },
  initEvent: shown,
  stopImmediatePropagation: shown,
  preventDefault: shown,
  target: shown,
  currentTarget: shown,
  srcElement: shown,
  type: shown,
  cancelable: shown,
  defaultPrevented: shown,
  timeStamp: shown,
  composedPath: shown,
  returnValue: shown,
  bubbles: shown,
  composed: shown,
  eventPhase: shown,
  cancelBubble: shown,
  stopPropagation: shown,
  isTrusted: {
    __proto__: null,
    // A program cannot replace it: whoever trusts an event asks here.
    get: Object.getOwnPropertyDescriptor({ get isTrusted() { return trusted.has(this); } }, 'isTrusted').get,
    enumerable: true,
    configurable: false,
  },
});

class CustomEvent extends Event {
  constructor(type, options = undefined) {
    needType(arguments.length);
    super(type, options);
    this[kDetail] = options?.detail ?? null;
  }

  get detail() {
    if (typeof this?.[kType] !== 'string' || !(kDetail in this)) throw new ERR_INVALID_THIS('CustomEvent');
    return this[kDetail];
  }
}

defineProperties(CustomEvent.prototype, {
  [Symbol.toStringTag]: { __proto__: null, value: 'CustomEvent', configurable: true },
  detail: shown,
});

module.exports = { Event, CustomEvent, kTarget, kIsBeingDispatched, kStop, kTrustEvent, inspectAs };
