// DOMException, the error of the web's interfaces.
//
// The engine has one of its own, which takes no `cause` and whose stack lacks a headline.
'use strict';

const { defineProperty } = Object;

// The names that had a number once, with the constant's name; of three only the constant is left.
const legacy = [
  ['IndexSizeError', 'INDEX_SIZE_ERR', 1],
  [undefined, 'DOMSTRING_SIZE_ERR', 2],
  ['HierarchyRequestError', 'HIERARCHY_REQUEST_ERR', 3],
  ['WrongDocumentError', 'WRONG_DOCUMENT_ERR', 4],
  ['InvalidCharacterError', 'INVALID_CHARACTER_ERR', 5],
  [undefined, 'NO_DATA_ALLOWED_ERR', 6],
  ['NoModificationAllowedError', 'NO_MODIFICATION_ALLOWED_ERR', 7],
  ['NotFoundError', 'NOT_FOUND_ERR', 8],
  ['NotSupportedError', 'NOT_SUPPORTED_ERR', 9],
  ['InUseAttributeError', 'INUSE_ATTRIBUTE_ERR', 10],
  ['InvalidStateError', 'INVALID_STATE_ERR', 11],
  ['SyntaxError', 'SYNTAX_ERR', 12],
  ['InvalidModificationError', 'INVALID_MODIFICATION_ERR', 13],
  ['NamespaceError', 'NAMESPACE_ERR', 14],
  ['InvalidAccessError', 'INVALID_ACCESS_ERR', 15],
  [undefined, 'VALIDATION_ERR', 16],
  ['TypeMismatchError', 'TYPE_MISMATCH_ERR', 17],
  ['SecurityError', 'SECURITY_ERR', 18],
  ['NetworkError', 'NETWORK_ERR', 19],
  ['AbortError', 'ABORT_ERR', 20],
  ['URLMismatchError', 'URL_MISMATCH_ERR', 21],
  ['QuotaExceededError', 'QUOTA_EXCEEDED_ERR', 22],
  ['TimeoutError', 'TIMEOUT_ERR', 23],
  ['InvalidNodeTypeError', 'INVALID_NODE_TYPE_ERR', 24],
  ['DataCloneError', 'DATA_CLONE_ERR', 25],
];

const codeOf = { __proto__: null };
for (const { 0: name, 2: code } of legacy) if (name !== undefined) codeOf[name] = code;

function hide(object, key, value) {
  defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

function throwInvalidThis() {
  const error = new TypeError('Value of "this" must be of DOMException');
  error.code = 'ERR_INVALID_THIS';
  throw error;
}

class DOMException {
  #name;
  #message;

  constructor(message = '', options = 'Error') {
    Error.captureStackTrace(this, DOMException);
    this.#message = `${message}`;
    if (options !== null && typeof options === 'object') {
      this.#name = `${options.name}`;
      if ('cause' in options) hide(this, 'cause', options.cause);
    } else {
      this.#name = `${options}`;
    }
    const { stack } = this;
    if (stack === undefined || typeof stack === 'string') {
      const frames = (stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
      const headline = this.#message ? `${this.#name}: ${this.#message}` : this.#name;
      hide(this, 'stack', [headline, ...frames].join('\n'));
    }
  }

  get name() {
    if (!(#name in Object(this))) throwInvalidThis();
    return this.#name;
  }

  get message() {
    if (!(#name in Object(this))) throwInvalidThis();
    return this.#message;
  }

  get code() {
    if (!(#name in Object(this))) throwInvalidThis();
    return codeOf[this.#name] ?? 0;
  }
}

Object.setPrototypeOf(DOMException.prototype, Error.prototype);
for (const key of ['name', 'message', 'code']) {
  defineProperty(DOMException.prototype, key, { __proto__: null, enumerable: true });
}
defineProperty(DOMException.prototype, Symbol.toStringTag, { __proto__: null, value: 'DOMException', configurable: true });
for (const [, constant, code] of legacy) {
  const property = { __proto__: null, value: code, enumerable: true };
  defineProperty(DOMException, constant, property);
  defineProperty(DOMException.prototype, constant, property);
}

module.exports = { DOMException };
