// FormData: the fields of a form, texts and files, in their order.
'use strict';

const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { File, isBlob } = require('internal/blob');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

function requireArguments(name, given, wanted) {
  if (given >= wanted) return;
  const found = given === 0 ? '0 found' : `only ${given} found`;
  throw new TypeError(`FormData.${name}: ${wanted} argument${wanted === 1 ? '' : 's'} required, but ${found}.`);
}

const textOf = (value) => `${value}`.toWellFormed();

/// A blob becomes a file, with the name given for it.
function entryValue(value, method, args) {
  if (!isBlob(value)) {
    if (args.length >= 3) {
      throw new TypeError(`Failed to execute '${method}' on 'FormData': parameter 2 is not of type 'Blob'`);
    }
    return textOf(value);
  }
  if (value instanceof File && args.length < 3) return value;
  const name = args.length >= 3 ? textOf(args[2]) : value.name ?? 'blob';
  const { type, lastModified } = value;
  return new File([value], name, lastModified === undefined ? { type } : { type, lastModified });
}

class FormData {
  #entries = [];

  constructor(form = undefined) {
    if (form !== undefined) throw new TypeError('FormData constructor: Argument 1 could not be converted to: undefined.');
  }

  static #entriesOf(self) {
    if (self === null || typeof self !== 'object' || !(#entries in self)) {
      const error = new ERR_INVALID_THIS('FormData');
      Object.defineProperty(error, 'message', { value: 'Illegal invocation', writable: true, configurable: true });
      throw error;
    }
    return self.#entries;
  }

  append(name, value, filename = undefined) {
    const entries = FormData.#entriesOf(this);
    requireArguments('append', arguments.length, 2);
    entries.push([textOf(name), entryValue(value, 'append', arguments)]);
  }

  delete(name) {
    FormData.#entriesOf(this);
    requireArguments('delete', arguments.length, 1);
    const key = textOf(name);
    this.#entries = this.#entries.filter(([one]) => one !== key);
  }

  get(name) {
    const entries = FormData.#entriesOf(this);
    requireArguments('get', arguments.length, 1);
    const key = textOf(name);
    return entries.find(([one]) => one === key)?.[1] ?? null;
  }

  getAll(name) {
    const entries = FormData.#entriesOf(this);
    requireArguments('getAll', arguments.length, 1);
    const key = textOf(name);
    return entries.filter(([one]) => one === key).map(([, value]) => value);
  }

  has(name) {
    const entries = FormData.#entriesOf(this);
    requireArguments('has', arguments.length, 1);
    const key = textOf(name);
    return entries.some(([one]) => one === key);
  }

  /// Puts the value where the first of that name is, and takes the others out.
  set(name, value, filename = undefined) {
    const entries = FormData.#entriesOf(this);
    requireArguments('set', arguments.length, 2);
    const entry = [textOf(name), entryValue(value, 'set', arguments)];
    const at = entries.findIndex(([one]) => one === entry[0]);
    if (at < 0) {
      entries.push(entry);
      return;
    }
    this.#entries = entries.filter(([one], i) => i <= at || one !== entry[0]);
    this.#entries[at] = entry;
  }

  keys() {
    FormData.#entriesOf(this);
    return iterate(() => this.#entries, ([name]) => name);
  }

  values() {
    FormData.#entriesOf(this);
    return iterate(() => this.#entries, ([, value]) => value);
  }

  entries() {
    FormData.#entriesOf(this);
    return iterate(() => this.#entries, ([name, value]) => [name, value]);
  }

  forEach(callback, thisArg = undefined) {
    FormData.#entriesOf(this);
    requireArguments('forEach', arguments.length, 1);
    if (typeof callback !== 'function') {
      throw new TypeError("Failed to execute 'forEach' on 'FormData': parameter 1 is not of type 'Function'.");
    }
    for (const [name, value] of this) Reflect.apply(callback, thisArg, [value, name, this]);
  }

  [kInspect](depth, options) {
    const shown = { __proto__: null };
    for (const [name, value] of this.#entries) {
      if (!(name in shown)) shown[name] = value;
      else if (Array.isArray(shown[name])) shown[name].push(value);
      else shown[name] = [shown[name], value];
    }
    const { inspect } = require('internal/util/inspect');
    const inner = { ...options, depth: options.depth === null ? null : (options.depth ?? 2) };
    return `FormData ${inspect({ ...shown }, inner)}`;
  }
}

const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const FormDataIteratorPrototype = Object.create(IteratorPrototype, {
  next: {
    value: function next() {
      return this[kNext]();
    },
    writable: true, configurable: true, enumerable: true,
  },
  [Symbol.toStringTag]: { value: 'FormData Iterator', configurable: true },
});
const kNext = Symbol('kNext');

// What changes on the way is seen.
function iterate(entries, pick) {
  let at = 0;
  return Object.create(FormDataIteratorPrototype, {
    [kNext]: {
      value() {
        const all = entries();
        if (at >= all.length) return { value: undefined, done: true };
        return { value: pick(all[at++]), done: false };
      },
    },
  });
}

for (const name of ['append', 'delete', 'get', 'getAll', 'has', 'set', 'keys', 'values', 'entries', 'forEach']) {
  Object.defineProperty(FormData.prototype, name, { enumerable: true });
}
Object.defineProperty(FormData.prototype, Symbol.iterator, {
  value: FormData.prototype.entries, writable: true, configurable: true, enumerable: false,
});
Object.defineProperty(FormData.prototype, Symbol.toStringTag, { value: 'FormData', configurable: true });

module.exports = { FormData };
