// What went wrong, as whoever started the file is told: a message, the stack and the places in it.
'use strict';

const FRAME = /(?:\(|at |@)((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/;

/// The places of a stack, the innermost first.
function allPlaces(stack) {
  const found = [];
  const [head, , caret] = String(stack ?? '').split('\n');
  // What cannot be compiled has its place before its message.
  const broken = /^(?:file:\/\/)?(\/.*):(\d+)$/.exec(head);
  if (broken !== null) found.push({ file: broken[1], line: Number(broken[2]), column: Math.max(1, (caret ?? '').indexOf('^') + 1) });
  for (const line of String(stack ?? '').split('\n')) {
    const match = FRAME.exec(line.trim());
    if (match === null) continue;
    found.push({ file: pathOf(match[1]), line: Number(match[2]), column: Number(match[3]) });
  }
  return found;
}

// The path that a stack names, or a URL.
function pathOf(name) {
  const file = name.startsWith('file://') ? decodeURIComponent(name.slice('file://'.length)) : name;
  return file.replace(/\?.*$/, '');
}

// The places of an error. That of a module that cannot be compiled is not in its stack.
function placesOf(error) {
  const found = places(error.stack);
  const known = found.length === 0 && error instanceof SyntaxError ? require('internal/stack').placeOf(error) : undefined;
  return typeof known?.file === 'string' ? [{ file: pathOf(known.file), line: known.line, column: known.column }] : found;
}

/// The same without those in packages, unless there are no others.
function places(stack) {
  const found = allPlaces(stack);
  const own = found.filter(({ file }) => !file.includes('/node_modules/'));
  return own.length > 0 ? own : found;
}

// The lines of a stack below its message, without the library's.
function frames(error) {
  const lines = String(error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return lines.filter((line) => !/(?:\(|at )(?:node|hemiola):|\(native\)|\(<anonymous>\)|eval_script/.test(line)).join('\n');
}

const isShown = (error) => error.showDiff !== false && 'expected' in error && 'actual' in error && error.expected !== undefined;

// How what was expected differs from what is, where an assertion tells both and its message has no more lines.
function difference(error) {
  if (error.matcherResult !== undefined || error.code === 'ERR_ASSERTION' || !isShown(error) || `${error.message}`.includes('\n')) return undefined;
  const { expected, actual } = error;
  const isText = typeof expected === 'string' && typeof actual === 'string';
  if (!isText && (typeof expected !== 'object' || typeof actual !== 'object' || expected === null || actual === null)) return undefined;
  const { diffLines, diffValues } = require('internal/expect/diff');
  try {
    return isText ? diffLines(expected, actual) : diffValues(expected, actual);
  } catch {
    return undefined;
  }
}

/// What is told of an error.
function of(error) {
  if (error === null || typeof error !== 'object') {
    const { inspect } = require('internal/util/inspect');
    return { message: `thrown: ${typeof error === 'string' ? JSON.stringify(error) : inspect(error)}`, places: [], stack: '' };
  }
  const cause = error.code === 'ERR_TEST_FAILURE' ? error.cause ?? error : error;
  if (cause !== error) return of(cause);
  const name = error.matcherResult === undefined && error.name && error.name !== 'Error' ? `${error.name}: ` : '';
  const message = typeof error.message === 'string' ? error.message : require('internal/util/inspect').inspect(error);
  const told = { diff: difference(error), message: `${name}${message}`, places: placesOf(error), stack: frames(error) };
  if (error.cause !== undefined && error.cause !== null) {
    const inner = of(error.cause);
    told.message += `\n\nCaused by: ${inner.message}`;
    if (told.places.length === 0) told.places = inner.places;
  }
  if (Array.isArray(error.errors)) told.message += error.errors.map((inner) => `\n\n- ${of(inner).message}`).join('');
  return told;
}

/// The place in a test file that called, or nothing.
function caller() {
  return places(new Error().stack)[0];
}

/// The same, looked for once somebody asks: to read a stack takes longer than most of what is declared.
function callerLater() {
  const error = new Error();
  let found;
  return () => {
    found ??= places(error.stack);
    return found[0];
  };
}

/// The file that called, whosever it is.
function callerFile() {
  return allPlaces(new Error().stack)[0]?.file;
}

module.exports = { caller, callerFile, callerLater, of };
