// process.emitWarning, and what is printed of a warning.
// Uses binding.writeStderr, stderr, flags, env, nextTick.
'use strict';

const process = require('internal/process');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateString } = require('internal/validators');

const { isOn, valueOf, valuesOf } = require('internal/flags');

const tracesAll = isOn('--trace-warnings');
// Codes and types that are not printed.
const unwanted = valuesOf('--disable-warning');
const file = valueOf('--redirect-warnings');

/// Whether the program was started without printing of warnings.
function isSilent() {
  return isOn('--no-warnings') || binding.env.NODE_NO_WARNINGS === '1';
}

function makeWarning(message, { type = 'Warning', above, ...facts }) {
  const warning = new Error(message);
  Object.defineProperty(warning, 'name', { __proto__: null, value: type, writable: true, configurable: true });
  for (const key of ['code', 'detail']) if (facts[key] !== undefined) warning[key] = facts[key];
  Error.captureStackTrace(warning, above);
  return warning;
}

/// The arguments in all their forms: the second is a type, options, or the function above which the
/// stack begins; the third a code or that function.
function readArguments(type, code, ctor) {
  let detail;
  if (typeof type === 'object' && type !== null && !Array.isArray(type)) {
    ({ type, code, ctor, detail } = type);
    type ||= undefined;
    if (typeof detail !== 'string') detail = undefined;
  }
  // The function may stand in either place; what comes before it is then left out.
  if (typeof type === 'function') [type, code, ctor] = [undefined, undefined, type];
  else if (typeof code === 'function') [code, ctor] = [undefined, code];
  if (type !== undefined) validateString(type, 'type');
  if (code !== undefined) validateString(code, 'code');
  return { type, code, detail, above: ctor ?? process.emitWarning };
}

const isDeprecation = (warning) => warning.name === 'DeprecationWarning';
const isUnwanted = (warning) => isDeprecation(warning) && process.noDeprecation;

function emitWarning(warning, type, code, ctor) {
  const facts = readArguments(type, code, ctor);
  const told = typeof warning === 'string' ? makeWarning(warning, facts) : warning;
  if (!(told instanceof Error)) throw new ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], told);
  if (isUnwanted(told)) return;
  const isFatal = isDeprecation(told) && process.throwDeprecation;
  binding.nextTick(() => {
    if (isFatal) throw told;
    process.emit('warning', told);
  });
}

/// How a warning calls itself, whatever it makes of `toString`.
function nameAndMessage(warning) {
  return typeof warning.toString === 'function' ? `${warning.toString()}` : Error.prototype.toString.call(warning);
}

// Whether it was said how to learn more.
let explained = false;

/// Prints a warning; it listens to the event from the start.
function onWarning(warning) {
  if (!(warning instanceof Error) || isUnwanted(warning)) return;
  if (unwanted.length > 0 && (unwanted.includes(warning.code) || unwanted.includes(warning.name))) return;
  const traces = tracesAll || (isDeprecation(warning) && process.traceDeprecation);
  print(`${describe(warning, traces)}${traces ? '' : explanation(warning)}\n`);
}

function print(text) {
  if (file !== undefined) {
    try {
      require('fs').appendFileSync(file, text);
      return;
    } catch {
      // Whoever cannot read it there reads it here.
    }
  }
  // A program that has asked for the stream may have replaced its `write`.
  if (binding.stderr !== undefined) binding.stderr.write(text);
  else binding.writeStderr(text);
}

function describe(warning, traces) {
  const { code, detail, stack } = warning;
  const head = code ? `(${process.release.name}:${process.pid}) [${code}]` : `(${process.release.name}:${process.pid})`;
  const shown = traces && stack ? stack : nameAndMessage(warning);
  return `${head} ${shown}${typeof detail === 'string' ? `\n${detail}` : ''}`;
}

/// How to learn where a warning comes from; said once.
function explanation(warning) {
  if (explained) return '';
  explained = true;
  const flag = isDeprecation(warning) ? '--trace-deprecation' : '--trace-warnings';
  return `\n(Use \`hemiola run ${flag} ...\` to show where the warning was created)`;
}

module.exports = { emitWarning, onWarning, isSilent };
