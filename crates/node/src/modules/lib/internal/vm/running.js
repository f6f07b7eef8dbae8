// How a script of vm is run: in the program's global object or in that of a context, for ever or for so long.
// Uses binding.evaluate, prepareScript, runScriptWithin.
'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');
const { give } = require('internal/modules/given');
const { validateBoolean, validateObject, validateUint32 } = require('internal/validators');

/// A script as the engine gets it, with what it needs of the library in reach.
exports.prepare = prepare;
function prepare(source, file) {
  const [code, context, access] = binding.prepareScript(source, file, 'commonjs');
  give(context, access);
  return code;
}

/// How many milliseconds a script may run, if not for ever. Who is to break it off by Ctrl-C alone is told that this
/// is not there: the moment of that is in no recording.
function timeoutOf(options) {
  if (options === undefined) return undefined;
  validateObject(options, 'options');
  const { breakOnSigint = false, displayErrors = true, timeout } = options;
  if (timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
  validateBoolean(displayErrors, 'options.displayErrors');
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  if (breakOnSigint) throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('vm breakOnSigint');
  return timeout;
}

function timedOut(timeout) {
  const error = new Error(`Script execution timed out after ${timeout}ms`);
  error.code = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
  return error;
}

/// What a script comes to: where nothing is given for its context, in the program's own.
exports.run = function run(script, context, options) {
  const timeout = timeoutOf(options);
  const { source, file } = script;
  const act = () => {
    if (context === undefined) return binding.evaluate(script.here ??= prepare(source, file), file);
    const contexts = require('internal/vm/contexts');
    return contexts.runIn(context, script.inContext ??= contexts.prepare(source, file));
  };
  return timeout === undefined ? act() : binding.runScriptWithin(act, timeout, () => timedOut(timeout));
};
