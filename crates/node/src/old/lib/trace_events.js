// node:trace_events, as far as programs ask which categories are on. Nothing is written here: `--trace FILE` does that.
'use strict';

const { codes: { ERR_TRACE_EVENTS_CATEGORY_REQUIRED } } = require('internal/errors');
const { validateObject, validateStringArray } = require('internal/validators');

// The objects that are on, each with the categories that it was made for.
const on = new Map();

class Tracing {
  #wanted;

  constructor(wanted) {
    this.#wanted = wanted;
  }

  get categories() {
    return `${this.#wanted}`;
  }

  get enabled() {
    return on.has(this);
  }

  enable() {
    on.set(this, this.#wanted);
  }

  disable() {
    on.delete(this);
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    const { enabled, categories } = this;
    return depth < 0 ? this : `Tracing ${require('util').inspect({ enabled, categories }, options)}`;
  }
}

/// A list of its own of what is asked for, if that is something.
function wantedIn(options) {
  validateObject(options, 'options');
  const { categories } = options;
  validateStringArray(categories, 'options.categories');
  if (categories.length > 0) return categories.slice();
  throw new ERR_TRACE_EVENTS_CATEGORY_REQUIRED();
}

module.exports = {
  createTracing: function createTracing(options) { return new Tracing(wantedIn(options)); },
  getEnabledCategories: function getEnabledCategories() {
    if (on.size === 0) return undefined;
    const names = [...on.values()].flatMap((wanted) => `${wanted}`.split(','));
    return `${[...new Set(names)].sort()}`;
  },
};
