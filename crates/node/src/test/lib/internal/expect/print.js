// Values as text, in the form that jest's snapshots and messages have.
'use strict';

const { toString } = Object.prototype;
const DEFAULTS = {
  __proto__: null,
  escapeString: true,
  indent: 2,
  maxDepth: Infinity,
  maxWidth: Infinity,
  min: false,
  plugins: [],
  printBasicPrototype: true,
  printFunctionName: true,
  sortKeys: true,
};

const ARRAYS = new Set([
  'Array', 'ArrayBuffer', 'BigInt64Array', 'BigUint64Array', 'DataView', 'Float32Array', 'Float64Array', 'Int8Array', 'Int16Array',
  'Int32Array', 'Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array',
]);

const tagOf = (value) => toString.call(value).slice('[object '.length, -1);

function nameOf(value) {
  return (typeof value.constructor === 'function' && value.constructor.name) || 'Object';
}

function quoted(text, config) {
  return config.escapeString ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

function functionText(value, config) {
  return config.printFunctionName ? `[Function ${value.name || 'anonymous'}]` : '[Function]';
}

const errorText = (value) => `[${Error.prototype.toString.call(value)}]`;

// What takes one line whatever its options; undefined for everything else.
function simple(value, config) {
  switch (typeof value) {
    case 'undefined':
    case 'boolean':
      return `${value}`;
    case 'number':
      return Object.is(value, -0) ? '-0' : `${value}`;
    case 'bigint':
      return `${value}n`;
    case 'string':
      return quoted(value, config);
    case 'function':
      return functionText(value, config);
    case 'symbol':
      return value.toString();
    default:
  }
  if (value === null) return 'null';
  switch (tagOf(value)) {
    case 'WeakMap':
      return 'WeakMap {}';
    case 'WeakSet':
      return 'WeakSet {}';
    case 'Function':
    case 'GeneratorFunction':
    case 'AsyncFunction':
      return functionText(value, config);
    case 'Symbol':
      return Symbol.prototype.toString.call(value);
    case 'Date':
      return Number.isNaN(+value) ? 'Date { NaN }' : Date.prototype.toISOString.call(value);
    case 'Error':
      return errorText(value);
    case 'RegExp': {
      const text = RegExp.prototype.toString.call(value);
      return config.escapeRegex ? text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&') : text;
    }
    default:
      return value instanceof Error ? errorText(value) : undefined;
  }
}

class Printer {
  constructor(options) {
    this.config = { ...DEFAULTS, ...options };
    if (this.config.min) this.config.indent = 0;
    this.outer = this.config.min ? '' : '\n';
    this.inner = this.config.min ? ' ' : '\n';
    this.space = ' '.repeat(this.config.indent);
    this.print = (value, indentation = '', depth = 0, refs = []) => this.any(value, indentation, depth, refs);
  }

  any(value, indentation, depth, refs, isConverted = false) {
    for (const plugin of this.config.plugins) {
      if (value === null || value === undefined || !plugin.test(value)) continue;
      return this.plugin(plugin, value, indentation, depth, refs);
    }
    return simple(value, this.config) ?? this.complex(value, indentation, depth, refs, isConverted);
  }

  // Somebody's serializer, in either of the two forms that jest takes.
  plugin(plugin, value, indentation, depth, refs) {
    const { config } = this;
    const print = (inner, indent = indentation, deeper = depth, seen = refs) => this.any(inner, indent, deeper, seen);
    if (typeof plugin.serialize === 'function') {
      return plugin.serialize(
        value, this.shown(), indentation, depth, refs, (inner, _, indent, deeper, seen) => print(inner, indent, deeper, seen));
    }
    const indentLines = (text) => {
      const space = indentation + this.space;
      return space + text.replace(/\n/g, `\n${space}`);
    };
    return plugin.print(
      value, (inner) => print(inner), indentLines,
      { edgeSpacing: this.outer, min: config.min, spacing: this.inner }, { comment: {}, content: {}, prop: {}, tag: {}, value: {} });
  }

  // The options as serializers see them.
  shown() {
    return { ...this.config, indent: this.space, spacingInner: this.inner, spacingOuter: this.outer, colors: {} };
  }

  complex(value, indentation, depth, refs, isConverted) {
    if (refs.includes(value)) return '[Circular]';
    const seen = [...refs, value];
    const tooDeep = ++depth > this.config.maxDepth;
    if (!isConverted && !tooDeep && typeof value.toJSON === 'function') {
      return this.any(value.toJSON(), indentation, depth, seen, true);
    }
    const tag = tagOf(value);
    const { min, printBasicPrototype } = this.config;
    const named = (name, basic) => (min || (!printBasicPrototype && name === basic) ? '' : `${name} `);
    if (tag === 'Arguments') return tooDeep ? '[Arguments]' : `${named('Arguments')}[${this.list(value, indentation, depth, seen)}]`;
    if (ARRAYS.has(tag)) {
      const name = nameOf(value);
      return tooDeep ? `[${name}]` : `${named(name, 'Array')}[${this.list(value, indentation, depth, seen)}]`;
    }
    if (tag === 'Map') return tooDeep ? '[Map]' : `Map {${this.entries(value, indentation, depth, seen)}}`;
    if (tag === 'Set') return tooDeep ? '[Set]' : `Set {${this.values(value, indentation, depth, seen)}}`;
    const name = nameOf(value);
    return tooDeep ? `[${name}]` : `${named(name, 'Object')}{${this.properties(value, indentation, depth, seen)}}`;
  }

  // Lines between brackets, from one text for each.
  between(count, indentation, lineOf) {
    if (count === 0) return '';
    const deeper = indentation + this.space;
    let text = this.outer;
    for (let at = 0; at < count; at++) {
      text += deeper;
      if (at === this.config.maxWidth) {
        text += '…';
        break;
      }
      text += lineOf(at, deeper);
      if (at < count - 1) text += `,${this.inner}`;
      else if (!this.config.min) text += ',';
    }
    return text + this.outer + indentation;
  }

  list(list, indentation, depth, refs) {
    const length = list.length ?? 0;
    return this.between(length, indentation, (at, deeper) => (at in list ? this.any(list[at], deeper, depth, refs) : ''));
  }

  values(iterable, indentation, depth, refs) {
    const all = [...iterable];
    return this.between(all.length, indentation, (at, deeper) => this.any(all[at], deeper, depth, refs));
  }

  entries(map, indentation, depth, refs) {
    const all = [...map];
    return this.between(all.length, indentation, (at, deeper) =>
      all[at].map((part) => this.any(part, deeper, depth, refs)).join(' => '));
  }

  properties(object, indentation, depth, refs) {
    const names = Object.keys(object);
    const keys = [
      ...(this.config.sortKeys ? names.sort() : names),
      ...Object.getOwnPropertySymbols(object).filter((key) => Object.getOwnPropertyDescriptor(object, key).enumerable),
    ];
    return this.between(keys.length, indentation, (at, deeper) =>
      `${this.any(keys[at], deeper, depth, refs)}: ${this.any(object[keys[at]], deeper, depth, refs)}`);
  }
}

// Matchers that stand for many values, by their names.
const asymmetric = {
  test: (value) => value?.$$typeof === Symbol.for('jest.asymmetricMatcher'),
  serialize(value, config, indentation, depth, refs, print) {
    const name = value.toString();
    const parts = (open, close, sample, text) => {
      if (++depth > config.maxDepth) return `[${name}]`;
      return `${name} ${open}${text(sample)}${close}`;
    };
    const printer = new Printer({ ...config, indent: config.indent.length });
    if (/^(Array|ArrayNot|NotArray)(Containing|Of)$|^ArrayNotContaining$/.test(name)) {
      return parts('[', ']', value.sample, (sample) => printer.list(sample, indentation, depth, refs));
    }
    if (/^Object(Not)?Containing$/.test(name)) {
      return parts('{', '}', value.sample, (sample) => printer.properties(sample, indentation, depth, refs));
    }
    if (/^String(Not)?(Containing|Matching)$/.test(name)) return `${name} ${print(value.sample, config, indentation, depth, refs)}`;
    return typeof value.toAsymmetricMatcher === 'function' ? value.toAsymmetricMatcher() : name;
  },
};

// A mock function as a snapshot shows it.
const mockFunction = {
  test: (value) => typeof value === 'function' && value._isMockFunction === true,
  serialize(value, config, indentation, depth, refs, print) {
    const name = value.getMockName();
    const head = `[MockFunction${name === 'jest.fn()' || name === 'vi.fn()' ? '' : ` ${name}`}]`;
    const { calls, results } = value.mock;
    if (calls.length === 0) return head;
    const deeper = indentation + config.indent;
    const part = (key, list) => `${deeper}"${key}": ${print(list, config, deeper, depth, refs)}`;
    return `${head} {${config.spacingOuter}${part('calls', calls)},${config.spacingInner}${part('results', results)}` +
      `${config.min ? '' : ','}${config.spacingOuter}${indentation}}`;
  },
};

/// A value as text.
function format(value, options) {
  return new Printer(options).print(value);
}

/// A value on one line, as messages have it: not too deep, not too wide.
function stringify(value, maxDepth = 10, maxWidth = 10) {
  let text;
  try {
    text = format(value, { maxDepth, maxWidth, min: true, plugins: [asymmetric] });
  } catch {
    text = format(value, { maxDepth, maxWidth, min: true, plugins: [asymmetric, { test: (v) => typeof v.toJSON === 'function', serialize: () => '{}' }] });
  }
  if (text.length >= 10_000 && maxDepth > 1) return stringify(value, Math.floor(maxDepth / 2), maxWidth);
  if (text.length >= 10_000 && maxWidth > 1) return stringify(value, maxDepth, Math.floor(maxWidth / 2));
  return text;
}

module.exports = { asymmetric, format, mockFunction, stringify };
