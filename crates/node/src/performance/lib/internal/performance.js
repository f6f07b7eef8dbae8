// The global performance object, its entries and their observers; times are milliseconds since the
// program began.
// Uses binding.now, born, setImmediate, perform, loopIsOver.
'use strict';

const { codes } = require('internal/errors');
const { EventTarget, defineEventHandler, finishClass } = require('internal/event_target');
const { LongPairs } = require('internal/long_pairs');
const { observed } = require('internal/observed');

/// Milliseconds since the process began.
const now = () => binding.now() - binding.born;

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

// What an entry tells; anything else that its getters are called on is refused by the name of the class.
let factsOf;

class PerformanceEntry {
  #facts;

  constructor(token = undefined, facts = undefined) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#facts = facts;
  }

  static {
    factsOf = (value, Class = PerformanceEntry) => {
      if (#facts in Object(value)) return value.#facts;
      throw new codes.ERR_INVALID_ARG_TYPE('this', Class.name, value);
    };
  }

  get name() { return factsOf(this).name; }
  get entryType() { return factsOf(this).type; }
  get startTime() { return factsOf(this).start; }
  get duration() { return factsOf(this).duration; }

  toJSON() {
    const { name, type, start, duration } = factsOf(this);
    return { name, entryType: type, startTime: start, duration };
  }

  [inspectSymbol](depth, options) {
    return inspectAs(this.constructor.name, this.toJSON(), depth, options) ?? this;
  }
}

// Gives a class of entries their detail.
function addDetail(Class) {
  Object.defineProperties(Class.prototype, Object.getOwnPropertyDescriptors({
    get detail() { return factsOf(this, Class).detail; },
  }));
  Object.defineProperty(Class.prototype, 'toJSON', {
    value: { toJSON() { return { ...PerformanceEntry.prototype.toJSON.call(this), detail: this.detail }; } }.toJSON,
    writable: true,
    configurable: true,
  });
}

// Instants of the program's own start, which measures may begin and end with.
const milestones = ['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete'];

class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    needName(arguments, 'name');
    name = `${name}`;
    if (milestones.includes(name)) throw new codes.ERR_INVALID_ARG_VALUE('name', name);
    if (options !== undefined && options !== null) require('internal/validators').validateObject(options, 'options');
    const start = options?.startTime ?? now();
    require('internal/validators').validateNumber(start, 'startTime');
    if (start < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(start);
    let detail = options?.detail ?? null;
    if (detail !== null) detail = require('internal/structured_clone').structuredClone(detail);
    super(kMake, { name, type: 'mark', start, duration: 0, detail });
  }
}

class PerformanceMeasure extends PerformanceEntry {}

// Calls of functions that are timed.
class PerformanceNodeEntry extends PerformanceEntry {}

for (const type of [PerformanceMark, PerformanceMeasure, PerformanceNodeEntry]) addDetail(type);

// What a resource that was fetched tells: the names of its facts, and where they stand in what the fetch notes down.
// Those of the connection come behind a dot.
const resourceFacts = Object.entries({
  nextHopProtocol: '.ALPNNegotiatedProtocol',
  workerStart: 'finalServiceWorkerStartTime',
  redirectStart: 'redirectStartTime',
  redirectEnd: 'redirectEndTime',
  fetchStart: 'postRedirectStartTime',
  domainLookupStart: '.domainLookupStartTime',
  domainLookupEnd: '.domainLookupEndTime',
  connectStart: '.connectionStartTime',
  connectEnd: '.connectionEndTime',
  secureConnectionStart: '.secureConnectionStartTime',
  requestStart: 'finalNetworkRequestStartTime',
  responseStart: 'finalNetworkResponseStartTime',
  responseEnd: 'endTime',
  encodedBodySize: 'encodedBodySize',
  decodedBodySize: 'decodedBodySize',
});
// The size of a response's head, as the web platform puts it.
const HEAD_BYTES = 300;

class PerformanceResourceTiming extends PerformanceEntry {
  constructor(token = undefined, facts = undefined) {
    super(token, facts);
  }

  get name() { return resourceOf(this).name; }
  get startTime() { return resourceOf(this).start; }
  get duration() { return resourceOf(this).duration; }
  get initiatorType() { return resourceOf(this).initiator; }

  get transferSize() {
    const { cache, info } = resourceOf(this);
    return cache === 'local' ? 0 : cache === 'validated' ? HEAD_BYTES : info.encodedBodySize + HEAD_BYTES;
  }

