// util.MIMEType and util.MIMEParams, after the WHATWG's MIME Sniffing standard.
'use strict';

const {
  codes: { ERR_INVALID_MIME_SYNTAX },
} = require('internal/errors');

const NOT_IN_TOKEN = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const NOT_IN_QUOTED = /[^\t\x20-~\x80-\xff]/;

function toAsciiLower(text) {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

// Of HTTP's white space only, which is less than that of `trim`.
const trimStart = (text) => text.replace(/^[\r\n\t ]+/, '');
const trimEnd = (text) => text.replace(/[\r\n\t ]+$/, '');

// The text up to a separator and the text after it; undefined instead if there is no separator.
function cut(text, separator) {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function checkToken(production, token, whole) {
  const wrong = token.search(NOT_IN_TOKEN);
  if (token === '' || wrong !== -1) throw new ERR_INVALID_MIME_SYNTAX(production, whole, wrong);
}

// Parameters as they stand behind a type. What is malformed is passed over, and the first of
// several parameters with one name counts.
function parseParameters(text) {
  const found = new Map();
  let rest = trimEnd(text);
  while (rest !== '') {
    rest = trimStart(rest);
    const nameEnd = rest.search(/[=;]|$/);
    const name = toAsciiLower(rest.slice(0, nameEnd));
    const separator = rest[nameEnd];
    rest = rest.slice(nameEnd + 1);
    if (separator === ';') continue;
    if (rest === '') break;
    let value;
    if (rest[0] === '"') {
      [value, rest] = readQuoted(rest.slice(1));
      // Here a semicolon should stand. Node passes over whatever it is, the standard up to the next
      // semicolon.
      rest = rest.slice(1);
    } else {
      const [raw, after = ''] = cut(rest, ';');
      value = trimEnd(raw);
      rest = after;
      if (value === '') continue;
    }
    if (name !== '' && !NOT_IN_TOKEN.test(name) && !NOT_IN_QUOTED.test(value) && !found.has(name)) {
      found.set(name, value);
    }
  }
  return found;
}

// The string up to the closing quote, or to the end where it is missing, and what follows.
function readQuoted(text) {
  const [quoted] = /^(?:\\[^]|[^"\\])*\\?/.exec(text);
  return [quoted.replace(/\\([^])/g, '$1'), text.slice(quoted.length + 1)];
}

class MIMEParams {
  #entries = new Map();

  // Parameters are parsed only as part of a type.
  static parsed(text) {
    const params = new MIMEParams();
    params.#entries = parseParameters(text);
    return params;
  }

  delete(name) {
    this.#entries.delete(`${name}`);
  }

  get(name) {
    return this.#entries.get(`${name}`) ?? null;
  }

  has(name) {
    return this.#entries.has(`${name}`);
  }

  set(name, value) {
    name = `${name}`;
    value = `${value}`;
    checkToken('parameter name', name, name);
    const wrong = value.search(NOT_IN_QUOTED);
    if (wrong !== -1) throw new ERR_INVALID_MIME_SYNTAX('parameter value', value, wrong);
    this.#entries.set(name, value);
  }

  * entries() {
    yield* this.#entries.entries();
  }

  * keys() {
    yield* this.#entries.keys();
  }

  * values() {
    yield* this.#entries.values();
  }

  toString() {
    return [...this.#entries].map(([name, value]) => `${name}=${quote(value)}`).join(';');
  }
}

function quote(value) {
  if (value !== '' && !NOT_IN_TOKEN.test(value)) return value;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

const parsed = MIMEParams.parsed;
delete MIMEParams.parsed;
for (const [key, method] of [[Symbol.iterator, 'entries'], ['toJSON', 'toString']]) {
  const value = MIMEParams.prototype[method];
  Object.defineProperty(MIMEParams.prototype, key, { value, writable: true, enumerable: false, configurable: true });
}

class MIMEType {
  #type;
  #subtype;
  #params;

  constructor(string) {
    string = `${string}`;
    const [type, behind] = cut(trimStart(string), '/');
    if (behind === undefined) throw new ERR_INVALID_MIME_SYNTAX('type', string, type.search(NOT_IN_TOKEN));
    checkToken('type', type, string);
    const [rawSubtype, parameters = ''] = cut(behind, ';');
    const subtype = trimEnd(rawSubtype);
    checkToken('subtype', subtype, string);
    this.#type = toAsciiLower(type);
    this.#subtype = toAsciiLower(subtype);
    this.#params = parsed(parameters);
  }

  // What `type` and `subtype` are set to is a token in any case of letters.
  static #word(kind, value) {
    const text = `${value}`;
    checkToken(kind, text, text);
    return toAsciiLower(text);
  }

  get type() {
    return this.#type;
  }

  set type(value) {
    this.#type = MIMEType.#word('type', value);
  }

  get subtype() {
    return this.#subtype;
  }

  set subtype(value) {
    this.#subtype = MIMEType.#word('subtype', value);
  }

  get essence() {
    return `${this.#type}/${this.#subtype}`;
  }

  get params() {
    return this.#params;
  }

  toString() {
    const parameters = this.#params.toString();
    return parameters === '' ? this.essence : `${this.essence};${parameters}`;
  }
}

Object.defineProperty(MIMEType.prototype, 'toJSON', {
  value: MIMEType.prototype.toString, writable: true, enumerable: false, configurable: true,
});

module.exports = { MIMEParams, MIMEType };
