// The inspection of one value: what it is, what it is called, what it holds.
//
// From binding, optional: getProxyDetails(value), [target, handler] of a proxy, else undefined; nonIndexKeys(object,
// withSymbols), the enumerable own keys that are no indices.
//
// `ctx` carries the options and the state of one call of inspect: `indentationLvl`, the objects
// that are being shown (`seen`), those of them that were met again (`circular`), and the number of
// characters shown so far on each level (`budget`).

const { kindOf } = require('internal/util/kind');
const { quote, escapeSpecial, numberText, bigintText, getStringWidth } = require('internal/util/inspect/text');
const { layOut } = require('internal/util/inspect/layout');
const { className, constructorName, getPrefix, isBuiltinName } = require('internal/util/inspect/names');

const customInspect = Symbol.for('nodejs.util.inspect.custom');

// Beyond this many characters only the outlines of what is left are shown.
const maxTotal = 2 ** 27;

// Where a property stands: among an object's, in an array, or beside an array's elements.
const inObject = 0;
const inArray = 1;
const besideArray = 2;

function formatValue(ctx, value, depth, inTypedArray = false) {
  if (value === null) return ctx.stylize('null', 'null');
  if (typeof value !== 'object' && typeof value !== 'function') return formatPrimitive(ctx.stylize, value, ctx);

  const original = value;
  const proxy = binding.getProxyDetails?.(value);
  if (proxy !== undefined) {
    if (ctx.showProxy && proxy[0] !== null) return formatProxy(ctx, proxy, depth);
    value = innermostTarget(value);
    if (value === null) return ctx.stylize('<Revoked Proxy>', 'special');
  }
  if (ctx.customInspect) {
    const text = formatCustom(ctx, value, original, proxy !== undefined, depth);
    if (text !== undefined) return text;
  }
  if (ctx.seen.includes(value)) {
    ctx.circular ??= new Map();
    if (!ctx.circular.has(value)) ctx.circular.set(value, ctx.circular.size + 1);
    return ctx.stylize(`[Circular *${ctx.circular.get(value)}]`, 'special');
  }
  return formatObject(ctx, value, depth, inTypedArray);
}

/// The object behind proxies of proxies; null if one of them was revoked.
function innermostTarget(value) {
  for (;;) {
    const proxy = value === null ? undefined : binding.getProxyDetails(value);
    if (proxy === undefined) return value;
    value = proxy[0];
  }
}

function formatProxy(ctx, [target, handler], depth) {
  if (depth > ctx.depth && ctx.depth !== null) return ctx.stylize('Proxy [Array]', 'special');
  depth++;
  ctx.indentationLvl += 2;
  const output = [formatValue(ctx, target, depth), formatValue(ctx, handler, depth)];
  ctx.indentationLvl -= 2;
  return layOut(ctx, output, '', ['Proxy [', ']'], true, depth);
}

/// What a value's own way of showing itself says; undefined if it has none or declines.
function formatCustom(ctx, value, original, isProxy, depth) {
  const show = value[customInspect];
  const { inspect } = require('internal/util/inspect');
  if (typeof show !== 'function' || show === inspect) return;
  // A prototype has the method but is no instance.
  if (value.constructor && value.constructor.prototype === value) return;
  const rest = ctx.depth === null ? null : ctx.depth - depth;
  const options = userOptions(ctx, isProxy || !(original instanceof Object));
  const shown = Reflect.apply(show, original, [rest, options, inspect]);
  if (shown === original) return;
  if (typeof shown !== 'string') return formatValue(ctx, shown, depth);
  return shown.replaceAll('\n', `\n${' '.repeat(ctx.indentationLvl)}`);
}

