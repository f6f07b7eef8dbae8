// JSON in files: what is wrong with it, in V8's words.
'use strict';

exports.parse = function parse(text, name) {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    error.message = `${name}: ${exports.message(text.replace(/^\uFEFF/, '')) ?? error.message}`;
    throw error;
  }
};

const space = /[\t\n\r ]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Bad {
  constructor(message) {
    this.message = message;
  }
}

// What V8 says of a text that is no JSON; undefined if it finds nothing to say.
exports.message = function message(text) {
  const parser = new Parser(text);
  try {
    parser.value();
    parser.skip();
    if (parser.at < text.length) throw new Bad(`Unexpected non-whitespace character after JSON at position ${parser.at}`);
  } catch (error) {
    if (error instanceof Bad) return error.message;
  }
  return undefined;
};

class Parser {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  bad(what) {
    return new Bad(`${what} in JSON at position ${this.at}`);
  }

  unexpected() {
    const { text, at } = this;
    if (at >= text.length) return new Bad('Unexpected end of JSON input');
    const near = 10;
    const from = text.length > 40 ? Math.max(0, at - near) : 0;
    const to = text.length > 40 ? Math.min(text.length, at + near) : text.length;
    const shown = `${from > 0 ? '...' : ''}"${text.slice(from, to)}"${to < text.length ? '...' : ''}`;
    return new Bad(`Unexpected token '${text[at]}', ${shown} is not valid JSON`);
  }

  skip() {
    space.lastIndex = this.at;
    space.exec(this.text);
    this.at = space.lastIndex;
  }

  value() {
    this.skip();
    const { text } = this;
    switch (text[this.at]) {
      case '{': this.object(); break;
      case '[': this.array(); break;
      case '"': this.string(); break;
      case 't': this.word('true'); break;
      case 'f': this.word('false'); break;
      case 'n': this.word('null'); break;
      default: this.number();
    }
  }

  word(word) {
    for (const letter of word) {
      if (this.text[this.at] !== letter) throw this.unexpected();
      this.at += 1;
    }
  }

  number() {
    number.lastIndex = this.at;
    if (number.exec(this.text) === null) {
      if (this.text[this.at] === '-') {
        this.at += 1;
        throw this.bad('No number after minus sign');
      }
      throw this.unexpected();
    }
    this.at = number.lastIndex;
    const next = this.text[this.at];
    if (/^\d$/.test(next)) throw this.bad('Unexpected number');
    if (next === '.') {
      this.at += 1;
      throw this.bad('Unterminated fractional number');
    }
    if (next === 'e' || next === 'E') {
      this.at += /[+-]/.test(this.text[this.at + 1]) ? 2 : 1;
      throw this.bad('Exponent part is missing a number');
    }
  }

  string() {
    const { text } = this;
    for (this.at += 1; text[this.at] !== '"'; this.at += 1) {
      if (this.at >= text.length) throw new Bad(`Unterminated string in JSON at position ${this.at}`);
      if (text[this.at] < ' ') throw this.bad('Bad control character in string literal');
      if (text[this.at] === '\\') {
        this.at += 1;
        if (this.at >= text.length) throw this.unexpected();
        if (text[this.at] === 'u') {
          for (let digit = 0; digit < 4; digit += 1) {
            this.at += 1;
            if (!/[\da-fA-F]/.test(text[this.at] ?? '')) throw this.bad('Bad Unicode escape');
          }
        } else if (!/["\\/bfnrt]/.test(text[this.at] ?? '')) {
          throw this.bad('Bad escaped character');
        }
      }
    }
    this.at += 1;
  }

  array() {
    this.at += 1;
    this.skip();
    if (this.text[this.at] === ']') {
      this.at += 1;
      return;
    }
    for (;;) {
      this.value();
      this.skip();
      const next = this.text[this.at];
      if (next !== ',' && next !== ']') throw this.bad("Expected ',' or ']' after array element");
      this.at += 1;
      if (next === ']') return;
    }
  }

  object() {
    this.at += 1;
    this.skip();
    if (this.text[this.at] === '}') {
      this.at += 1;
      return;
    }
    let first = true;
    for (;;) {
      this.skip();
      if (this.text[this.at] !== '"') {
        throw this.bad(first ? "Expected property name or '}'" : 'Expected double-quoted property name');
      }
      first = false;
      this.string();
      this.skip();
      if (this.text[this.at] !== ':') throw this.bad("Expected ':' after property name");
      this.at += 1;
      this.value();
      this.skip();
      const next = this.text[this.at];
      if (next !== ',' && next !== '}') throw this.bad("Expected ',' or '}' after property value");
      this.at += 1;
      if (next === '}') return;
    }
  }
}
