// node:sqlite, which Node has since version 22: databases of SQLite. Every call is a request, and is answered at once.
//
// From `binding`: perform.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
const { validateBoolean, validateInteger, validateObject, validateString } = require('internal/validators');

const BIG = 'big';
const kMake = Symbol('kMake');

/// Asks the world; what goes wrong is an error as Node's.
function ask(name, args) {
  try {
    return binding.perform(name, args);
  } catch (fault) {
    if (fault.code === 'ERR_SQLITE_ERROR') {
      throw Object.assign(new Error(fault.message), { code: fault.code, errcode: -fault.errno, errstr: fault.syscall });
    }
    if (fault.code === 'ERR_OUT_OF_RANGE') throw Object.assign(new RangeError(fault.message), { code: fault.code });
    if (fault.code === 'ERR_INVALID_STATE' || fault.code === 'EBADF') throw new ERR_INVALID_STATE(fault.message);
    if (fault.code === 'ERR_ACCESS_DENIED') {
      const { codes: { ERR_ACCESS_DENIED } } = require('internal/errors');
      throw new ERR_ACCESS_DENIED(fault.message, fault.syscall, fault.path);
    }
    throw Object.assign(new Error(fault.message), { code: fault.code });
  }
}

function pathOf(path) {
  const { isURL, fileURLToPath } = require('internal/url');
  const given = isURL(path) ? fileURLToPath(path) : path;
  const isText = typeof given === 'string' || require('internal/util/types').isUint8Array(given);
  const text = isText && typeof given !== 'string' ? require('buffer').Buffer.from(given).toString() : given;
  if (!isText || text.includes('\0')) {
    throw new ERR_INVALID_ARG_TYPE('path', ['string', 'Uint8Array', 'URL'], path);
  }
  return text;
}

/// A value as the world carries it.
function written(value, name) {
  switch (typeof value) {
    case 'number':
    case 'string': return value;
    case 'bigint':
      if (BigInt.asIntN(64, value) !== value) throw new ERR_INVALID_ARG_VALUE(name, value, 'is too large to be bound');
      return { [BIG]: String(value) };
    default:
  }
  if (value === null) return null;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  throw new ERR_INVALID_ARG_TYPE(name, ['number', 'bigint', 'string', 'null', 'Buffer', 'TypedArray', 'DataView'], value);
}

function read(value) {
  if (value === null || typeof value !== 'object') return value;
  return Object.hasOwn(value, BIG) ? BigInt(value[BIG]) : new Uint8Array(value);
}

const flag = (options, name, byDefault) => {
  const value = options[name];
  if (value === undefined) return byDefault;
  validateBoolean(value, `options.${name}`);
  return value;
};

class DatabaseSync {
  #path;
  #options;
  // The number of the database while it is open.
  #number;

