// spawnSync, execFileSync, execSync: the program waits for the child.
// Uses binding.perform.
'use strict';

const { codes, errnoException, genericNodeError } = require('internal/errors');
const {
  normalize, splitArguments, description, checkTimeout, checkMaxBuffer, killSignal, signalName, startFailure, spawnError, isMissing,
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

  const { file, args: [, ...args] } = options;
  let answer;
  try {
    answer = binding.perform('process.run', [told]);
  } catch (fault) {
    const error = startFailure(fault, `spawnSync ${file}`, file, args);
    if (error.path === undefined) throw error;
    return { error, status: null, signal: null, output: null, pid: 0, stdout: null, stderr: null };
  }
  const { errno, code: status, pid } = answer;
  const output = answer.output.map((bytes) => asOutput(bytes, encoding));
  const [, stdout, stderr] = output;
  const result = { status, signal: signalName(answer.signal), output, pid, stdout, stderr };
  if (errno === null) return result;
  return { error: spawnError(errnoException(-errno, `spawnSync ${file}`), file, args), ...result };
}

// What `process.binding('spawn_sync')` is: tools put a function of theirs around this one.
const low = { spawn: run };

/// What a child said on a descriptor; null if nobody listened there.
function asOutput(bytes, encoding) {
  if (bytes === null) return null;
  const buffer = require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
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
  return low.spawn(options);
}

/// What a failed child is told as: its own error, or that it ended badly. Either has all of the result.
function failure(result, command) {
  const { error, status, stderr } = result;
  if (!error && status === 0) return undefined;
  const said = stderr?.length > 0 ? `\n${stderr}` : '';
  return Object.assign(error ?? genericNodeError(`Command failed: ${command}${said}`, {}), result);
}

/// Rule CHILD-16.
function finish(result, options, command) {
  if (!options?.stdio && result.stderr) require('internal/process').stderr.write(result.stderr);
  const error = failure(result, command);
  if (error !== undefined) throw error;
  return result.stdout;
}

function execFileSync(file, args, options) {
  const [words, given] = splitArguments(args, options);
  if (!isMissing(given)) require('internal/validators').validateObject(given, 'options');
  const result = spawnSync(file, words, given ?? undefined);
  return finish(result, given, [given?.argv0 || file, ...words].join(' '));
}

function execSync(command, options) {
  const settings = require('internal/child_process/exec').shellOptions(command, typeof options === 'function' ? undefined : options);
  return finish(spawnSync(command, settings), settings, command);
}

module.exports = { spawnSync, execFileSync, execSync, low };
