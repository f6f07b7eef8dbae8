// What lies between the braces: elements, entries, bytes, the state of a promise.
//
// From binding, all optional: getPromiseDetails(promise), [state, result] with state 0 pending,
// 1 fulfilled, 2 rejected; previewEntries(iterator or weak collection), [entries, isKeyValue], the
// entries that are left without taking them.
//
// Each function gets the description of the value (see `formatObject`) and the depth of what it
// holds, and answers a list of texts.

const values = require('internal/util/inspect/values');
const { layOut } = require('internal/util/inspect/layout');
const { numberText, bigintText } = require('internal/util/inspect/text');

const getter = (object, key) => Object.getOwnPropertyDescriptor(object, key).get;
const { apply } = Reflect;
const sizeOfSet = getter(Set.prototype, 'size');
const sizeOfMap = getter(Map.prototype, 'size');
const TypedArray = Object.getPrototypeOf(Uint8Array);
const lengthOfTypedArray = getter(TypedArray.prototype, 'length');
const setSize = (value) => apply(sizeOfSet, value, []);
const mapSize = (value) => apply(sizeOfMap, value, []);
const typedArrayLength = (value) => apply(lengthOfTypedArray, value, []);

const plural = (count, word) => `${count} ${word}${count > 1 ? 's' : ''}`;
const moreItems = (count) => `... ${count} more item${count > 1 ? 's' : ''}`;
const shownOf = (ctx, length) => Math.min(Math.max(0, ctx.maxArrayLength), length);

function array({ ctx, value }, depth) {
  const { length } = value;
  const limit = shownOf(ctx, length);
  const output = [];
  while (output.length < limit) {
    const i = output.length;
    const descriptor = Object.getOwnPropertyDescriptor(value, i);
    if (descriptor === undefined) return sparseArray(ctx, value, depth, limit, output);
    output.push(values.formatProperty(ctx, value, depth, i, values.inArray, descriptor));
  }
  if (length > limit) output.push(moreItems(length - limit));
  return output;
}

/// Goes on with an array in which a hole was found; a row of holes counts as one entry.
function sparseArray(ctx, value, depth, limit, output) {
  let next = output.length;
  const keys = Object.keys(value);
  for (let i = next; i < keys.length && output.length < limit; i++) {
    const key = keys[i];
    if (!values.isIndex(key)) break;
    const index = Number(key);
    if (index !== next) {
      output.push(ctx.stylize(`<${plural(index - next, 'empty item')}>`, 'undefined'));
      next = index;
      if (output.length === limit) break;
    }
    output.push(values.formatProperty(ctx, value, depth, key, values.inArray));
    next++;
  }
  const left = value.length - next;
  if (left > 0) {
    output.push(output.length === limit ? moreItems(left) : ctx.stylize(`<${plural(left, 'empty item')}>`, 'undefined'));
  }
  return output;
}

function typedArray({ ctx, value, kind, constructor }, depth) {
  const length = typedArrayLength(value);
  const limit = shownOf(ctx, length);
  const isBigint = kind.startsWith('Big');
  const output = [];
  for (let i = 0; i < limit; i++) {
    output.push(isBigint ?
      ctx.stylize(bigintText(value[i], ctx.numericSeparator), 'bigint') :
      ctx.stylize(numberText(value[i], ctx.numericSeparator), 'number'));
  }
  if (length > limit) output.push(moreItems(length - limit));
  if (ctx.showHidden) {
    // An array that lost its prototype no longer has these properties itself.
    const bound = constructor === null ? new globalThis[kind](value) : value;
    ctx.indentationLvl += 2;
    for (const key of ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer']) {
      output.push(`[${key}]: ${values.formatValue(ctx, bound[key], depth, true)}`);
    }
    ctx.indentationLvl -= 2;
  }
  return output;
}

function arrayBuffer({ ctx, value }) {
  let bytes;
  try {
    bytes = new Uint8Array(value);
  } catch {
    return [ctx.stylize('(detached)', 'special')];
  }
  const limit = shownOf(ctx, bytes.length);
  const shown = [];
  for (let i = 0; i < limit; i++) shown.push(`${bytes[i] < 16 ? '0' : ''}${bytes[i].toString(16)}`);
  const left = bytes.length - limit;
  const text = shown.join(' ') + (left > 0 ? ` ... ${left} more byte${left > 1 ? 's' : ''}` : '');
  return [`${ctx.stylize('[Uint8Contents]', 'special')}: <${text}>`];
}

