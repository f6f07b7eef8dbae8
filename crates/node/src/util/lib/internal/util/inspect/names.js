// What a value is called: the name of its class, and the words before its brace.

const { kindOf } = require('internal/util/kind');

// The language's own classes, whose prototypes are not listed with a value; those that Node counts,
// without its globals, and those that only this engine has.
const builtins = new Set((
  'Object Function Array Number Infinity NaN Boolean String Symbol Date Promise RegExp Error AggregateError EvalError ' +
  'RangeError ReferenceError SyntaxError TypeError URIError JSON Math Intl ArrayBuffer Uint8Array Int8Array Uint16Array ' +
  'Int16Array Uint32Array Int32Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView ' +
  'Map BigInt Set WeakMap WeakSet Proxy Reflect FinalizationRegistry WeakRef InternalError Float16Array Iterator'
).split(' '));
const isBuiltinName = (name) => builtins.has(name);

function isInstanceOf(value, constructor) {
  try {
    return value instanceof constructor;
  } catch {
    // It has a say in this itself.
    return false;
  }
}

/// The name of the class, as the nearest prototype that knows its constructor tells it; null if there
/// is no prototype. `onFound` is told where to begin when inherited properties are listed.
function constructorName(ctx, value, depth, onFound) {
  for (let object = value, first; object !== null; object = Object.getPrototypeOf(object)) {
    if (object !== value) first ??= object;
    const constructor = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
    if (typeof constructor !== 'function' || constructor.name === '' || !isInstanceOf(value, constructor)) continue;
    if (onFound !== undefined && (first !== object || !isBuiltinName(constructor.name))) onFound(first ?? value);
    return String(constructor.name);
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === null ? null : `${className(value)} <${prototypeText(ctx, prototype, depth, onFound)}>`;
}

/// What stands for the class of an object that has none: its prototype.
function prototypeText(ctx, prototype, depth, onFound) {
  if (ctx.depth !== null && depth > ctx.depth) return 'Complex prototype';
  const { inspect } = require('internal/util/inspect');
  return constructorName(ctx, prototype, depth + 1, onFound) ??
    inspect(prototype, { ...ctx, customInspect: false, depth: -1 });
}

/// What the object was made as, when its prototypes do not tell. `shownTag` is not told twice.
function className(value, shownTag = '') {
  const kind = kindOf(value);
  if (kind !== 'Object' && kind !== 'Module') return kind;
  const tag = value[Symbol.toStringTag];
  return typeof tag === 'string' && tag !== '' && tag !== shownTag ? tag : 'Object';
}

/// The words before a brace: 'Foo ', 'Map(2) ', 'Foo [tag] ', '[Object: null prototype] '.
function getPrefix(constructor, tag, fallback, size = '') {
  if (constructor === null) {
    const extra = tag !== '' && fallback !== tag ? `[${tag}] ` : '';
    return `[${fallback}${size}: null prototype] ${extra}`;
  }
  return tag !== '' && constructor !== tag ? `${constructor}${size} [${tag}] ` : `${constructor}${size} `;
}

const textOf = Function.prototype.toString;

function isClass(fn) {
  const text = Reflect.apply(textOf, fn, []);
  if (!text.startsWith('class') || !text.endsWith('}')) return false;
  const brace = text.indexOf('{');
  if (brace === -1) return false;
  // A method may be called `class`; its parameters stand before its brace.
  if (!text.slice(5, brace).includes('(')) return true;
  const withoutComments = text.slice(5).replace(/\/\/.*?\n|\/\*[^]*?\*\//g, '');
  return /^\s+[^(]*?\s*\{/.test(withoutComments) || /^\s+(?:\S+\s+)?extends\b/.test(withoutComments);
}

/// The words in brackets behind a function's name: a class of its own, and a tag that says something else.
function remarks(constructor, usual, tag, [open, close]) {
  const differs = constructor !== null && constructor !== usual;
  return (differs ? ` ${open}${constructor}${close}` : '') + (tag !== '' && tag !== constructor ? ` [${tag}]` : '');
}

function classBase(value, constructor, tag) {
  const name = (Object.hasOwn(value, 'name') && value.name) || '(anonymous)';
  const base = `class ${name}${remarks(constructor, 'Function', tag, '[]')}`;
  if (constructor === null) return `[${base} extends [null prototype]]`;
  const superName = Object.getPrototypeOf(value).name;
  return superName ? `[${base} extends ${superName}]` : `[${base}]`;
}

/// `[Function: name]`, `[AsyncFunction (anonymous)]`, `[class A extends B]`.
function functionBase(value, constructor, tag) {
  if (isClass(value)) return classBase(value, constructor, tag);
  const { isAsyncFunction, isGeneratorFunction } = require('internal/util/types');
  const kind = `${isAsyncFunction(value) ? 'Async' : ''}${isGeneratorFunction(value) ? 'Generator' : ''}Function`;
  const prototype = constructor === null ? ' (null prototype)' : '';
  const name = value.name === '' ? ' (anonymous)' : `: ${value.name}`;
  return `[${kind}${prototype}${name}]${remarks(constructor, kind, tag, ['', ''])}`;
}

module.exports = { className, constructorName, functionBase, getPrefix, isBuiltinName };
