// fork: another program of ours, with a channel for messages (rule CHILD-17).
'use strict';

const { codes: { ERR_CHILD_PROCESS_IPC_REQUIRED } } = require('internal/errors');
const { validateArray, validateObject } = require('internal/validators');
const { isMissing, refuseNulls, refuseNullsInAll } = require('internal/child_process/arguments');
const process = require('internal/process');

/// The list and the options, of which either may be left out.
function sortArguments(args, options) {
  const isList = Array.isArray(args);
  if (!isList && typeof args === 'object' && args !== null) return [[], args];
  if (!isMissing(args)) validateArray(args, 'args');
  if (!isMissing(options)) validateObject(options, 'options');
  return [args ?? [], options];
}

/// The descriptors of a forked program, one of which is its channel.
function descriptors({ stdio, silent }) {
  if (Array.isArray(stdio)) {
    if (stdio.includes('ipc')) return stdio;
    throw new ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
  }
  const { spread } = require('internal/child_process/stdio');
  const word = silent ? 'pipe' : 'inherit';
  return [...spread(typeof stdio === 'string' ? stdio : word), 'ipc'];
}

/// The flags of the process itself without the code that it runs: a child has a file instead.
function withoutCode(flags) {
  const code = process._eval;
  if (flags !== process.execArgv || code === undefined) return flags;
  return flags.filter((word, i) => word !== code && flags[i + 1] !== code && word !== `--eval=${code}`);
}

function fork(modulePath, args = [], options = undefined) {
  const path = require('internal/fs/arguments').toPath(modulePath, 'modulePath');
  const [words, given] = sortArguments(args, options);
  const execPath = given?.execPath || process.execPath;
  refuseNulls(execPath, 'options.execPath');
  const execArgv = withoutCode(given?.execArgv || process.execArgv);
  refuseNullsInAll(execArgv, 'options.execArgv');
  const settings = { __proto__: null, ...given, execPath, shell: false };
  settings.stdio = descriptors(settings);
  return require('child_process').spawn(execPath, [...execArgv, path, ...words], settings);
}

module.exports = { fork };
