// Errors that nobody caught: handlers of the program, or a message and the end.
// Uses binding.writeStderr, flags, tellUncaught, domains.
'use strict';

const process = require('internal/process');

// Takes all errors in place of the program's listeners, if it is set.
let capture = null;

exports.setUncaughtExceptionCaptureCallback = function setUncaughtExceptionCaptureCallback(fn) {
  const { codes } = require('internal/errors');
  if (binding.domains !== undefined) {
    const error = new codes.ERR_DOMAIN_CANNOT_SET_UNCAUGHT_EXCEPTION_CAPTURE();
    error.stack = `${error.stack}\n${'-'.repeat(40)}\n${binding.domains.place}`;
    throw error;
  }
  if (fn === null) {
    capture = null;
    return;
  }
  if (typeof fn !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], fn);
  if (capture !== null) throw new codes.ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
  capture = fn;
};

exports.hasUncaughtExceptionCaptureCallback = function hasUncaughtExceptionCaptureCallback() {
  return capture !== null;
};

// The exit code of a program whose handler of errors failed itself, and of one that has put none in its place.
const HANDLER_FAILED = 7;
const NO_HANDLER = 6;

exports.handle = function handle(error, origin = 'uncaughtException') {
  take(error, origin);
  // Whoever took an error of a listener of `exit` may have changed the code.
  if (binding.loopIsOver) binding.setExit(process._code());
};

function take(error, origin) {
  binding.tellUncaught?.(error);
  if (typeof process._fatalException !== 'function') {
    // A worker's parent is told no more than that.
    if (binding.reportUncaught !== undefined) binding.exit(NO_HANDLER);
    return end(error, origin, NO_HANDLER);
  }
  if (exports.aborts() && capture === null && !binding.domains?.listens()) return end(error, origin, 1);
  try {
    if (process._listens('uncaughtExceptionMonitor')) process.emit('uncaughtExceptionMonitor', error, origin);
    if (binding.domains?.take(error)) return;
    if (capture !== null) {
      capture(error);
      return;
    }
    // An `emit` of the program's own, such as signal-exit's, may find that nobody listens.
    if (process._listens('uncaughtException') && process.emit('uncaughtException', error, origin)) return;
  } catch (second) {
    return end(second, 'uncaughtException', binding.reportUncaught === undefined ? HANDLER_FAILED : 1);
  }
  let code = process._code();
  if (process._exiting) {
    // It ends as it said before; a worker, too, if it said nothing.
    if ((process.exitCode ?? undefined) === undefined && binding.reportUncaught === undefined) code = 1;
    return end(error, origin, code);
  }
  process.exitCode = 1;
  process._exiting = true;
  try {
    if (process._listens('exit')) process.emit('exit', 1);
  } catch {
    // The error that ends the program is the one to show.
  }
  end(error, origin, process._code());
}

// Whether the process ends by a signal, for whoever looks at what it leaves; a worker ends by itself.
exports.aborts = function aborts() {
  return binding.flags.length > 0 && binding.reportUncaught === undefined &&
    require('internal/flags').isOn('--abort-on-uncaught-exception');
};

function end(error, origin, code) {
  if (binding.reportUncaught !== undefined) {
    // A worker's parent is told.
    binding.reportUncaught(error);
    binding.exit(code);
  }
  let text;
  try {
    text = exports.describe(error, origin);
  } catch {
    // Whatever the program did to its error, it ends with a message.
    // The engine makes templates with a function that can be replaced.
    text = 'Uncaught ' + (stackOf(error) ?? messageOf(error)) + '\n\n';
  }
  binding.writeStderr(text);
  if (exports.aborts()) process.abort();
  binding.exit(code);
}

