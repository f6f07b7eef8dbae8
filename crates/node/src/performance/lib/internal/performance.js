// The global performance object, its entries and their observers; times are milliseconds since the
// program began.
// Uses binding.now, wallClock, setImmediate, perform, loopIsOver.
'use strict';

const { codes } = require('internal/errors');

const kMake = {};
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

function needName(args, name) {
  if (args.length === 0) throw new codes.ERR_MISSING_ARGS(name);
}

// How the objects of this file show themselves: a name and some of their properties.
function inspectAs(name, facts, depth, options) {
  if (depth < 0) return undefined;
  const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${require('internal/util/inspect').inspect(facts, inner)}`;
}

class PerformanceEntry {
  #facts;

  constructor(token, name, type, start, duration, detail) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#facts = { name, type, start, duration, detail };
  }

  get name() { return this.#facts.name; }
  get entryType() { return this.#facts.type; }
  get startTime() { return this.#facts.start; }
  get duration() { return this.#facts.duration; }
  get detail() { return this.#facts.detail; }

  toJSON() {
    const { name, entryType, startTime, duration, detail } = this;
    return { name, entryType, startTime, duration, detail };
  }

  [inspectSymbol](depth, options) {
    return inspectAs(this.constructor.name, this.toJSON(), depth, options) ?? this;
  }
}

class PerformanceMark extends PerformanceEntry {
  constructor(name, options) {
    needName(arguments, 'name');
    name = `${name}`;
    if (options !== undefined && options !== null) require('internal/validators').validateObject(options, 'options');
    const start = options?.startTime ?? binding.now();
    require('internal/validators').validateNumber(start, 'startTime');
    if (start < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(start);
    let detail = options?.detail ?? null;
    if (detail !== null) detail = require('internal/structured_clone').structuredClone(detail);
    super(kMake, name, 'mark', start, 0, detail);
  }
}

class PerformanceMeasure extends PerformanceEntry {}

for (const type of [PerformanceEntry, PerformanceMark, PerformanceMeasure]) {
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });
}

// In the order in which they were made; asked for, they come by their time.
let entries = [];
const byTime = (list) => list.sort((a, b) => a.startTime - b.startTime);

// The instant that a measure's end is given by: a number, the name of a mark, or nothing.
function instant(value, otherwise) {
  if (value === undefined) return otherwise();
  if (typeof value === 'number') {
    if (value < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(value);
    return value;
  }
  const found = entries.findLast((entry) => entry.entryType === 'mark' && entry.name === `${value}`);
  if (found !== undefined) return found.startTime;
  const { DOMException } = require('internal/domexception');
  throw new DOMException(`The "${value}" performance mark has not been set`, 'SyntaxError');
}

function clear(type, name) {
  entries = entries.filter((entry) => entry.entryType !== type || (name !== undefined && entry.name !== `${name}`));
}

const observers = new Set();
const waiting = new Set();

// Tells those who observe its type; they hear of it together, in an immediate.
function announce(entry) {
  for (const observer of observers) observer[kTake](entry);
}

function wake(observer) {
  waiting.add(observer);
  if (waiting.size > 1) return;
  binding.setImmediate(() => {
    const told = [...waiting];
    waiting.clear();
    for (const one of told) one[kTell]();
  }, undefined);
}

function keep(entry) {
  entries.push(entry);
  announce(entry);
  return entry;
}

/// When the loop began and how long it has waited since, as the world has seen it; it began at -1 if it has not.
function turning() {
  const [start, idle] = binding.perform('system.loop', []);
  return { start, idle, now: binding.now() };
}

/// The part of the time for which a loop did not wait: since it began, since `util1`, or between two of them.
function utilization({ start, idle, now }, util1, util2) {
  const share = (idleFor, activeFor) =>
    ({ idle: idleFor, active: activeFor, utilization: activeFor === 0 ? 0 : activeFor / (idleFor + activeFor) });
  if (start < 0) return share(0, 0);
  if (util2) return share(util1.idle - util2.idle, util1.active - util2.active);
  const active = now - start - idle;
  return util1 ? share(idle - util1.idle, active - util1.active) : share(idle, active);
}

let timing;
let exited;

// The clock begins with the program: what Node does before that is over at 0.
class PerformanceNodeTiming {
  constructor() {
    const fixed = (value) => ({ __proto__: null, value, writable: false, enumerable: true, configurable: true });
    const read = (get) => ({ __proto__: null, get, enumerable: true, configurable: true });
    Object.defineProperties(this, {
      name: fixed('node'),
      entryType: fixed('node'),
      startTime: fixed(0),
      duration: read(binding.now),
      nodeStart: read(() => 0),
      v8Start: read(() => 0),
      environment: read(() => 0),
      loopStart: read(() => turning().start),
      loopExit: read(() => (binding.loopIsOver ? exited ??= binding.now() : -1)),
      bootstrapComplete: read(() => 0),
      idleTime: read(() => turning().idle),
    });
  }

  get detail() {
    return undefined;
  }

  toJSON() {
    const {
      name, entryType, startTime, duration, nodeStart, v8Start, bootstrapComplete, environment, loopStart, loopExit, idleTime,
    } = this;
    return {
      name, entryType, startTime, duration, nodeStart, v8Start, bootstrapComplete, environment, loopStart, loopExit, idleTime,
    };
  }

  [inspectSymbol](depth, options) {
    return inspectAs('PerformanceNodeTiming', this.toJSON(), depth, options) ?? this;
  }
}
Object.setPrototypeOf(PerformanceNodeTiming, PerformanceEntry);
Object.setPrototypeOf(PerformanceNodeTiming.prototype, PerformanceEntry.prototype);

let present;
let origin;

class Performance extends require('internal/event_target').EventTarget {
  constructor(token) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  get timeOrigin() {
    check(this);
    // Both clocks go on between two readings: once is enough.
    origin ??= binding.wallClock() - binding.now();
    return origin;
  }

  now() {
    check(this);
    return binding.now();
  }

  mark(name, options) {
    check(this);
    needName(arguments, 'name');
    return keep(new PerformanceMark(name, options));
  }

  measure(name, startOrOptions, endMark) {
    check(this);
    needName(arguments, 'name');
    require('internal/validators').validateString(name, 'name');
    let options = { start: startOrOptions, end: endMark };
    if (startOrOptions !== null && typeof startOrOptions === 'object') {
      options = startOrOptions;
      const { start, end, duration } = options;
      if (start !== undefined && end !== undefined && duration !== undefined) {
        throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS(
          'Must not have options.start, options.end, and options.duration specified');
      }
    }
    const { duration } = options;
    const end = instant(options.end, () =>
      (options.start !== undefined && duration !== undefined ? instant(options.start) + duration : binding.now()));
    const start = instant(options.start, () => (duration === undefined ? 0 : end - duration));
    let detail = options.detail ?? null;
    if (detail !== null) detail = require('internal/structured_clone').structuredClone(detail);
    return keep(new PerformanceMeasure(kMake, name, 'measure', start, end - start, detail));
  }

  getEntries() {
    check(this);
    return byTime([...entries]);
  }

  getEntriesByName(name, type) {
    check(this);
    needName(arguments, 'name');
    return byTime(entries.filter((entry) => entry.name === `${name}` && (type === undefined || entry.entryType === type)));
  }

  getEntriesByType(type) {
    check(this);
    needName(arguments, 'type');
    return byTime(entries.filter((entry) => entry.entryType === `${type}`));
  }

  clearMarks(name) {
    check(this);
    clear('mark', name);
  }

  clearMeasures(name) {
    check(this);
    clear('measure', name);
  }

  clearResourceTimings() {}
  setResourceTimingBufferSize() {}

  eventLoopUtilization(util1, util2) {
    return utilization(turning(), util1, util2);
  }

  get nodeTiming() {
    timing ??= new PerformanceNodeTiming();
    return timing;
  }

  timerify(fn) {
    require('internal/validators').validateFunction(fn, 'fn');
    function timerified(...args) {
      const start = binding.now();
      const finish = () => {
        const entry = new PerformanceEntry(kMake, fn.name, 'function', start, binding.now() - start, args);
        announce(entry);
      };
      const result = new.target ? Reflect.construct(fn, args, fn) : Reflect.apply(fn, this, args);
      if (typeof result?.finally === 'function') return result.finally(finish);
      finish();
      return result;
    }
    Object.defineProperties(timerified, {
      length: { configurable: false, enumerable: true, value: fn.length },
      name: { configurable: false, enumerable: true, value: `timerified ${fn.name}` },
    });
    return timerified;
  }

  toJSON() {
    check(this);
    return {
      nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin, eventLoopUtilization: this.eventLoopUtilization(),
    };
  }

  [inspectSymbol](depth, options) {
    const { nodeTiming, timeOrigin } = this;
    return inspectAs('Performance', { nodeTiming, timeOrigin }, depth, options) ?? this;
  }
}
Object.defineProperty(Performance.prototype, Symbol.toStringTag, { value: 'Performance', configurable: true });

function check(value) {
  if (!(value instanceof Performance)) throw new codes.ERR_INVALID_ARG_TYPE('this', 'Performance', value);
}

class PerformanceObserverEntryList {
  #entries;

  constructor(token, list) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#entries = byTime(list);
  }

  getEntries() {
    return [...this.#entries];
  }

  getEntriesByType(type) {
    needName(arguments, 'type');
    return this.#entries.filter((entry) => entry.entryType === `${type}`);
  }

  getEntriesByName(name, type) {
    needName(arguments, 'name');
    return this.#entries.filter((entry) => entry.name === `${name}` && (type === undefined || entry.entryType === type));
  }
}

const kTake = Symbol('kTake');
const kTell = Symbol('kTell');
const supported = ['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'resource'];

class PerformanceObserver {
  #callback;
  #types = new Set();
  #buffer = [];

  constructor(callback) {
    require('internal/validators').validateFunction(callback, 'callback');
    this.#callback = callback;
  }

  static get supportedEntryTypes() {
    return supported;
  }

  observe(options = {}) {
    const { validateObject, validateStringArray } = require('internal/validators');
    validateObject(options, 'options');
    const { entryTypes, type, buffered } = options;
    if (entryTypes === undefined && type === undefined) {
      throw new codes.ERR_MISSING_ARGS('options.entryTypes', 'options.type');
    }
    if (entryTypes !== undefined && type !== undefined) {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'options.entryTypes', entryTypes, 'options.entryTypes can not set with options.type together');
    }
    if (entryTypes !== undefined) validateStringArray(entryTypes, 'options.entryTypes');
    if (entryTypes !== undefined) this.#types.clear();
    for (const one of entryTypes ?? [type]) if (supported.includes(one)) this.#types.add(one);
    if (buffered && type !== undefined) {
      this.#buffer.push(...entries.filter((entry) => entry.entryType === type));
      if (this.#buffer.length > 0) wake(this);
    }
    if (this.#types.size > 0) observers.add(this);
    else this.disconnect();
  }

  disconnect() {
    observers.delete(this);
    waiting.delete(this);
    this.#buffer = [];
    this.#types.clear();
  }

  takeRecords() {
    const list = this.#buffer;
    this.#buffer = [];
    return list;
  }

  [kTake](entry) {
    if (!this.#types.has(entry.entryType)) return;
    this.#buffer.push(entry);
    wake(this);
  }

  [kTell]() {
    this.#callback(new PerformanceObserverEntryList(kMake, this.takeRecords()), this);
  }
}

module.exports = {
  Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver, PerformanceObserverEntryList,
  get performance() {
    present ??= new Performance(kMake);
    return present;
  },
};
