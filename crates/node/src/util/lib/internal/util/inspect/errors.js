// How errors are shown: headline, frames, and what else they carry.
//
// From binding: cwd, optional; the directory whose path is made pale in a coloured stack.

const { getPrefix } = require('internal/util/inspect/names');

const toText = Error.prototype.toString;
// Where stacks are inherited, an error that lost its prototype still has one.
const stackGetter = Object.getOwnPropertyDescriptor(Error.prototype, 'stack')?.get;
const frameStart = '\n    at';

function headline(error) {
  return Reflect.apply(toText, error, []);
}

/// The stack of an error with its headline, or the headline alone if it has no stack.
///
/// The engine's stacks are frames only. The headline of a stack that has one may have been written
/// before a constructor gave the error its name; it then gets the name that it has now.
function stackOf(error) {
  let stack = error.stack ? String(error.stack) : '';
  if (stack === '' && Object.getPrototypeOf(error) === null && stackGetter !== undefined) {
    stack = Reflect.apply(stackGetter, error, []) ?? '';
  }
  if (stack === '') return headline(error);
  if (stack.startsWith('    at ')) return `${headline(error)}\n${stack.trimEnd()}`;
  if (Object.hasOwn(error, 'name')) {
    const early = headline({ name: Object.getPrototypeOf(error)?.name, message: error.message });
    if (stack === early || stack.startsWith(early + frameStart)) return headline(error) + stack.slice(early.length);
  }
  return stack;
}

/// Makes the first word of a stack say both the class and the name, if these differ.
function nameClass(stack, constructor, name, tag) {
  let fallback = 'Error';
  let { length } = name;
  if (constructor === null) {
    const start = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/.exec(stack) ?? /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
    length = start === null ? 0 : start[1].length;
    if (length > 0) [, fallback] = start;
  } else if (!name.endsWith('Error') || !stack.startsWith(name) || !/^(?:$|[:\n])/.test(stack.slice(length))) {
    return stack;
  }
  const prefix = getPrefix(constructor, tag, fallback).slice(0, -1);
  if (prefix === name) return stack;
  if (!prefix.includes(name)) return `${prefix} [${name}]${stack.slice(length)}`;
  return length === 0 ? `${prefix}: ${stack}` : `${prefix}${stack.slice(length)}`;
}

/// Where `frames` and `others` have more than three lines in a row in common.
function commonLines(frames, others) {
  for (let start = 0; start < frames.length; start++) {
    const at = others.indexOf(frames[start]);
    let length = 0;
    while (at >= 0 && start + length < frames.length && frames[start + length] === others[at + length]) length++;
    if (length > 3) return { start, length };
  }
}

function causeOf(error) {
  try {
    return error.cause;
  } catch {
    // A getter that throws tells nothing.
  }
}

/// The frames of a stack; those that the error's cause shows as well are left out.
function framesOf(ctx, error, text) {
  const frames = text.split('\n');
  const cause = causeOf(error);
  if (!isErrorLike(cause)) return frames;
  const causeStack = stackOf(cause);
  const start = causeStack.indexOf(frameStart);
  const common = start === -1 ? undefined : commonLines(frames, causeStack.slice(start + 1).split('\n'));
  if (common !== undefined) {
    const skipped = common.length - 2;
    const note = `    ... ${skipped} lines matching cause stack trace ...`;
    frames.splice(common.start + 1, skipped, ctx.stylize(note, 'undefined'));
  }
  return frames;
}

// Frames inside the runtime are pale; in others the path of the working directory is, and the names
// of packages are underlined.
function colourFrame(ctx, line) {
  if (/^    at (?:.* \()?node:/.test(line)) return ctx.stylize(line, 'undefined');
  line = line.replace(/([/\\]node_modules[/\\])((?:@[^/\\]+[/\\])?[^/\\]+)(?=[/\\])/g,
    (_, folder, name) => folder + ctx.stylize(name, 'module'));
  const { cwd } = binding;
  const at = cwd === undefined ? -1 : line.indexOf(`${cwd}/`);
  if (at === -1) return line;
  const url = 'file://';
  let start = line.slice(0, at).endsWith(url) ? at - url.length : at;
  const end = at + cwd.length + 1;
  const hasParenthesis = line[start - 1] === '(';
  if (hasParenthesis) start--;
  const pale = line.slice(0, start) + ctx.stylize(line.slice(start, end), 'undefined');
  return pale + (hasParenthesis ? line.slice(end, -1) + ctx.stylize(line.slice(-1), 'undefined') : line.slice(end));
}

function isErrorLike(value) {
  if (typeof value !== 'object' || value === null) return false;
  return require('internal/util/types').isNativeError(value) || value instanceof Error;
}

// What the stack shows already is not shown again among the properties.
function dropShownKeys(ctx, keys, error, stack) {
  if (ctx.showHidden) return;
  const isShown = (key) => stack.includes(error[key]);
  for (const key of ['name', 'message', 'stack']) {
    const at = keys.indexOf(key);
    if (at >= 0 && isShown(key)) keys.splice(at, 1);
  }
}

/// Adds what is always shown, also where it is not enumerable.
function addHiddenKeys(keys, error) {
  const add = (key) => { if (!keys.includes(key)) keys.push(key); };
  if ('cause' in error) add('cause');
  if (Array.isArray(error.errors)) add('errors');
}

/// The text of an error. Takes from `keys` what it shows itself and adds what is always shown.
function formatError(ctx, error, constructor, tag, keys) {
  const whole = stackOf(error);
  dropShownKeys(ctx, keys, error, whole);
  addHiddenKeys(keys, error);
  let stack = nameClass(whole, constructor, String(error.name ?? 'Error'), tag);

  // A message may contain lines that look like frames.
  const messageAt = error.message ? stack.indexOf(error.message) : -1;
  const framesAt = stack.indexOf(frameStart, messageAt === -1 ? -1 : messageAt + error.message.length);
  if (framesAt === -1) {
    stack = `[${stack}]`;
  } else {
    const frames = framesOf(ctx, error, stack.slice(framesAt + 1));
    const lines = ctx.colors ? frames.map((line) => colourFrame(ctx, line)) : frames;
    stack = `${stack.slice(0, framesAt)}\n${lines.join('\n')}`;
  }
  return ctx.indentationLvl === 0 ? stack : stack.replaceAll('\n', `\n${' '.repeat(ctx.indentationLvl)}`);
}

module.exports = { formatError, isErrorLike, stackOf };
