// The console: the class for streams, and the global one.
//
// From binding: now(), milliseconds with fraction, for the timers; emitWarning(text), optional, for
// labels that do not exist. The global console also takes writeStdout(text), writeStderr(text) and,
// optional, isTerminal(fd), whether the descriptor is a terminal that shows colours.
//
// A program that only logs plain text never loads inspection.

const kState = Symbol('state');

const cursorHome = '\u001b[1;1H';
const clearBelow = '\u001b[0J';

const stateOf = (console) => console[kState];
const hide = (object, key, value) =>
  Object.defineProperty(object, key, { value, writable: true, enumerable: false, configurable: true });

/// What every console keeps: where it writes, how far it indents, what it counts and times.
class State {
  indent = '';
  counts = new Map();
  times = new Map();

  // `write(isError, text)` and `hasColors(isError)` are all that consoles differ in.
  constructor(write, hasColors, inspectOptions = undefined, indentWidth = 2) {
    Object.assign(this, { write, hasColors, inspectOptions, indentWidth });
  }

  optionsFor(isError) {
    const options = this.inspectOptions;
    if (options !== undefined) return { ...options, colors: options.colors ?? this.hasColors(isError) };
    return this.hasColors(isError) ? { colors: true } : {};
  }

  print(isError, args) {
    this.printText(isError, plainText(this, isError, args) ??
      require('internal/util/inspect').formatWithOptions(this.optionsFor(isError), ...args));
  }

  printText(isError, text) {
    if (this.indent !== '') text = this.indent + text.replaceAll('\n', `\n${this.indent}`);
    this.write(isError, `${text}\n`);
  }
}

/// The text of arguments that need no inspection; undefined if one does.
function plainText(state, isError, args) {
  const first = args[0];
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    if (first.includes('%')) return;
  }
  let text = '';
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (i > 0) text += ' ';
    if (typeof arg === 'string') {
      text += arg;
      continue;
    }
    if (arg !== null && arg !== undefined && typeof arg !== 'boolean' && typeof arg !== 'number') return;
    if (state.inspectOptions !== undefined || state.hasColors(isError)) return;
    text += Object.is(arg, -0) ? '-0' : `${arg}`;
  }
  return text;
}

const warn = (text) => binding.emitWarning?.(text);

const pad = (number) => `${number}`.padStart(2, '0');

/// A duration for people: 12.345ms, 1.234s, 1:01.234 (m:ss.mmm).
function formatTime(ms) {
  if (ms < 1000) return `${Number(ms.toFixed(3))}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(3)}s`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const [seconds, thousandths] = ((ms % 60_000) / 1000).toFixed(3).split('.');
  const front = hours > 0 ? `${hours}:${pad(minutes)}` : minutes;
  return `${front}:${pad(seconds)}.${thousandths} (${hours > 0 ? 'h:m' : ''}m:ss.mmm)`;
}

/// The time since a label was started, or undefined with a warning if it was not.
function elapsed(state, name, label) {
  const start = state.times.get(label);
  if (start === undefined) {
    warn(`No such label '${label}' for console.${name}()`);
    return;
  }
  return formatTime(binding.now() - start);
}

