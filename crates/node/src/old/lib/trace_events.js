// node:trace_events, as far as programs ask which categories are on. Nothing is written here: `--trace FILE` does that.
'use strict';

const { codes: { ERR_TRACE_EVENTS_CATEGORY_REQUIRED } } = require('internal/errors');
const { validateObject, validateStringArray } = require('internal/validators');

// Those that are on; of each object once.
const enabled = new Set();

class Tracing {
  #categories;
  #isEnabled = false;

  constructor(categories) {
    this.#categories = [...categories];
  }

  enable() {
    this.#isEnabled = true;
    enabled.add(this);
  }

  disable() {
    this.#isEnabled = false;
    enabled.delete(this);
  }

  get enabled() {
    return this.#isEnabled;
  }

  get categories() {
    return this.#categories.join(',');
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    return `Tracing ${require('util').inspect({ enabled: this.enabled, categories: this.categories }, options)}`;
  }
}

exports.createTracing = function createTracing(options) {
  validateObject(options, 'options');
  validateStringArray(options.categories, 'options.categories');
  if (options.categories.length <= 0) throw new ERR_TRACE_EVENTS_CATEGORY_REQUIRED();
  return new Tracing(options.categories);
};

exports.getEnabledCategories = function getEnabledCategories() {
  const all = new Set([...enabled].flatMap((tracing) => tracing.categories.split(',')));
  return all.size > 0 ? [...all].sort().join(',') : undefined;
};
