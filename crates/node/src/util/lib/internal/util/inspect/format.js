// `util.format`: texts with placeholders.

const { numberText, bigintText } = require('internal/util/inspect/text');
const { isBuiltinName } = require('internal/util/inspect/names');

/// JSON, or a word instead of it if the value contains itself.
function json(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The engines word it differently; both name the circle.
    if (error?.name === 'TypeError' && /circular/i.test(error.message)) return '[Circular]';
    throw error;
  }
}

/// Whether a value becomes a string by a method of the language and not of the program.
function hasBuiltinToString(value) {
  for (let proxy; (proxy = binding.getProxyDetails?.(value)) !== undefined;) {
    if (proxy[0] === null) return true;
    value = proxy[0];
  }
  const key = typeof value[Symbol.toPrimitive] === 'function' ? Symbol.toPrimitive : 'toString';
  if (typeof value[key] !== 'function') return true;
  if (Object.hasOwn(value, key)) return false;
  let owner = value;
  do {
    owner = Object.getPrototypeOf(owner);
  } while (!Object.hasOwn(owner, key));
  const constructor = Object.getOwnPropertyDescriptor(owner, 'constructor')?.value;
  return typeof constructor === 'function' && isBuiltinName(constructor.name);
}

function asString(value, options, inspect) {
  if (typeof value === 'number') return numberText(value, options.numericSeparator);
  if (typeof value === 'bigint') return bigintText(value, options.numericSeparator);
  if (typeof value !== 'object' || value === null || !hasBuiltinToString(value)) return String(value);
  return inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
}

function asNumber(value, options, convert) {
  if (typeof value === 'bigint') return bigintText(value, options.numericSeparator);
  return numberText(typeof value === 'symbol' ? NaN : convert(value), options.numericSeparator);
}

/// The text for one placeholder, or undefined if the letter is none.
function fill(letter, value, options, inspect) {
  switch (letter) {
    case 's': return asString(value, options, inspect);
    case 'd': return asNumber(value, options, Number);
    case 'i': return asNumber(value, options, Number.parseInt);
    case 'f': return numberText(typeof value === 'symbol' ? NaN : Number.parseFloat(value), options.numericSeparator);
    case 'j': return json(value);
    case 'o': return inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 });
    case 'O': return inspect(value, options);
    case 'c': return '';
    default: return undefined;
  }
}

/// Puts arguments into the placeholders of the first one and those left over behind it.
function formatArguments(inspect, given, args) {
  const { numericSeparator } = inspect.defaultOptions;
  const options = numericSeparator ? { numericSeparator, ...given } : given;
  const first = args[0];
  let text = '';
  let used = 0;
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    let done = 0;
    for (let at = first.indexOf('%'); at !== -1 && at < first.length - 1; at = first.indexOf('%', at)) {
      const letter = first[at + 1];
      let filled;
      if (letter === '%') filled = '%';
      else if (used + 1 < args.length) filled = fill(letter, args[used + 1], options, inspect);
      if (filled === undefined && !(letter === 'j' && used + 1 < args.length)) {
        // Not a placeholder, or nothing left to put there: stands for itself.
        at += letter === '%' ? 1 : 2;
        continue;
      }
      if (letter !== '%') used++;
      text += first.slice(done, at) + filled;
      done = at += 2;
    }
    if (done > 0 || used > 0) {
      text += first.slice(done);
      used++;
    }
  }
  // Nothing was filled in: the first argument is one like the others.
  let separator = used > 0 ? ' ' : '';
  for (; used < args.length; used++) {
    text += separator + (typeof args[used] === 'string' ? args[used] : inspect(args[used], options));
    separator = ' ';
  }
  return text;
}

module.exports = { formatArguments };
