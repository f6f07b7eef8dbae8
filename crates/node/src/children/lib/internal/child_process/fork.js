// fork: another program of ours, with a channel for messages; and the same seen from the child.
// Uses binding.env.
'use strict';

const { codes: { ERR_CHILD_PROCESS_IPC_REQUIRED } } = require('internal/errors');
const { validateArray, validateObject } = require('internal/validators');
const { refuseNulls, refuseNullsInAll } = require('internal/child_process/arguments');
const process = require('internal/process');

function fork(modulePath, args = [], options = undefined) {
  modulePath = require('internal/fs/arguments').toPath(modulePath, 'modulePath');
  if (args === null || args === undefined) {
    args = [];
  } else if (typeof args === 'object' && !Array.isArray(args)) {
    options = args;
    args = [];
  } else {
    validateArray(args, 'args');
  }
  if (options !== undefined && options !== null) validateObject(options, 'options');
  options = { __proto__: null, ...options, shell: false };
  options.execPath ||= process.execPath;
  refuseNulls(options.execPath, 'options.execPath');
  const execArgv = options.execArgv || process.execArgv;
  refuseNullsInAll(execArgv, 'options.execArgv');
  args = [...execArgv, modulePath, ...args];

  if (typeof options.stdio === 'string') {
    options.stdio = [...require('internal/child_process/stdio').spread(options.stdio), 'ipc'];
  } else if (!Array.isArray(options.stdio)) {
    const word = options.silent ? 'pipe' : 'inherit';
    options.stdio = [word, word, word, 'ipc'];
  } else if (!options.stdio.includes('ipc')) {
    throw new ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
  }
  return require('child_process').spawn(options.execPath, args, options);
}

module.exports = { fork };
