// spawnSync, execFileSync, execSync: the program waits for the child.
// Uses binding.perform.
'use strict';

const { codes, errnoException, genericNodeError } = require('internal/errors');
const {
  normalize, splitArguments, description, checkTimeout, checkMaxBuffer, killSignal, signalName, startFailure, spawnError,
} = require('internal/child_process/arguments');

const { ERR_INVALID_ARG_TYPE } = codes;
const DEFAULT_MAX_BUFFER = 1024 * 1024;

function bytesOf(input, at, encoding) {
  const { Buffer } = require('buffer');
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (typeof input === 'string') return Buffer.from(input, encoding === 'buffer' ? 'utf8' : encoding);
  throw new ERR_INVALID_ARG_TYPE(`options.stdio[${at}]`, ['Buffer', 'TypedArray', 'DataView', 'string'], input);
}

function run(options) {
  const { encoding, input } = options;
  const { Buffer } = require('buffer');
  const given = options.stdio || 'pipe';
  const { normalize: normalizeStdio, told: tellEntry } = require('internal/child_process/stdio');
  const stdio = normalizeStdio(given, true);
  const sent = stdio.map((entry, at) => {
    const value = at === 0 && input ? input : Array.isArray(given) && typeof given[at] === 'object' ? given[at]?.input : undefined;
    const sent = tellEntry(entry);
    if (value !== undefined && value !== null) sent.input = bytesOf(value, at, encoding);
    return sent;
  });
  const told = description(options, sent);
  // Unlike the other forms, these take an empty path for one.
  if (options.cwd === '') told.cwd = '';
  told.timeout = options.timeout;
  told.maxBuffer = Number.isFinite(options.maxBuffer) ? options.maxBuffer : 0;
  told.killSignal = options.killSignal;

  const result = {};
  const [name, ...args] = options.args;
  let answer;
  try {
    answer = binding.perform('process.run', [told]);
  } catch (fault) {
    const error = startFailure(fault, `spawnSync ${options.file}`, options.file, args);
    if (error.path === undefined) throw error;
    return Object.assign(result, { error, status: null, signal: null, output: null, pid: 0, stdout: null, stderr: null });
  }
  if (answer.errno !== null) {
    result.error = spawnError(errnoException(-answer.errno, `spawnSync ${options.file}`), options.file, args);
  }
  result.status = answer.code;
  result.signal = signalName(answer.signal);
  result.output = answer.output.map((bytes) => {
    if (bytes === null) return null;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
  });
  result.pid = answer.pid;
  result.stdout = result.output[1];
  result.stderr = result.output[2];
  return result;
}

function checkEncoding(encoding) {
  if (!encoding || encoding === 'buffer') return;
  if (!require('buffer').Buffer.isEncoding(encoding)) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
}

function spawnSync(file, args, options) {
  options = { __proto__: null, maxBuffer: DEFAULT_MAX_BUFFER, ...normalize(file, args, options) };
  checkTimeout(options.timeout);
  checkMaxBuffer(options.maxBuffer);
  options.killSignal = killSignal(options.killSignal);
  checkEncoding(options.encoding);
  return run(options);
}

// What a failed child is told as: its own error, or that it ended badly.
function failure(result, args, command) {
  let { error } = result;
  if (!error) {
    if (result.status === 0) return undefined;
    let message = 'Command failed: ';
    message += command || args.join(' ');
    if (result.stderr && result.stderr.length > 0) message += `\n${result.stderr.toString()}`;
    error = genericNodeError(message, {});
  }
  Object.assign(error, result);
  return error;
}

// What the child said on standard error is repeated, unless the program said what becomes of it.
function finish(result, inheritsStderr, args, command) {
  if (inheritsStderr && result.stderr) require('internal/process').stderr.write(result.stderr);
  const error = failure(result, args, command);
  if (error !== undefined) throw error;
  return result.stdout;
}

function execFileSync(file, args, options) {
  [args, options] = splitArguments(args, options);
  if (options !== undefined && options !== null) require('internal/validators').validateObject(options, 'options');
  const inheritsStderr = !options?.stdio;
  const result = spawnSync(file, args, options ?? undefined);
  return finish(result, inheritsStderr, [options?.argv0 || file, ...args], undefined);
}

function execSync(command, options) {
  const { normalizeExec } = require('internal/child_process/exec');
  const exec = normalizeExec(command, options, undefined);
  const inheritsStderr = !exec.options.stdio;
  return finish(spawnSync(exec.file, exec.options), inheritsStderr, undefined, command);
}

module.exports = { spawnSync, execFileSync, execSync };
