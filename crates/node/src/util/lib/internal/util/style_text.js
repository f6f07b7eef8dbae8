// util.styleText.
//
// From the binding: getEnv(name), optional; process, optional.
'use strict';

const { inspect } = require('internal/util/inspect');
const { validateBoolean, validateOneOf, validateString } = require('internal/validators');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors');

function styleText(format, text, { validateStream = true, stream } = {}) {
  validateString(text, 'text');
  validateBoolean(validateStream, 'options.validateStream');
  if (validateStream && stream !== undefined && !isStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }

  if (!Array.isArray(format)) {
    const [start, end] = codesOf(format);
    const plain = validateStream && !showsColours(stream ?? binding.process?.stdout);
    return plain ? text : escape(start) + text + escape(end);
  }
  // Node colours a list of formats whatever the stream.
  let before = '';
  let after = '';
  for (const key of format) {
    const [start, end] = codesOf(key);
    before += escape(start);
    after = escape(end) + after;
  }
  return before + text + after;
}

const escape = (code) => `\u001b[${code}m`;

function codesOf(format) {
  const { colors } = inspect;
  if (colors[format] == null) validateOneOf(format, 'format', Object.keys(colors));
  return colors[format];
}

function isStream(value) {
  if (value === null || typeof value !== 'object') return false;
  if (typeof value.getReader === 'function' || typeof value.getWriter === 'function') return true;
  if (value._readableState || value._writableState) return true;
  return typeof value.on === 'function' &&
    (typeof value.write === 'function' || typeof value.pipe === 'function');
}

function showsColours(stream) {
  const forced = binding.getEnv?.('FORCE_COLOR');
  if (forced !== undefined) return ['', '1', 'true', '2', '3'].includes(forced);
  if (!stream?.isTTY) return false;
  return typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2;
}

module.exports = { styleText };