/// What is left to say of an error for which there is too little memory, such as one with all that a child has written.
function stackOf(error) {
  try {
    const { stack } = error;
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}

/// The same where the program has replaced what stacks are made with.
function messageOf(error) {
  try {
    const { name, message } = error;
    return name + ': ' + message;
  } catch {
    return 'error that cannot be shown';
  }
}

// Where an error was thrown, or, if it made a promise fail, where it was made.
function placeOf(error, stack, origin) {
  const { lineOf, markOf, throwPlaceOf } = require('internal/stack/frames');
  const known = require('internal/stack').placeOf(error);
  if (known !== undefined) return known;
  let place = origin === 'uncaughtException' ? throwPlaceOf(error) : undefined;
  // What the engine threw is shown there, unless the program has thrown it again.
  const mark = markOf(error);
  if (mark !== undefined && !(place !== undefined && /\bthrow\b/.test(lineOf(place.file, place.line) ?? ''))) place = mark;
  // What the library throws for the program is shown where the program made it, or called.
  if (place === undefined || place.file.startsWith('node:')) {
    const frame = /^    at (?:.* \()?((?:file:\/\/|\/|\[|data:)[^\n]*):(\d+):(\d+)\)?$/m.exec(stack);
    if (frame === null) return undefined;
    place = { file: frame[1], line: Number(frame[2]), column: Number(frame[3]), length: 1 };
    const text = require('internal/source_maps').mappedLine(place.file, place.line);
    if (text !== undefined) return { ...place, text };
  }
  const line = lineOf(place.file, place.line);
  if (line === undefined) return undefined;
  // The engine names a place within the statement.
  const statement = origin === 'uncaughtException' && !place.exact && /\bthrow\b[^;}]*$/.exec(line.slice(0, place.column - 1));
  if (statement) place.column = statement.index + 1;
  return place;
}

// Who linked and who caused what failed, if that is to be shown.
function chains(error) {
  if (!binding.flags.some((word) => word.startsWith('--stacks='))) return '';
  return require('internal/long_stacks').below(error);
}

// Where it was thrown, if that is to be shown.
function thrownAt(error, origin) {
  if (origin !== 'uncaughtException' || !require('internal/flags').isOn('--trace-uncaught')) return '';
  const place = placeOf(error, String(error?.stack), origin);
  return place === undefined ? '' : `\nThrown at:\n    at ${place.file}:${place.line}:${place.column}\n`;
}

// What is shown: the line where it was thrown, the error with its stack, the version.
exports.describe = function describe(error, origin = 'uncaughtException') {
  const { inspect } = require('internal/util/inspect');
  const { excerpt } = require('internal/stack/frames');
  let text;
  if (error instanceof Error) {
    const { stack } = error;
    const place = placeOf(error, String(stack), origin);
    // More of it than elsewhere: nobody can ask again.
    let shown = inspect(error, { customInspect: false, depth: Math.max(inspect.defaultOptions.depth ?? Infinity, 5) });
    // An error without frames is inspected in brackets.
    if (shown.startsWith(`[${stack}]`)) shown = stack + shown.slice(stack.length + 2);
    const above = place === undefined ? '' : excerpt(place, place.blank);
    // A text that could not be read says so itself.
    text = shown.startsWith(above) ? shown : above + shown;
  } else {
    const place = placeOf(error, '', origin);
    const shown = typeof error === 'string' ? error : inspect(error);
    text = place === undefined ? `Uncaught ${inspect(error)}` : `\n${excerpt(place, false)}${shown}`;
  }
  const thrown = binding.flags.length > 0 ? thrownAt(error, origin) : '';
  const isBrief = binding.flags.length > 0 && require('internal/flags').isOff('--extra-info-on-fatal-exception');
  return `${text}${chains(error)}${thrown}${isBrief ? '\n' : `\n\nHemiola v${process.versions.hemiola}\n`}`;
};

// A program that was stopped from outside: why, and where it was.
exports.stopped = function stopped(why, place) {
  const frames = place instanceof Error ? String(place.stack).split('\n').slice(1) : [];
  binding.writeStderr(`${[frames.length > 0 ? `${why}, while running:` : why, ...frames].join('\n')}\n`);
};
