// What other parts of `http` share, by the names that some packages ask for.
'use strict';

const {
  checkInvalidHeaderChar, checkIsHttpToken, chunkExpression, continueExpression,
} = require('internal/http/headers');
const { HTTPParser } = require('internal/http/low_parser');
const { allMethods } = require('internal/http/parser');

module.exports = {
  _checkInvalidHeaderChar: checkInvalidHeaderChar,
  _checkIsHttpToken: checkIsHttpToken,
  chunkExpression,
  continueExpression,
  CRLF: '\r\n',
  methods: allMethods.slice(0, 35),
  HTTPParser,
  // None are kept: they are made anew, in little time. How many there may be is told all the same.
  parsers: { max: 1000 },
};