  toJSON() {
    resourceOf(this);
    const facts = { ...PerformanceEntry.prototype.toJSON.call(this), initiatorType: this.initiatorType };
    for (const [name] of resourceFacts) {
      if (name === 'encodedBodySize') facts.transferSize = this.transferSize;
      facts[name] = this[name];
    }
    return facts;
  }
}

function resourceOf(value) {
  const facts = value instanceof PerformanceResourceTiming ? factsOf(value, PerformanceResourceTiming) : undefined;
  if (facts === undefined) throw new codes.ERR_INVALID_ARG_TYPE('this', 'PerformanceResourceTiming', value);
  return facts;
}

for (const [name, place] of resourceFacts) {
  const ofConnection = place.startsWith('.') ? place.slice(1) : undefined;
  const get = Object.getOwnPropertyDescriptor({
    get [name]() {
      const { info } = resourceOf(this);
      return ofConnection === undefined ? info[place] : info.finalConnectionTimingInfo?.[ofConnection];
    },
  }, name);
  Object.defineProperty(PerformanceResourceTiming.prototype, name, { ...get, __proto__: null });
}

// Resources are kept up to a limit; those beyond it wait for listeners of `resourcetimingbufferfull` to make room.
let resourceLimit = 250;
let excess = [];
let isFullPending = false;

let resources = 0;
const hasRoom = () => resources < resourceLimit;

function keepResource(entry) {
  announce(entry);
  if (!isFullPending && hasRoom()) {
    note(entry);
    return;
  }
  excess.push(entry);
  if (isFullPending) return;
  isFullPending = true;
  binding.setImmediate(tellFull, undefined);
}

function markResource(info, name, initiator, cache) {
  const { startTime: start, endTime } = info;
  const entry = new PerformanceResourceTiming(kMake, { name, type: 'resource', start, duration: endTime - start, initiator, cache, info });
  keepResource(entry);
  return entry;
}

/// Tells that there is no room, again and again as long as that makes some; what finds none is lost.
function tellFull() {
  const { Event } = require('internal/event_target');
  while (excess.length > 0) {
    const before = excess.length;
    if (!hasRoom()) module.exports.performance.dispatchEvent(new Event('resourcetimingbufferfull'));
    while (excess.length > 0 && hasRoom()) note(excess.shift());
    if (excess.length >= before) excess = [];
  }
  isFullPending = false;
}

// By their names, in the order in which they were made; asked for, they come by their time.
let entries = new LongPairs();
const valueOf = ({ value }) => value;
const ofType = (type) => [...entries].map(valueOf).filter((entry) => entry.entryType === type);
const byTime = (list) => list.sort((a, b) => a.startTime - b.startTime);
// The latest mark of each name.
let marks = new Map();

function note(entry) {
  entries.append(entry.name, entry);
  if (entry.entryType === 'mark') marks.set(entry.name, entry);
  else if (entry.entryType === 'resource') resources++;
}