const methods = {
  log(...args) {
    stateOf(this).print(false, args);
  },
  warn(...args) {
    stateOf(this).print(true, args);
  },
  dir(object, options) {
    const state = stateOf(this);
    const { inspect } = require('internal/util/inspect');
    state.printText(false, inspect(object, { customInspect: false, ...state.optionsFor(false), ...options }));
  },
  time(label = 'default') {
    label = `${label}`;
    const { times } = stateOf(this);
    if (times.has(label)) warn(`Label '${label}' already exists for console.time()`);
    else times.set(label, binding.now());
  },
  timeEnd(label = 'default') {
    label = `${label}`;
    const state = stateOf(this);
    const time = elapsed(state, 'timeEnd', label);
    if (time === undefined) return;
    this.log('%s: %s', label, time);
    state.times.delete(label);
  },
  timeLog(label = 'default', ...data) {
    label = `${label}`;
    const time = elapsed(stateOf(this), 'timeLog', label);
    if (time !== undefined) this.log('%s: %s', label, time, ...data);
  },
  trace(...args) {
    const state = stateOf(this);
    const message = plainText(state, true, args) ??
      require('internal/util/inspect').formatWithOptions(state.optionsFor(true), ...args);
    const at = {};
    Error.captureStackTrace(at, methods.trace);
    const frames = `${at.stack}`.split('\n').filter((line) => line.startsWith('    at '));
    // What the program called.
    if (frames[0] === '    at trace (<anonymous>)') frames.shift();
    const shown = [message === '' ? 'Trace' : `Trace: ${message}`, ...frames].join('\n');
    const showsChains = binding.flags.some((word) => word.startsWith('--stacks='));
    this.error(showsChains ? shown + require('internal/long_stacks').below() : shown);
  },
  assert(expression, ...args) {
    if (expression) return;
    args[0] = `Assertion failed${args.length === 0 ? '' : `: ${args[0]}`}`;
    this.warn(...args);
  },
  clear() {
    stateOf(this).clear?.();
  },
  count(label = 'default') {
    label = `${label}`;
    const { counts } = stateOf(this);
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    this.log(`${label}: ${count}`);
  },
  countReset(label = 'default') {
    label = `${label}`;
    const { counts } = stateOf(this);
    if (!counts.delete(label)) warn(`Count for '${label}' does not exist`);
  },
  group(...data) {
    if (data.length > 0) this.log(...data);
    const state = stateOf(this);
    state.indent += ' '.repeat(state.indentWidth);
  },
  groupEnd() {
    const state = stateOf(this);
    state.indent = state.indent.slice(0, state.indent.length - state.indentWidth);
  },
  table(data, properties) {
    if (data === null || typeof data !== 'object') return this.log(data);
    if (properties !== undefined) require('internal/validators').validateArray(properties, 'properties');
    return this.log(require('internal/console_table').table(data, properties, stateOf(this).optionsFor(false)));
  },
};
for (const [alias, name] of [
  ['debug', 'log'], ['info', 'log'], ['dirxml', 'log'], ['error', 'warn'], ['groupCollapsed', 'group'],
]) {
  methods[alias] = methods[name];
}

function keep(console, state) {
  hide(console, kState, state);
  hide(console, '_times', state.times);
}

/// Gives a console its state and methods that work without it: `const { log } = console`.
function bind(console, state) {
  keep(console, state);
  for (const name of Object.keys(methods)) {
    const bound = console[name].bind(console);
    Object.defineProperty(bound, 'name', { value: name, configurable: true });
    console[name] = bound;
  }
  Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });
}

function ignore() {}

/// A failure that is announced later finds a listener, too.
function afterWrite(stream, error) {
  const isAnnounced = error == null || stream._writableState?.errorEmitted;
  if (!isAnnounced && stream.listenerCount('error') === 0) stream.once('error', ignore);
}

// The callback of all writes to a stream: those with the same one share a tick.
const afterWrites = new WeakMap();

// A stream that fails must not end a program that only wanted to log.
function writeTo(stream, text, ignoreErrors) {
  if (!ignoreErrors) return stream.write(text);
  let onWritten = afterWrites.get(stream);
  if (onWritten === undefined) afterWrites.set(stream, onWritten = afterWrite.bind(undefined, stream));
  stream.once?.('error', ignore);
  try {
    stream.write(text, onWritten);
  } catch (error) {
    if (require('internal/errors').isStackOverflowError(error)) throw error;
  } finally {
    stream.removeListener?.('error', ignore);
  }
}

