// Histograms of perf_hooks: counts of values in classes whose width grows with the value, so that some digits of every
// value are kept.
// Uses binding.now.
'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateInteger, validateNumber, validateObject } = require('internal/validators');
const { kClone } = require('internal/transfer');

const customInspect = Symbol.for('nodejs.util.inspect.custom');
const made = Symbol('made by the library');
// What an empty histogram has for its smallest value.
const NONE = 2n ** 63n - 1n;
const { MAX_SAFE_INTEGER } = Number;
// What is given to the program is its own.
const MapOfProgram = Map;

// What a histogram counts, and how.
function data({ lowest = 1, highest = MAX_SAFE_INTEGER, figures = 3 } = {}) {
  const unit = Math.floor(Math.log2(Number(lowest)));
  // So many bits of a value are kept.
  const digits = Math.ceil(Math.log2(2 * 10 ** figures));
  let end = 2 ** (digits + unit);
  while (end <= Number(highest)) end *= 2;
  return { counts: new Map(), count: 0, exceeds: 0, unit, digits, end };
}

class Histogram {
  // A clone has the same.
  #data;

  constructor(key, data) {
    if (key !== made) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#data = data;
  }

  [kClone]() {
    return new (this instanceof RecordableHistogram ? RecordableHistogram : Histogram)(made, this.#data);
  }

  // The class of a value, by its smallest, and its width.
  #classOf(value) {
    const width = 2 ** Math.max(this.#data.unit, Math.floor(Math.log2(value)) - this.#data.digits + 1);
    return [Math.floor(value / width) * width, width];
  }

  static _record(histogram, value, times = 1) {
    if (value >= histogram.#data.end) {
      histogram.#data.exceeds += times;
      return;
    }
    const [low] = histogram.#classOf(value);
    histogram.#data.counts.set(low, (histogram.#data.counts.get(low) ?? 0) + times);
    histogram.#data.count += times;
  }

  static _add(histogram, other) {
    for (const [value, times] of other.#data.counts) Histogram._record(histogram, value, times);
    histogram.#data.exceeds += other.#data.exceeds;
  }

  #sorted() {
    return [...this.#data.counts].sort(([a], [b]) => a - b);
  }

  get count() { return this.#data.count; }
  get countBigInt() { return BigInt(this.#data.count); }

  get min() { return this.#data.count === 0 ? Number(NONE) : this.#sorted()[0][0]; }
  get minBigInt() { return this.#data.count === 0 ? NONE : BigInt(this.min); }

  get max() {
    if (this.#data.count === 0) return 0;
    const [low, width] = this.#classOf(this.#sorted().at(-1)[0]);
    return low + width - 1;
  }
  get maxBigInt() { return BigInt(this.max); }

  // The middle of its class stands for a value.
  #middles() {
    return this.#sorted().map(([low, times]) => {
      const [, width] = this.#classOf(low);
      return [low + Math.floor(width / 2), times];
    });
  }

  get mean() {
    return this.#middles().reduce((sum, [value, times]) => sum + value * times, 0) / this.#data.count;
  }

  get exceeds() { return this.#data.exceeds; }
  get exceedsBigInt() { return BigInt(this.#data.exceeds); }

  get stddev() {
    const { mean } = this;
    return Math.sqrt(this.#middles().reduce((sum, [value, times]) => sum + (value - mean) ** 2 * times, 0) / this.#data.count);
  }

  percentile(percentile) {
    validateNumber(percentile, 'percentile');
    if (!(percentile > 0 && percentile <= 100)) throw new ERR_OUT_OF_RANGE('percentile', '> 0 && <= 100', percentile);
    let rest = Math.max(Math.trunc(percentile / 100 * this.#data.count + 0.5), 1);
    for (const [low, times] of this.#sorted()) {
      rest -= times;
      if (rest <= 0) return low + this.#classOf(low)[1] - 1;
    }
    return 0;
  }

  percentileBigInt(percentile) {
    return BigInt(this.percentile(percentile));
  }

  // Half of the values, half of the rest, and so on, until all of them are told.
  get percentiles() {
    const told = new MapOfProgram();
    let [percentile, sum] = [0, 0];
    for (const [low, times] of this.#sorted()) {
      sum += times;
      const reached = 100 * sum / this.#data.count;
      while (percentile <= reached && percentile < 100) {
        told.set(percentile, low);
        if (sum === this.#data.count) break;
        percentile += (100 - percentile) / 2;
      }
    }
    return told.set(100, this.#sorted().at(-1)?.[0] ?? 0);
  }

  get percentilesBigInt() {
    return new MapOfProgram([...this.percentiles].map(([percentile, value]) => [percentile, BigInt(value)]));
  }

  reset() {
    this.#data.counts.clear();
    this.#data.count = 0;
    this.#data.exceeds = 0;
  }

  toJSON() {
    const { count, min, max, mean, exceeds, stddev } = this;
    return { count, min, max, mean, exceeds, stddev, percentiles: Object.fromEntries(this.percentiles) };
  }

  [customInspect](depth, options) {
    if (depth < 0) return `[${this.constructor.name}]`;
    const { min, max, mean, exceeds, stddev, count, percentiles } = this;
    return `Histogram ${require('util').inspect({ min, max, mean, exceeds, stddev, count, percentiles }, options)}`;
  }
}

const nanoseconds = () => Math.round(binding.now() * 1e6);

class RecordableHistogram extends Histogram {
  #last;

  record(val) {
    if (typeof val === 'bigint') {
      Histogram._record(this, Number(val));
      return;
    }
    validateInteger(val, 'val', 1);
    Histogram._record(this, val);
  }

  recordDelta() {
    const now = nanoseconds();
    if (this.#last !== undefined && now > this.#last) Histogram._record(this, now - this.#last);
    this.#last = now;
  }

  add(other) {
    if (!(other instanceof RecordableHistogram)) throw new ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    Histogram._add(this, other);
  }
}

// How long turns of the loop take: a timer looks at the clock.
class ELDHistogram extends Histogram {
  #resolution;
  #timer;

  constructor(key, resolution) {
    super(key, data());
    this.#resolution = resolution;
  }

  enable() {
    if (this.#timer !== undefined) return false;
    let last = nanoseconds();
    this.#timer = require('internal/timers').setInterval(() => {
      const now = nanoseconds();
      if (now > last) Histogram._record(this, now - last);
      last = now;
    }, this.#resolution).unref();
    return true;
  }

  disable() {
    if (this.#timer === undefined) return false;
    require('internal/timers').clearInterval(this.#timer);
    this.#timer = undefined;
    return true;
  }
}

for (const name of ['_record', '_add']) Object.defineProperty(Histogram, name, { __proto__: null, enumerable: false });

exports.isRecordable = (value) => value instanceof RecordableHistogram;

exports.createHistogram = function createHistogram(options = {}) {
  validateObject(options, 'options');
  const { lowest = 1, highest = MAX_SAFE_INTEGER, figures = 3 } = options;
  if (typeof lowest !== 'bigint') validateInteger(lowest, 'options.lowest', 1);
  if (typeof highest !== 'bigint') validateInteger(highest, 'options.highest', 2 * Number(lowest));
  else if (highest < 2n * BigInt(lowest)) throw new ERR_INVALID_ARG_VALUE.RangeError('options.highest', highest);
  validateInteger(figures, 'options.figures', 1, 5);
  return new RecordableHistogram(made, data({ lowest, highest, figures }));
};

exports.monitorEventLoopDelay = function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  return new ELDHistogram(made, resolution);
};