// The instant that a measure's end is given by: a number, or the name of a mark.
function instant(value) {
  if (typeof value === 'number') {
    if (value < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(value);
    return value;
  }
  if (milestones.includes(value)) return theTiming()[value];
  const found = marks.get(`${value}`);
  if (found !== undefined) return found.startTime;
  const { DOMException } = require('internal/domexception');
  throw new DOMException(`The "${value}" performance mark has not been set`, 'SyntaxError');
}

// Where a measure begins and ends. What begins it is a mark's name or options; anything else counts as nothing.
function ends(given, endMark) {
  const isName = typeof given === 'string';
  const options = !isName && given !== null && typeof given === 'object' ? given : {};
  const { start = isName ? given : undefined, end: ending, duration } = options;
  if (options.start !== undefined || ending !== undefined) {
    if (endMark !== undefined) throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('endMark must not be specified');
    if (start !== undefined && ending !== undefined && duration !== undefined) {
      throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('Must not have options.start, options.end, and options.duration specified');
    }
  }
  const lasts = (from) => from + instant(duration);
  const end = endMark !== undefined ? instant(endMark)
    : ending !== undefined ? instant(ending)
      : start !== undefined && duration !== undefined ? lasts(instant(start)) : now();
  const from = start !== undefined ? instant(start)
    : ending !== undefined && duration !== undefined ? end - instant(duration) : 0;
  return { start: from, end, detail: options.detail ?? null };
}

function clear(type, name) {
  const goes = ({ value }) => value.entryType === type;
  const gone = entries.deleteWhere(goes, name === undefined ? undefined : `${name}`);
  if (type === 'resource') resources -= gone;
  else if (type !== 'mark') return;
  else if (name === undefined) marks = new Map();
  else marks.delete(`${name}`);
}

const observers = new Set();
const waiting = new Set();

// Tells those who observe its type; they hear of it together, in an immediate.
function announce(entry) {
  for (const observer of observers) observer[kTake](entry);
}

/// Tells of something that happened elsewhere in the library, see `internal/observed`.
function announceEntry(facts) {
  const entry = new PerformanceNodeEntry(kMake, facts);
  if (facts.type === 'gc') addOldNames(entry, facts.detail);
  announce(entry);
}

/// The names that parts of a detail once had.
function addOldNames(entry, detail) {
  const { deprecate } = require('internal/util/deprecate');
  const say = (act) => deprecate(act, 'Custom PerformanceEntry accessors are deprecated. Please use the detail property.', 'DEP0152');
  const values = { ...detail };
  for (const name of Object.keys(values)) {
    const get = say(() => values[name]);
    const set = say((value) => { values[name] = value; });
    Object.defineProperty(entry, name, { __proto__: null, get, set, enumerable: true, configurable: true });
  }
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
  note(entry);
  announce(entry);
  return entry;
}

/// When the loop began and how long it has waited since, as the world has seen it; it began at -1 if it has not.
function turning() {
  const [start, idle] = binding.perform('system.loop', []);
  return { start: start < 0 ? start : start - binding.born, idle, now: now() };
}

/// The same of the loop of a worker.
function turningOf(worker) {
  const [start, idle, waits] = binding.perform('worker.loop', [worker]);
  const at = now();
  // A wait that goes on counts until now.
  const rest = waits < 0 ? 0 : Math.max(at - (waits - binding.born), 0);
  return { start: start < 0 ? start : start - binding.born, idle: idle + rest, now: at };
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
      duration: read(now),
      nodeStart: read(() => 0),
      v8Start: read(() => 0),
      environment: read(() => 0),
      loopStart: read(() => turning().start),
      loopExit: read(() => (binding.loopIsOver ? exited ??= now() : -1)),
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

function theTiming() {
  timing ??= new PerformanceNodeTiming();
  return timing;
}

let present;

class Performance extends EventTarget {
  constructor(token = undefined) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  get timeOrigin() {
    check(this);
    return require('internal/time_origin').timeOrigin();
  }

  now() {
    check(this);
    return now();
  }

  mark(name, options = undefined) {
    check(this);
    needName(arguments, 'name');
    return keep(new PerformanceMark(name, options));
  }

  measure(name, startOrOptions = undefined, endMark = undefined) {
    check(this);
    needName(arguments, 'name');
    require('internal/validators').validateString(name, 'name');
    const { start, end, detail: given } = ends(startOrOptions, endMark);
    const detail = given === null ? null : require('internal/structured_clone').structuredClone(given);
    return keep(new PerformanceMeasure(kMake, { name, type: 'measure', start, duration: end - start, detail }));
  }

  getEntries() {
    check(this);
    return byTime([...entries].map(valueOf));
  }

  getEntriesByName(name, type = undefined) {
    check(this);
    needName(arguments, 'name');
    return byTime(entries.all(`${name}`).map(valueOf).filter((entry) => type === undefined || entry.entryType === type));
  }

  getEntriesByType(type) {
    check(this);
    needName(arguments, 'type');
    return byTime(ofType(`${type}`));
  }

  clearMarks(name = undefined) {
    check(this);
    clear('mark', name);
  }

  clearMeasures(name = undefined) {
    check(this);
    clear('measure', name);
  }

  clearResourceTimings(name = undefined) {
    check(this);
    clear('resource', name);
  }

  setResourceTimingBufferSize(maxSize) {
    check(this);
    needName(arguments, 'maxSize');
    resourceLimit = Number.isSafeInteger(maxSize) && maxSize > 0 ? maxSize : 0;
  }

  markResourceTiming(timingInfo, requestedUrl, initiatorType, global, cacheMode) {
    if (cacheMode !== '' && cacheMode !== 'local') {
      throw new codes.ERR_INTERNAL_ASSERTION("cache must be an empty string or 'local'");
    }
    return markResource(timingInfo, requestedUrl, initiatorType, cacheMode);
  }

  eventLoopUtilization(util1, util2) {
    return utilization(turning(), util1, util2);
  }

  get nodeTiming() {
    return theTiming();
  }

  timerify(fn, options = {}) {
    const { validateFunction, validateObject } = require('internal/validators');
    validateFunction(fn, 'fn');
    validateObject(options, 'options');
    const { histogram } = options;
    if (histogram !== undefined && !require('internal/histogram').isRecordable(histogram)) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.histogram', 'RecordableHistogram', histogram);
    }
    function timerified(...args) {
      const start = now();
      const finish = () => {
        const duration = now() - start;
        histogram?.record(Math.max(1, Math.ceil(duration * 1e6)));
        const entry = new PerformanceNodeEntry(kMake, { name: fn.name, type: 'function', start, duration, detail: args });
        for (const [place, value] of Object.entries(args)) entry[place] = value;
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
defineEventHandler(Performance.prototype, 'resourcetimingbufferfull');

function check(value) {
  if (!(value instanceof Performance)) throw new codes.ERR_INVALID_ARG_TYPE('this', 'Performance', value);
}

class PerformanceObserverEntryList {
  #entries;

  constructor(token = undefined, list = undefined) {
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

  getEntriesByName(name, type = undefined) {
    needName(arguments, 'name');
    return this.#entries.filter((entry) => entry.name === `${name}` && (type === undefined || entry.entryType === type));
  }

  [inspectSymbol](depth, options) {
    return inspectAs('PerformanceObserverEntryList', this.#entries, depth, options) ?? this;
  }
}

const kTake = Symbol('kTake');
const kTell = Symbol('kTell');
const supported = ['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'resource'];

class PerformanceObserver {
  #callback;
  // Whether it observes by `type` or by `entryTypes`, once it does.
  #kind = undefined;
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
    require('internal/validators').validateObject(options, 'options');
    const { entryTypes, type, buffered } = options;
    if (entryTypes === undefined && type === undefined) {
      throw new codes.ERR_MISSING_ARGS('options.entryTypes', 'options.type');
    }
    if (entryTypes !== undefined && type !== undefined) {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'options.entryTypes', entryTypes, 'options.entryTypes can not set with options.type together');
    }
    this.#decide(entryTypes === undefined ? 'single observation' : 'multiple observations');
    if (entryTypes !== undefined && !Array.isArray(entryTypes)) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.entryTypes', 'string[]', entryTypes);
    }
    if (entryTypes !== undefined) this.#forget();
    for (const one of entryTypes ?? [type]) if (supported.includes(one)) this.#want(one);
    if (buffered && this.#types.has(type)) {
      for (const entry of ofType(type)) this.#buffer.push(entry);
      // Also of none: Node says so, and programs wait for it.
      wake(this);
    }
    if (this.#types.size > 0) observers.add(this);
    else this.#leave();
  }

  // It may change only after it was disconnected.
  #decide(kind) {
    this.#kind ??= kind;
    if (this.#kind === kind) return;
    const { DOMException } = require('internal/domexception');
    throw new DOMException(`PerformanceObserver can not change to ${kind}`, 'InvalidModificationError');
  }

  #want(type) {
    if (this.#types.has(type)) return;
    this.#types.add(type);
    if (type in observed) observed[type]++;
  }

  #forget() {
    for (const type of this.#types) if (type in observed) observed[type]--;
    this.#types.clear();
  }

  #leave() {
    observers.delete(this);
    waiting.delete(this);
    this.#buffer = [];
    this.#forget();
  }

  disconnect() {
    this.#leave();
    this.#kind = undefined;
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

// What the web platform has is enumerable there; what Node has beyond it is not.
finishClass(PerformanceEntry, ['name', 'entryType', 'startTime', 'duration', 'toJSON']);
finishClass(PerformanceResourceTiming, [
  'name', 'startTime', 'duration', 'initiatorType', ...resourceFacts.map(([name]) => name), 'transferSize', 'toJSON',
], 'PerformanceResourceTiming');
for (const Class of [PerformanceMark, PerformanceMeasure]) finishClass(Class, ['detail'], Class.name);
finishClass(Performance, [
  'clearMarks', 'clearMeasures', 'clearResourceTimings', 'getEntries', 'getEntriesByName', 'getEntriesByType', 'mark', 'measure',
  'now', 'setResourceTimingBufferSize', 'timeOrigin', 'toJSON',
], 'Performance');
finishClass(PerformanceObserverEntryList, ['getEntries', 'getEntriesByType', 'getEntriesByName'], 'PerformanceObserverEntryList');
finishClass(PerformanceObserver, ['observe', 'disconnect', 'takeRecords'], 'PerformanceObserver');

module.exports = {
  Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver, PerformanceObserverEntryList,
  PerformanceResourceTiming, announceEntry, markResource,
  /// The same of a worker's loop; there is none of -1.
  utilizationOf: (worker, util1, util2) => (worker === -1 ? utilization({ start: -1 }) : utilization(turningOf(worker), util1, util2)),
  get performance() {
    present ??= new Performance(kMake);
    return present;
  },
};