/// The options as a value's own method gets them, with those that are not ours.
function userOptions(ctx, isForeign) {
  const options = { stylize: ctx.stylize };
  for (const key of Object.keys(require('internal/util/inspect').inspectDefaultOptions)) options[key] = ctx[key];
  Object.assign(options, ctx.userOptions);
  if (isForeign) {
    // Code that we do not trust gets no way to our objects.
    Object.setPrototypeOf(options, null);
    for (const key of Object.keys(options)) {
      if (Object(options[key]) === options[key]) delete options[key];
    }
    const { stylize } = ctx;
    options.stylize = Object.setPrototypeOf((text, style) => {
      let styled;
      try {
        styled = `${stylize(text, style)}`;
      } catch {
        // The text without style is as good.
      }
      return typeof styled === 'string' ? styled : text;
    }, null);
  }
  return options;
}

function formatPrimitive(stylize, value, ctx) {
  switch (typeof value) {
    case 'string': return formatString(stylize, value, ctx);
    case 'number': return stylize(numberText(value, ctx.numericSeparator), 'number');
    case 'bigint': return stylize(bigintText(value, ctx.numericSeparator), 'bigint');
    case 'boolean': return stylize(`${value}`, 'boolean');
    case 'undefined': return stylize('undefined', 'undefined');
    default: return stylize(Symbol.prototype.toString.call(value), 'symbol');
  }
}

// A string is broken at its ends of lines if it is longer than this and than the rest of the line.
const minLengthInLines = 16;

function formatString(stylize, value, ctx) {
  const left = value.length - ctx.maxStringLength;
  if (left > 0) {
    const note = `... ${left} more character${left === 1 ? '' : 's'}`;
    return formatLines(stylize, value.slice(0, ctx.maxStringLength), ctx) + note;
  }
  return value.length <= minLengthInLines ? stylize(quote(value), 'string') : formatLines(stylize, value, ctx);
}

function formatLines(stylize, value, ctx) {
  const { length } = value;
  const fits = ctx.compact === true || length <= minLengthInLines || length + ctx.indentationLvl + 4 <= ctx.breakLength;
  if (fits) return stylize(quote(value), 'string');
  const lines = value.split(/(?<=\n)/).map((line) => stylize(quote(line), 'string'));
  return lines.join(` +\n${' '.repeat(ctx.indentationLvl + 2)}`);
}

/// The keys to list: own ones, symbols too, hidden ones only if asked for.
function keysOf(value, showHidden) {
  const symbols = Object.getOwnPropertySymbols(value);
  if (showHidden) return [...Object.getOwnPropertyNames(value), ...symbols];
  let keys;
  try {
    keys = Object.keys(value);
  } catch {
    // A namespace with bindings that are not initialised yet; all its keys are enumerable.
    keys = Object.getOwnPropertyNames(value);
  }
  return symbols.length === 0 ? keys : [...keys, ...symbols.filter((key) => isEnumerable(value, key))];
}

const isEnumerable = (value, key) => Object.prototype.propertyIsEnumerable.call(value, key);

/// The same without the elements of an array, which come first and may be many.
function extraKeysOf(value, showHidden) {
  // The largest indices are no indices to the engine.
  if (!showHidden && binding.nonIndexKeys) return binding.nonIndexKeys(value, true).filter((key) => !isIndex(key));
  const keys = keysOf(value, showHidden);
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isIndex(keys[middle])) low = middle + 1;
    else high = middle;
  }
  return keys.slice(low);
}

const isIndex = (key) => typeof key === 'string' && /^(?:0|[1-9]\d*)$/.test(key) && Number(key) <= 2 ** 32 - 2;

/// How to show an object of each kind. A rule is called with what `describe` collects and answers
/// either a string, which is then all, or nothing after having changed the description.
const rules = require('internal/util/inspect/kinds');

