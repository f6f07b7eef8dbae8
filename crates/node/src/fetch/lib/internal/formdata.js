// FormData: the fields of a form, texts and files, in their order.
'use strict';

const { File, isBlob } = require('internal/blob');
const { FirstPlaces, LONG } = require('internal/first_places');
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
  // Of many entries, until one of them is taken out.
  #places = undefined;

  constructor(form) {
    if (form !== undefined) throw new TypeError('FormData constructor: Argument 1 could not be converted to: undefined.');
  }

  static #entriesOf(self) {
    if (self === null || typeof self !== 'object' || !(#entries in self)) throw illegalInvocation();
    return self.#entries;
  }

  /// Where the first entry of that name stands, or -1.
  #find(name) {
    const entries = this.#entries;
    if (entries.length <= LONG) return entries.findIndex(([one]) => one === name);
    return (this.#places ??= new FirstPlaces()).find(name, entries.length, (number) => entries[number][0]);
  }

  append(name, value, filename = undefined) {
    const entries = FormData.#entriesOf(this);
    requireArguments(arguments.length, 2, 'FormData.append');
    entries.push([textOf(name), entryValue(value, 'append', arguments)]);
  }

  delete(name) {
    FormData.#entriesOf(this);
    requireArguments(arguments.length, 1, 'FormData.delete');
    const key = textOf(name);
    this.#entries = this.#entries.filter(([one]) => one !== key);
    this.#places = undefined;
  }

  get(name) {
    const entries = FormData.#entriesOf(this);
    requireArguments(arguments.length, 1, 'FormData.get');
    const key = textOf(name);
    return entries[this.#find(key)]?.[1] ?? null;
  }

  getAll(name) {
    const entries = FormData.#entriesOf(this);
    requireArguments(arguments.length, 1, 'FormData.getAll');
    const key = textOf(name);
    return entries.filter(([one]) => one === key).map(({ 1: value }) => value);
  }

  has(name) {
    FormData.#entriesOf(this);
    requireArguments(arguments.length, 1, 'FormData.has');
    return this.#find(textOf(name)) >= 0;
  }

  /// Puts the value where the first of that name is, and takes the others out.
  set(name, value, filename = undefined) {
    const entries = FormData.#entriesOf(this);
    requireArguments(arguments.length, 2, 'FormData.set');
    const entry = [textOf(name), entryValue(value, 'set', arguments)];
    const at = this.#find(entry[0]);
    if (at < 0) {
      entries.push(entry);
      return;
    }
    if (this.#places?.isOnce(entry[0]) !== true) {
      this.#entries = entries.filter(([one], i) => i <= at || one !== entry[0]);
      this.#places = undefined;
    }
    this.#entries[at] = entry;
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

  static {
    iterable(FormData, 'FormData', (self) => FormData.#entriesOf(self));
  }
}

finishClass(FormData, ['append', 'delete', 'get', 'getAll', 'has', 'set']);

module.exports = { FormData };
