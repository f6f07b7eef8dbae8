// process.emitWarning, and what is printed of a warning.
// Uses binding.writeStderr, execArgv, env, nextTick.
'use strict';

const process = require('internal/process');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateString } = require('internal/validators');

const tracesAll = binding.execArgv.includes('--trace-warnings');

/// Whether the program was started without printing of warnings.
function isSilent() {
  return binding.execArgv.includes('--no-warnings') || binding.env.NODE_NO_WARNINGS === '1';
}

function makeWarning(message, type, code, detail, above) {
  const warning = new Error(message);
  Object.defineProperty(warning, 'name', {
    value: `${type ?? 'Warning'}`, writable: true, enumerable: false, configurable: true,
  });
  if (code !== undefined) warning.code = code;
  if (detail !== undefined) warning.detail = detail;
  Error.captureStackTrace(warning, above);
  return warning;
}

// The second argument is a type, options, or the function above which the stack begins; the third a
// code or that function.
function emitWarning(warning, type, code, ctor) {
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    const options = type;
    ({ code, ctor } = options);
    if (typeof options.detail === 'string') detail = options.detail;
    type = options.type || 'Warning';
  } else if (typeof type === 'function') {
    ctor = type;
    code = '';
    type = 'Warning';
  }
  if (type !== undefined) validateString(type, 'type');
  if (typeof code === 'function') {
    ctor = code;
    code = '';
  } else if (code !== undefined) {
    validateString(code, 'code');
  }
  if (typeof warning === 'string') {
    warning = makeWarning(warning, type, code, detail, ctor ?? process.emitWarning);
  } else if (!(warning instanceof Error)) {
    throw new ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], warning);
  }
  if (warning.name === 'DeprecationWarning') {
    if (process.noDeprecation) return;
    // Where nobody can catch it: a deprecation is not the business of whoever happens to be on the stack.
    if (process.throwDeprecation) return void binding.nextTick(() => { throw warning; });
  }
  binding.nextTick(() => process.emit('warning', warning));
}

let explained = false;

/// Prints a warning; it listens to the event from the start.
function onWarning(warning) {
  if (!(warning instanceof Error)) return;
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process.noDeprecation) return;
  const traces = tracesAll || (isDeprecation && process.traceDeprecation);
  let text = `(hemiola:${process.pid}) `;
  if (warning.code) text += `[${warning.code}] `;
  if (traces && warning.stack) text += warning.stack;
  else text += typeof warning.toString === 'function' ? `${warning.toString()}` : Error.prototype.toString.call(warning);
  if (typeof warning.detail === 'string') text += `\n${warning.detail}`;
  if (!traces && !explained) {
    explained = true;
    const flag = isDeprecation ? '--trace-deprecation' : '--trace-warnings';
    text += `\n(Use \`hemiola run ${flag} ...\` to show where the warning was created)`;
  }
  binding.writeStderr(`${text}\n`);
}

module.exports = { emitWarning, onWarning, isSilent };
