// `util.inspect` and `util.format`.
//
// The parts: `values` shows one value, `kinds` knows the kinds of objects, `contents` what they
// hold, `names` what they are called, `layout` how that is put on lines, `text` quotes and measures.

const { formatValue, customInspect } = require('internal/util/inspect/values');
const { getStringWidth, stripTerminalSequences } = require('internal/util/inspect/text');

const inspectDefaultOptions = Object.seal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

/// Shows a value as text. The second argument may be options or, as of old, `showHidden`, with
/// `depth` and `colors` behind it.
function inspect(value, opts, depth = undefined, colors = undefined) {
  const ctx = {
    ...inspectDefaultOptions,
    budget: {}, indentationLvl: 0, seen: [], currentDepth: 0, stylize: withoutColour,
    circular: undefined, userOptions: undefined,
  };
  if (depth !== undefined) ctx.depth = depth;
  if (colors !== undefined) ctx.colors = colors;
  if (typeof opts === 'boolean') ctx.showHidden = opts;
  else if (opts) takeOptions(ctx, opts);

  if (ctx.colors) ctx.stylize = withColour;
  for (const limit of ['maxArrayLength', 'maxStringLength']) ctx[limit] ??= Infinity;
  return formatValue(ctx, value, 0);
}

function takeOptions(ctx, options) {
  for (const key of Object.keys(options)) {
    if (Object.hasOwn(inspectDefaultOptions, key) || key === 'stylize') ctx[key] = options[key];
    // Others are handed on to the methods that values show themselves with.
    else ctx.userOptions ??= options;
  }
}

function withoutColour(text) {
  return text;
}

function withColour(text, style) {
  const colour = inspect.colors[inspect.styles[style]];
  return colour === undefined ? text : `\u001b[${colour[0]}m${text}\u001b[${colour[1]}m`;
}

inspect.custom = customInspect;

Object.defineProperty(inspect, 'defaultOptions', {
  get() {
    return inspectDefaultOptions;
  },
  set(options) {
    require('internal/validators').validateObject(options, 'options');
    Object.assign(inspectDefaultOptions, options);
  },
});

const foreground = 39;
const background = 49;
inspect.colors = Object.assign({ __proto__: null }, {
  reset: [0, 0], bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], blink: [5, 25],
  inverse: [7, 27], hidden: [8, 28], strikethrough: [9, 29], doubleunderline: [21, 24],
  black: [30, foreground], red: [31, foreground], green: [32, foreground], yellow: [33, foreground],
  blue: [34, foreground], magenta: [35, foreground], cyan: [36, foreground], white: [37, foreground],
  bgBlack: [40, background], bgRed: [41, background], bgGreen: [42, background], bgYellow: [43, background],
  bgBlue: [44, background], bgMagenta: [45, background], bgCyan: [46, background], bgWhite: [47, background],
  framed: [51, 54], overlined: [53, 55],
  gray: [90, foreground], redBright: [91, foreground], greenBright: [92, foreground], yellowBright: [93, foreground],
  blueBright: [94, foreground], magentaBright: [95, foreground], cyanBright: [96, foreground], whiteBright: [97, foreground],
  bgGray: [100, background], bgRedBright: [101, background], bgGreenBright: [102, background],
  bgYellowBright: [103, background], bgBlueBright: [104, background], bgMagentaBright: [105, background],
  bgCyanBright: [106, background], bgWhiteBright: [107, background],
});

// Several names for one colour, of which only one is listed.
const aliases = {
  grey: 'gray', blackBright: 'gray', bgGrey: 'bgGray', bgBlackBright: 'bgGray', faint: 'dim', crossedout: 'strikethrough',
  strikeThrough: 'strikethrough', crossedOut: 'strikethrough', conceal: 'hidden', swapColors: 'inverse',
  swapcolors: 'inverse', doubleUnderline: 'doubleunderline',
};
const standFor = (name) => ({
  __proto__: null,
  configurable: true,
  get() { return this[name]; },
  set(value) { this[name] = value; },
});
for (const alias of Object.keys(aliases)) Object.defineProperty(inspect.colors, alias, standFor(aliases[alias]));

inspect.styles = Object.assign({ __proto__: null }, {
  special: 'cyan', number: 'yellow', bigint: 'yellow', boolean: 'yellow', undefined: 'grey', null: 'bold',
  string: 'green', symbol: 'green', date: 'magenta', regexp: 'red', module: 'underline',
});

function formatAll(options, args) {
  return require('internal/util/inspect/format').formatArguments(inspect, options, args);
}

function format(...args) {
  return formatAll({}, args);
}

function formatWithOptions(inspectOptions, ...args) {
  if (inspectOptions !== null && typeof inspectOptions === 'object') return formatAll(inspectOptions, args);
  const { codes } = require('internal/errors');
  throw new codes.ERR_INVALID_ARG_TYPE('inspectOptions', 'object', inspectOptions);
}

function stripVTControlCharacters(text) {
  require('internal/validators').validateString(text, 'str');
  return stripTerminalSequences(text);
}

module.exports = {
  inspect, inspectDefaultOptions, format, formatWithOptions, stripVTControlCharacters, getStringWidth,
};
