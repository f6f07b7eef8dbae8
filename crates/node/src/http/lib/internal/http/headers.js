// Names and values of headers: what may be in them, and how they are written.
//
// Uses binding.httpHeaderFault, wallClock.
'use strict';

const { codes: { ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_CHAR, ERR_INVALID_HTTP_TOKEN } } = require('internal/errors');

const chunkExpression = /(?:^|\W)chunked(?:$|\W)/i;
const continueExpression = /(?:^|\W)100-continue(?:$|\W)/i;
const closeExpression = /(?:^|\W)close(?:$|\W)/i;

// Names that were found to be good, and what they are in lower case: programs use few.
const goodNames = new Map();

function checkIsHttpToken(name) {
  if (goodNames.has(name)) return true;
  if (typeof name !== 'string' || binding.httpHeaderFault(name, undefined) !== 0) return false;
  if (goodNames.size < 1000) goodNames.set(name, name.toLowerCase());
  return true;
}

function checkInvalidHeaderChar(value) {
  return binding.httpHeaderFault(undefined, typeof value === 'string' ? value : `${value}`) !== 0;
}

function validateHeaderName(name, label) {
  if (typeof name !== 'string' || !checkIsHttpToken(name)) {
    throw new ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
  }
}

function validateHeaderValue(name, value) {
  if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (checkInvalidHeaderChar(value)) throw new ERR_INVALID_CHAR('header content', name);
}

/// A name in lower case; the same ones come again and again.
function toLower(name) {
  return goodNames.get(name) ?? name.toLowerCase();
}

let second = -1;
let date;

/// The time as a message tells it, to the second.
function utcDate() {
  const now = binding.wallClock();
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    date = new Date(now).toUTCString();
  }
  return date;
}

module.exports = {
  checkInvalidHeaderChar, checkIsHttpToken, chunkExpression, closeExpression, continueExpression, goodNames, toLower,
  utcDate, validateHeaderName, validateHeaderValue,
};
