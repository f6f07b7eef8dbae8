// Errors that nobody caught: handlers of the program, or a message and the end.
'use strict';

const process = require('internal/process');

exports.handle = function handle(error, origin = 'uncaughtException') {
  if (process._listens('uncaughtExceptionMonitor')) process.emit('uncaughtExceptionMonitor', error, origin);
  if (process._listens('uncaughtException')) {
    process.emit('uncaughtException', error, origin);
    return;
  }
  binding.writeStderr(exports.describe(error));
  process.exit(1);
};

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
