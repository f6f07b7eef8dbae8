// The options of streams of zlib and Brotli (rules ZLIB-2 to ZLIB-5).
'use strict';

const { Buffer, kMaxLength } = require('buffer');
const { codes: { ERR_BROTLI_INVALID_PARAM, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { constants } = require('internal/zlib/constants');

const { INFLATE, GZIP, GUNZIP, UNZIP, BROTLI_DECODE, BROTLI_PARAM_NDIRECT: LAST_PARAMETER } = constants;

// The least, the most and the default of every number.
const WINDOW = [8, 15, 15];
const GZIP_WINDOW = [9, 15, 15];
const LEVEL = [-1, 9, -1];
const MEMORY = [1, 9, 8];
const STRATEGY = [0, 4, 0];
const CHUNK = [constants.Z_MIN_CHUNK, Infinity, constants.Z_DEFAULT_CHUNK];
const OUTPUT = [1, kMaxLength, kMaxLength];

// What each family does with a chunk, with the last one, and for `flush()`; and its last flag.
const zlibFlags = { chunk: constants.Z_NO_FLUSH, end: constants.Z_FINISH, full: constants.Z_FULL_FLUSH, last: constants.Z_BLOCK };
const brotliFlags = {
  chunk: constants.BROTLI_OPERATION_PROCESS,
  end: constants.BROTLI_OPERATION_FINISH,
  full: constants.BROTLI_OPERATION_FLUSH,
  last: constants.BROTLI_OPERATION_EMIT_METADATA,
};

/// A number within bounds, or its default; `standard` is another default than that of the bounds.
function within(value, name, bounds, standard = bounds[2]) {
  if (value === undefined || Number.isNaN(value)) return standard;
  if (typeof value !== 'number') throw new ERR_INVALID_ARG_TYPE(name, 'number', value);
  const [least, most] = bounds;
  if (value >= least && value <= most && value !== Infinity) return value;
  let wanted = `>= ${least} and <= ${most}`;
  if (!Number.isFinite(value)) wanted = 'a finite number';
  else if (most === Infinity) wanted = `>= ${least}`;
  throw new ERR_OUT_OF_RANGE(name, wanted, value);
}

const hasHeader = (mode) => mode === INFLATE || mode === GUNZIP || mode === UNZIP;

function windowOf(mode, value) {
  if (hasHeader(mode) && (value === 0 || value === null || value === undefined)) return 0;
  return within(value, 'options.windowBits', mode === GZIP ? GZIP_WINDOW : WINDOW);
}

function dictionaryOf(value) {
  if (value === undefined || isArrayBufferView(value)) return value;
  if (!isAnyArrayBuffer(value)) {
    throw new ERR_INVALID_ARG_TYPE('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], value);
  }
  return Buffer.from(value);
}

const plain = { windowBits: WINDOW[2], level: LEVEL[2], memLevel: MEMORY[2], strategy: STRATEGY[2], dictionary: undefined };

/// What a codec of zlib is made with.
function zlibSettings(mode, options) {
  if (!options) return plain;
  return {
    windowBits: windowOf(mode, options.windowBits),
    level: within(options.level, 'options.level', LEVEL),
    memLevel: within(options.memLevel, 'options.memLevel', MEMORY),
    strategy: within(options.strategy, 'options.strategy', STRATEGY),
    dictionary: dictionaryOf(options.dictionary),
  };
}

const isParameter = (number) => Number.isInteger(number) && number >= 0 && number <= LAST_PARAMETER;

/// What a codec of Brotli is made with: its parameters by their numbers; all bits set is none.
function brotliSettings(options) {
  const parameters = new Uint32Array(LAST_PARAMETER + 1).fill(-1);
  const given = options?.params;
  if (!given) return parameters;
  const seen = new Set();
  for (const [name, value] of Object.entries(given)) {
    const number = Number(name);
    if (!isParameter(number) || seen.has(number)) throw new ERR_BROTLI_INVALID_PARAM(name);
    if (typeof value !== 'boolean' && typeof value !== 'number') {
      throw new ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
    }
    seen.add(number);
    parameters[number] = value;
  }
  return parameters;
}

/// How a stream uses its codec.
function flowSettings(mode, options) {
  const flags = mode < BROTLI_DECODE ? zlibFlags : brotliFlags;
  if (!options) return { chunkSize: CHUNK[2], flush: flags.chunk, finishFlush: flags.end, fullFlush: flags.full, most: kMaxLength };
  const kinds = [0, flags.last];
  return {
    chunkSize: within(options.chunkSize, 'options.chunkSize', CHUNK),
    flush: within(options.flush, 'options.flush', kinds, flags.chunk),
    finishFlush: within(options.finishFlush, 'options.finishFlush', kinds, flags.end),
    fullFlush: flags.full,
    most: within(options.maxOutputLength, 'options.maxOutputLength', OUTPUT),
  };
}

function checkParams(level, strategy) {
  within(level, 'level', LEVEL);
  within(strategy, 'strategy', STRATEGY);
}

module.exports = { zlibSettings, brotliSettings, flowSettings, checkParams };