function checkStreams(streams) {
  const { codes: { ERR_CONSOLE_WRITABLE_STREAM } } = require('internal/errors');
  for (const [name, stream] of Object.entries(streams)) {
    if (typeof stream?.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM(name);
  }
}

function checkLooks({ inspectOptions, groupIndentation, colorMode: given }, colorMode) {
  const { validateInteger, validateObject, validateOneOf } = require('internal/validators');
  validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
  if (groupIndentation !== undefined) validateInteger(groupIndentation, 'groupIndentation', 0, 1000);
  if (inspectOptions === undefined) return;
  validateObject(inspectOptions, 'options.inspectOptions');
  if (inspectOptions.colors === undefined || given === undefined) return;
  const { codes: { ERR_INCOMPATIBLE_OPTION_PAIR } } = require('internal/errors');
  throw new ERR_INCOMPATIBLE_OPTION_PAIR('options.inspectOptions.color', 'colorMode');
}

/// `new Console({ stdout, stderr, ignoreErrors, colorMode, inspectOptions, groupIndentation })`, or
/// with the first three as arguments.
function Console(options /* or: stdout, stderr, ignoreErrors = true */) {
  if (!new.target) return Reflect.construct(Console, arguments);
  const isPositional = !options || typeof options.write === 'function';
  const given = isPositional ? { stdout: options, stderr: arguments[1], ignoreErrors: arguments[2] } : options;
  const { stdout, stderr = stdout, ignoreErrors = true, colorMode = 'auto', inspectOptions, groupIndentation } = given;
  checkStreams({ stdout, stderr });
  checkLooks(given, colorMode);

  const streamFor = (isError) => (isError ? this._stderr : this._stdout);
  const hasColors = (isError) => {
    if (colorMode !== 'auto') return colorMode;
    const stream = streamFor(isError);
    return Boolean(stream.isTTY && (typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2));
  };
  const write = (isError, text) => writeTo(streamFor(isError), text, ignoreErrors);
  const state = new State(write, hasColors, inspectOptions, groupIndentation);
  state.clear = () => {
    if (this._stdout.isTTY) {
      this._stdout.write(cursorHome);
      this._stdout.write(clearBelow);
    }
  };
  hide(this, '_stdout', stdout);
  hide(this, '_stderr', stderr);
  hide(this, '_ignoreErrors', ignoreErrors);
  bind(this, state);
}
Object.assign(Console.prototype, methods);
// The global console is no instance by its prototype, yet counts as one.
hide(Console, Symbol.hasInstance, (value) => value?.[kState] !== undefined);

/// The number of the error that nobody reads what was written.
const EPIPE = 32;
/// The callback of writes that come from the global console.
const ignoreFailure = () => {};

/// Nobody reads what the global console writes any more.
function noReader(isError) {
  require('internal/process/stdio').leave(isError ? 'stderr' : 'stdout');
}

// The state of the global console.
function globalState(hasPrinted) {
  const hasColors = (isError) =>
    Boolean(binding.isTerminal?.(isError ? 2 : 1)) && require('internal/process/colors').hasColors();
  // A program that has put a stream of its own in the place of one before it first prints means it.
  let mayBeReplaced = !hasPrinted;
  const lookForReplaced = () => {
    mayBeReplaced = false;
    if (binding.process === undefined) return;
    for (const name of ['stdout', 'stderr']) {
      const property = Object.getOwnPropertyDescriptor(binding.process, name);
      if (property?.get?.isOwn !== true) binding[name] = property?.value ?? binding.process[name];
    }
  };
  const state = new State((isError, text) => {
    if (mayBeReplaced) lookForReplaced();
    // A program that has asked for a stream may have replaced its `write`.
    const stream = isError ? binding.stderr : binding.stdout;
    if (stream !== undefined) stream.write(text, ignoreFailure);
    else if ((isError ? binding.writeStderr(text) : binding.writeStdout(text)) === EPIPE) noReader(isError);
  }, hasColors);
  state.clear = () => {
    if (binding.stdout === undefined) {
      if (binding.isTerminal?.(1)) binding.writeStdout(cursorHome + clearBelow);
    } else if (binding.stdout.isTTY && binding.process?.env.TERM !== 'dumb') {
      binding.stdout.write(cursorHome);
      binding.stdout.write(clearBelow);
    }
  };
  return state;
}

// Methods of the inspector, which is not there to listen.
const inspector = { profile() {}, profileEnd() {}, timeStamp() {}, context(_name) { return this; } };

/// Gives the global console, which native functions have served so far (see console.rs), all that it
/// lacks, and gives them its methods, in the order that they know.
function adopt(console, hasPrinted) {
  keep(console, globalState(hasPrinted));
  const { process } = binding;
  // Streams that the program has put in the place of these.
  const replaced = { __proto__: null };
  for (const name of ['stdout', 'stderr']) {
    Object.defineProperty(console, `_${name}`, {
      get: () => replaced[name] ?? process[name],
      set(stream) { replaced[name] = binding[name] = stream; },
      enumerable: false,
      configurable: true,
    });
  }
  Object.defineProperty(console, 'Console', { value: Console, writable: true, enumerable: true, configurable: true });
  return Object.values({ ...methods, ...inspector }).map((method) => method.bind(console));
}

module.exports = { Console, EPIPE, ignoreFailure, adopt, noReader };