/// The texts of as many entries as are to be shown, and a note about the others.
function entries(ctx, iterable, size, show, limit = shownOf(ctx, size)) {
  const output = [];
  ctx.indentationLvl += 2;
  for (const entry of iterable) {
    if (output.length >= limit) break;
    output.push(show(entry));
  }
  if (size > limit) output.push(moreItems(size - limit));
  ctx.indentationLvl -= 2;
  return output;
}

// What a class of the program iterates over is shown. An object that lost its class has nothing to
// iterate with; as in Node it is then shown whole.
function set({ ctx, value, constructor }, depth) {
  const show = (item) => values.formatValue(ctx, item, depth);
  if (constructor !== null) return entries(ctx, value, setSize(value), show);
  return entries(ctx, apply(Set.prototype.values, value, []), setSize(value), show, Infinity);
}

function map({ ctx, value, constructor }, depth) {
  const show = ({ 0: key, 1: item }) => `${values.formatValue(ctx, key, depth)} => ${values.formatValue(ctx, item, depth)}`;
  if (constructor !== null) return entries(ctx, value, mapSize(value), show);
  return entries(ctx, apply(Map.prototype.entries, value, []), mapSize(value), show, Infinity);
}

function pairs(flat) {
  const result = [];
  for (let i = 0; i < flat.length; i += 2) result.push([flat[i], flat[i + 1]]);
  return result;
}

function iterator(it, depth) {
  const { ctx, value } = it;
  const [preview, isKeyValue] = binding.previewEntries(value);
  if (!isKeyValue) {
    return entries(ctx, preview, preview.length, (item) => values.formatValue(ctx, item, depth));
  }
  it.braces[0] = it.braces[0].replace(/ Iterator\] \{$/, ' Entries] {');
  const list = pairs(preview);
  return entries(ctx, list, list.length, ([key, item]) => {
    const output = [values.formatValue(ctx, key, depth), values.formatValue(ctx, item, depth)];
    return layOut(ctx, output, '', ['[', ']'], true, depth);
  });
}

// What a weak collection holds depends on when memory was last collected, so it is shown only on
// request, and sorted, for there is no other order.
function weakCollection({ ctx, value, kind }, depth) {
  const preview = ctx.showHidden ? binding.previewEntries?.(value)?.[0] : undefined;
  if (preview === undefined) return [ctx.stylize('<items unknown>', 'special')];
  const show = (item) => values.formatValue(ctx, item, depth);
  const list = kind === 'WeakMap' ? pairs(preview) : preview;
  const limit = shownOf(ctx, list.length);
  const output = entries(ctx, list, 0, kind === 'WeakMap' ? ([key, item]) => `${show(key)} => ${show(item)}` : show, limit);
  if (!ctx.sorted) output.sort();
  if (list.length > limit) output.push(moreItems(list.length - limit));
  return output;
}

function promise({ ctx, value }, depth) {
  const [state, result] = binding.getPromiseDetails(value);
  if (state === 0) return [ctx.stylize('<pending>', 'special')];
  ctx.indentationLvl += 2;
  const text = values.formatValue(ctx, result, depth);
  ctx.indentationLvl -= 2;
  return [state === 2 ? `${ctx.stylize('<rejected>', 'special')} ${text}` : text];
}

/// The exports of a module; one that is not initialised yet cannot be read.
function namespace(it, depth) {
  const { ctx, value } = it;
  const output = it.keys.map((key) => {
    try {
      return values.formatProperty(ctx, value, depth, key, values.inObject);
    } catch {
      const name = values.formatProperty(ctx, { [key]: '' }, depth, key, values.inObject);
      return name.slice(0, name.lastIndexOf(' ') + 1) + ctx.stylize('<uninitialized>', 'special');
    }
  });
  it.keys = [];
  return output;
}

function regexpText(value, hasLostClass) {
  return apply(RegExp.prototype.toString, hasLostClass ? new RegExp(value) : value, []);
}

function dateText(value) {
  const isInvalid = Number.isNaN(apply(Date.prototype.getTime, value, []));
  return apply(isInvalid ? Date.prototype.toString : Date.prototype.toISOString, value, []);
}

module.exports = {
  array, typedArray, arrayBuffer, set, map, iterator, weakCollection, promise, namespace, regexpText, dateText,
  setSize, mapSize, typedArrayLength,
};