function formatObject(ctx, value, depth, inTypedArray) {
  const isTooDeep = depth > ctx.depth && ctx.depth !== null;
  const inherited = ctx.showHidden && !isTooDeep ? [] : undefined;
  const constructor = constructorName(ctx, value, depth,
    inherited && ((prototype) => addInherited(ctx, value, prototype, depth, inherited)));
  const it = {
    ctx, value, depth, constructor, inTypedArray, isTooDeep,
    tag: tagOf(ctx, value),
    kind: kindOf(value),
    keys: undefined,
    // Set by the rules: the text before the brace, the braces, and the list of what lies within.
    base: '',
    braces: ['{', '}'],
    contents: undefined,
    isArray: false,
    inherited: inherited?.length > 0 ? inherited : undefined,
  };
  const whole = rules.describe(it);
  if (whole !== undefined) return whole;

  if (isTooDeep) {
    const name = getPrefix(constructor, it.tag, className(value, it.tag)).slice(0, -1);
    return ctx.stylize(constructor === null ? name : `[${name}]`, 'special');
  }
  return formatContents(it, depth + 1);
}

/// The tag of an object, unless it is listed among its properties anyway.
function tagOf(ctx, value) {
  const tag = value[Symbol.toStringTag];
  if (typeof tag !== 'string' || tag === '') return '';
  const isListed = ctx.showHidden ? Object.hasOwn(value, Symbol.toStringTag) : isEnumerable(value, Symbol.toStringTag);
  return isListed ? '' : tag;
}

function formatContents(it, depth) {
  const { ctx, value, braces } = it;
  let { base } = it;
  ctx.seen.push(value);
  ctx.currentDepth = depth;
  let output;
  const { indentationLvl } = ctx;
  try {
    output = it.contents === undefined ? [] : it.contents(it, depth);
    for (const key of it.keys) output.push(formatProperty(ctx, value, depth, key, it.isArray ? besideArray : inObject));
    if (it.inherited !== undefined) output.push(...it.inherited);
  } catch (error) {
    if (!require('internal/errors').isStackOverflowError(error)) throw error;
    // Nested too deeply for the stack; what was found so far is shown.
    ctx.seen.pop();
    ctx.indentationLvl = indentationLvl;
    const name = getPrefix(it.constructor, it.tag, 'Object').slice(0, -1);
    return ctx.stylize(
      `[${name}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`, 'special');
  }
  const index = ctx.circular?.get(value);
  if (index !== undefined) {
    const reference = ctx.stylize(`<ref *${index}>`, 'special');
    if (ctx.compact === true) braces[0] = `${reference} ${braces[0]}`;
    else base = base === '' ? reference : `${reference} ${base}`;
  }
  ctx.seen.pop();
  if (ctx.sorted) sortEntries(output, it.keys.length, it.isArray, ctx.sorted === true ? undefined : ctx.sorted);

  const text = layOut(ctx, output, base, braces, it.isArray, depth, value);
  const total = (ctx.budget[ctx.indentationLvl] ?? 0) + text.length;
  ctx.budget[ctx.indentationLvl] = total;
  // Better an incomplete answer than none: a huge graph is shown in outline from here on.
  if (total > maxTotal) ctx.depth = -1;
  return text;
}

// An array keeps the order of its elements.
function sortEntries(output, keyCount, isArray, comparator) {
  if (!isArray) output.sort(comparator);
  else if (keyCount > 1) output.push(...output.splice(output.length - keyCount).sort(comparator));
}

/// The prototypes that belong to classes of the program, three at the most. `object` is where to begin;
/// the value itself stands for the prototype after it.
function* programPrototypes(main, object) {
  for (let level = 0; level < 3; level++) {
    if (level > 0 || object === main) {
      object = Object.getPrototypeOf(object);
      const constructor = object === null ? undefined : Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
      if (object === null || (typeof constructor === 'function' && isBuiltinName(constructor.name))) return;
    }
    yield object;
  }
}

