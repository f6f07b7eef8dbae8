// Errors that nobody caught: handlers of the program, or a message and the end.
'use strict';

const process = require('internal/process');

// Takes all errors in place of the program's listeners, if it is set.
let capture = null;

exports.setUncaughtExceptionCaptureCallback = function setUncaughtExceptionCaptureCallback(fn) {
  const { codes } = require('internal/errors');
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

/// The exit code of a program whose handler of errors failed itself.
const HANDLER_FAILED = 7;

exports.handle = function handle(error, origin = 'uncaughtException') {
  try {
    if (process._listens('uncaughtExceptionMonitor')) process.emit('uncaughtExceptionMonitor', error, origin);
    if (capture !== null) {
      capture(error);
      return;
    }
    if (process._listens('uncaughtException')) {
      process.emit('uncaughtException', error, origin);
      return;
    }
  } catch (second) {
    return end(second, HANDLER_FAILED);
  }
  process.exitCode = 1;
  if (!process._exiting) {
    process._exiting = true;
    try {
      if (process._listens('exit')) process.emit('exit', 1);
    } catch {
      // The error that ends the program is the one to show.
    }
  }
  end(error, process._code());
};

function end(error, code) {
  binding.writeStderr(exports.describe(error));
  binding.exit(code);
}

// What is shown: the line where it was thrown, the error with its stack, the version.
exports.describe = function describe(error) {
  const { inspect } = require('internal/util/inspect');
  let text = '';
  const isError = error instanceof Error;
  const place = isError ? /\(?((?:file:\/\/)?\/[^():]*):(\d+):(\d+)\)?/.exec(String(error.stack)) : null;
  if (place !== null) {
    const line = binding.readFile(place[1].replace(/^file:\/\//, ''))?.split('\n')[place[2] - 1];
    if (line !== undefined) text += `${place[1]}:${place[2]}\n${line}\n${' '.repeat(place[3] - 1)}^\n\n`;
  }
  text += isError ? inspect(error) : `Uncaught ${inspect(error)}`;
  return `${text}\n\nHemiola v${process.versions.hemiola}\n`;
};

// A program that was stopped from outside: why, and where it was.
exports.stopped = function stopped(why, place) {
  const frames = place instanceof Error ? String(place.stack).split('\n').slice(1) : [];
  binding.writeStderr(`${[frames.length > 0 ? `${why}, while running:` : why, ...frames].join('\n')}\n`);
};
