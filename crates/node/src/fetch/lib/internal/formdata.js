// FormData: the fields of a form, texts and files, in their order.
'use strict';

const { File, isBlob } = require('internal/blob');
const { LONG, LongPairs } = require('internal/long_pairs');
const { finishClass, illegalInvocation, iterable, requireArguments } = require('internal/fetch/webidl');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

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
  // All entries instead, once one of many was looked for.
  #many = undefined;

  constructor(form) {
    if (form !== undefined) throw new TypeError('FormData constructor: Argument 1 could not be converted to: undefined.');
  }

  static #check(self) {
    if (self === null || typeof self !== 'object' || !(#entries in self)) throw illegalInvocation();
  }

  /// The entries by name, if there are many.
  #index() {
    if (this.#many === undefined && this.#entries.length > LONG) {
      this.#many = new LongPairs();
      for (const [name, value] of this.#entries) this.#many.append(name, value);
      this.#entries = [];
    }
    return this.#many;
  }

  #append(entry) {
    if (this.#many === undefined) this.#entries.push(entry);
    else this.#many.append(entry[0], entry[1]);
  }

  /// The entry with that number; undefined beyond the end.
  #at(number) {
    if (this.#many === undefined) return this.#entries[number];
    const entry = this.#many.at(number);
    return entry === undefined ? undefined : [entry.name, entry.value];
  }

  append(name, value, filename = undefined) {
    FormData.#check(this);
    requireArguments(arguments.length, 2, 'FormData.append');
    this.#append([textOf(name), entryValue(value, 'append', arguments)]);
  }

  delete(name) {
    FormData.#check(this);
    requireArguments(arguments.length, 1, 'FormData.delete');
    const key = textOf(name);
    const many = this.#index();
    if (many === undefined) this.#entries = this.#entries.filter(([one]) => one !== key);
    else many.delete(key);
  }

  get(name) {
    FormData.#check(this);
    requireArguments(arguments.length, 1, 'FormData.get');
    const key = textOf(name);
    const many = this.#index();
    if (many !== undefined) return many.first(key)?.value ?? null;
    return this.#entries.find(([one]) => one === key)?.[1] ?? null;
  }

  getAll(name) {
    FormData.#check(this);
    requireArguments(arguments.length, 1, 'FormData.getAll');
    const key = textOf(name);
    const many = this.#index();
    if (many !== undefined) return many.all(key).map((entry) => entry.value);
    return this.#entries.filter(([one]) => one === key).map(({ 1: value }) => value);
  }

  has(name) {
    FormData.#check(this);
    requireArguments(arguments.length, 1, 'FormData.has');
    const key = textOf(name);
    const many = this.#index();
    return many === undefined ? this.#entries.some(([one]) => one === key) : many.first(key) !== undefined;
  }

  /// Puts the value where the first of that name is, and takes the others out.
  set(name, value, filename = undefined) {
    FormData.#check(this);
    requireArguments(arguments.length, 2, 'FormData.set');
    const entry = [textOf(name), entryValue(value, 'set', arguments)];
    const many = this.#index();
    const isThere = many === undefined ? this.#setInList(entry) : many.set(entry[0], entry[1]);
    if (!isThere) this.#append(entry);
  }

  #setInList(entry) {
    const at = this.#entries.findIndex(([one]) => one === entry[0]);
    if (at < 0) return false;
    this.#entries = this.#entries.filter(([one], i) => i <= at || one !== entry[0]);
    this.#entries[at] = entry;
    return true;
  }

  [kInspect](depth, options) {
    const shown = { __proto__: null };
    for (let number = 0, entry; (entry = this.#at(number)) !== undefined; number++) {
      const [name, value] = entry;
      if (!(name in shown)) shown[name] = value;
      else if (Array.isArray(shown[name])) shown[name].push(value);
      else shown[name] = [shown[name], value];
    }
    const { inspect } = require('internal/util/inspect');
    const inner = { ...options, depth: options.depth === null ? null : (options.depth ?? 2) };
    return `FormData ${inspect({ ...shown }, inner)}`;
  }

  static {
    iterable(FormData, 'FormData', (self, number) => {
      FormData.#check(self);
      return self.#at(number);
    });
  }
}

finishClass(FormData, ['append', 'delete', 'get', 'getAll', 'has', 'set']);

module.exports = { FormData };