  constructor(path, options = {}) {
    this.#path = pathOf(path);
    validateObject(options, 'options');
    if (options.timeout !== undefined) validateInteger(options.timeout, 'options.timeout', 0);
    this.#options = {
      readOnly: flag(options, 'readOnly', false),
      foreignKeys: flag(options, 'enableForeignKeyConstraints', true),
      doubleQuotedStrings: flag(options, 'enableDoubleQuotedStringLiterals', false),
      timeout: options.timeout ?? 0,
    };
    if (flag(options, 'allowExtension', false)) throw new ERR_METHOD_NOT_IMPLEMENTED('allowExtension');
    if (flag(options, 'open', true)) this.open();
  }

  /// The number of the database, for a call.
  #opened() {
    if (this.#number === undefined) throw new ERR_INVALID_STATE('database is not open');
    return this.#number;
  }

  get isOpen() {
    return this.#number !== undefined;
  }

  get isTransaction() {
    this.#opened();
    return ask('sql.query', [this.#number, 'SELECT 0', {}, [], {}]).isTransaction;
  }

  open() {
    if (this.#number !== undefined) throw new ERR_INVALID_STATE('database is already open');
    const isMemory = this.#path === ':memory:' || this.#path === '';
    this.#number = isMemory ? ask('sql.memory', [this.#options]) : ask('sql.open', [require('path').resolve(this.#path), this.#options]);
  }

  close() {
    ask('sql.close', [this.#opened()]);
    this.#number = undefined;
  }

  exec(sql) {
    const number = this.#opened();
    validateString(sql, 'sql');
    ask('sql.exec', [number, sql]);
  }

  prepare(sql) {
    const number = this.#opened();
    validateString(sql, 'sql');
    ask('sql.prepare', [number, sql]);
    return new StatementSync(kMake, sql, () => {
      if (this.#number !== number) throw new ERR_INVALID_STATE('statement has been finalized');
      return number;
    });
  }

  location(name = 'main') {
    this.#opened();
    validateString(name, 'dbName');
    return name !== 'main' || this.#path === ':memory:' || this.#path === '' ? null : require('path').resolve(this.#path);
  }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')]() {
    if (this.#number !== undefined) this.close();
  }
}

// What would need functions of the program within a statement, or code that is not JavaScript.
for (const name of ['aggregate', 'applyChangeset', 'createSession', 'enableLoadExtension', 'function', 'loadExtension']) {
  const method = { [name]() { throw new ERR_METHOD_NOT_IMPLEMENTED(`DatabaseSync.prototype.${name}()`); } }[name];
  Object.defineProperty(DatabaseSync.prototype, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value: method });
}

class StatementSync {
  #sql;
  #database;
  #expanded;
  #isBig = false;
  #isBare = true;
  #allowsUnknown = false;
  #givesArrays = false;

  constructor(key, sql, database) {
    if (key !== kMake) throw Object.assign(new TypeError('Illegal constructor'), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
    this.#sql = sql;
    this.#expanded = sql;
    this.#database = database;
  }

  #run(args, first) {
    const [head, ...rest] = args;
    const isNamed = head !== null && typeof head === 'object' && !ArrayBuffer.isView(head);
    const named = {};
    if (isNamed) for (const name of Object.keys(head)) named[name] = written(head[name], name);
    const given = (isNamed ? rest : args).map((value, at) => written(value, `${at + 1}`));
    const options = { bare: this.#isBare, unknown: this.#allowsUnknown, big: this.#isBig, first };
    const result = ask('sql.query', [this.#database(), this.#sql, named, given, options]);
    this.#expanded = result.sql ?? this.#sql;
    return result;
  }

  #row(columns, values) {
    if (this.#givesArrays) return values.map(read);
    const row = { __proto__: null };
    for (let at = 0; at < columns.length; at++) row[columns[at]] = read(values[at]);
    return row;
  }

  all(...parameters) {
    const { columns, rows } = this.#run(parameters, false);
    return rows.map((values) => this.#row(columns, values));
  }

  get(...parameters) {
    const { columns, rows } = this.#run(parameters, true);
    return rows.length === 0 ? undefined : this.#row(columns, rows[0]);
  }

  iterate(...parameters) {
    return this.all(...parameters).values();
  }

  run(...parameters) {
    const { changes, rowid } = this.#run(parameters, false);
    return { lastInsertRowid: read(rowid), changes: read(changes) };
  }

  get sourceSQL() {
    this.#database();
    return this.#sql;
  }

  get expandedSQL() {
    this.#database();
    return this.#expanded;
  }

  setReadBigInts(enabled) {
    this.#database();
    validateBoolean(enabled, 'readBigInts');
    this.#isBig = enabled;
  }

  setAllowBareNamedParameters(enabled) {
    this.#database();
    validateBoolean(enabled, 'allowBareNamedParameters');
    this.#isBare = enabled;
  }

  setAllowUnknownNamedParameters(enabled) {
    this.#database();
    validateBoolean(enabled, 'allowUnknownNamedParameters');
    this.#allowsUnknown = enabled;
  }

  setReturnArrays(enabled) {
    this.#database();
    validateBoolean(enabled, 'returnArrays');
    this.#givesArrays = enabled;
  }
}

module.exports = { DatabaseSync, StatementSync };