/// Lists what an object inherits from classes of the program, functions aside.
function addInherited(ctx, main, object, depth, output) {
  const shadowed = new Set(['constructor', ...Reflect.ownKeys(main)]);
  for (const prototype of programPrototypes(main, object)) {
    const keys = Reflect.ownKeys(prototype).filter((key) => !shadowed.has(key));
    ctx.seen.push(main);
    for (const key of keys) {
      shadowed.add(key);
      const descriptor = Object.getOwnPropertyDescriptor(prototype, key);
      if (typeof descriptor.value === 'function') continue;
      const text = formatProperty(ctx, prototype, depth, key, inObject, descriptor, main);
      output.push(ctx.colors ? `\u001b[2m${text}\u001b[22m` : text);
    }
    ctx.seen.pop();
  }
}

function formatProperty(ctx, value, depth, key, place, descriptor, receiver = value) {
  descriptor ??= Object.getOwnPropertyDescriptor(value, key) ?? inheritedProperty(value, key);
  const hasValue = descriptor.value !== undefined;
  // Set compactly, a value that is too long for a line goes below its key.
  const isCompact = ctx.compact === true && place === inObject;
  const indentation = isCompact ? 3 : 2;
  const text = hasValue ? formatIndented(ctx, descriptor.value, depth, indentation)
    : formatAccessors(ctx, descriptor, receiver, depth);
  if (place === inArray) return text;
  const isBelow = isCompact && hasValue && getStringWidth(text, ctx.colors) > ctx.breakLength;
  const gap = isBelow ? `\n${' '.repeat(ctx.indentationLvl + indentation)}` : ' ';
  return `${formatKey(ctx, key, descriptor)}:${gap}${text}`;
}

function formatIndented(ctx, value, depth, indentation) {
  ctx.indentationLvl += indentation;
  const text = formatValue(ctx, value, depth);
  ctx.indentationLvl -= indentation;
  return text;
}

function formatAccessors(ctx, descriptor, receiver, depth) {
  if (descriptor.get !== undefined) return formatGetter(ctx, descriptor, receiver, depth);
  return descriptor.set === undefined ? ctx.stylize('undefined', 'undefined') : ctx.stylize('[Setter]', 'special');
}

/// A property that is listed with an object without being its own.
function inheritedProperty(value, key) {
  if (key === 'stack' && kindOf(value) === 'Error') {
    return { value: require('internal/util/inspect/errors').stackOf(value), configurable: true, enumerable: false };
  }
  return { value: value[key], configurable: true, enumerable: true };
}

function formatKey(ctx, key, descriptor) {
  if (typeof key === 'symbol') {
    return `[${ctx.stylize(escapeKey(Symbol.prototype.toString.call(key)), 'symbol')}]`;
  }
  if (key === '__proto__') return "['__proto__']";
  if (descriptor.enumerable === false) return `[${escapeKey(key)}]`;
  if (/^[a-zA-Z_][a-zA-Z_0-9]*$/.test(key)) return ctx.stylize(key, 'name');
  return ctx.stylize(quote(key), 'string');
}

const escapeKey = (text) => escapeSpecial(text).replaceAll("'", "\\'");

function formatGetter(ctx, { get, set }, receiver, depth) {
  const label = set !== undefined ? 'Getter/Setter' : 'Getter';
  const special = (text) => ctx.stylize(text, 'special');
  const isWanted = ctx.getters === true || ctx.getters === (set === undefined ? 'get' : 'set');
  if (!ctx.getters || !isWanted) return special(`[${label}]`);
  let text;
  try {
    const value = Reflect.apply(get, receiver, []);
    ctx.indentationLvl += 2;
    const shown = formatValue(ctx, value, depth);
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    text = isObject ? `${special(`[${label}]`)} ${shown}` : `${special(`[${label}:`)} ${shown}${special(']')}`;
    ctx.indentationLvl -= 2;
  } catch (error) {
    text = `${special(`[${label}:`)} <Inspection threw (${error.message})>${special(']')}`;
  }
  return text;
}

Object.assign(exports, {
  customInspect, formatValue, formatPrimitive, formatProperty, keysOf, extraKeysOf, inArray, inObject, isIndex,
});
