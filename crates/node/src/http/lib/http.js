// `http`.
'use strict';

const { methods } = require('internal/http/parser');
const { Agent } = require('_http_agent');
const { ClientRequest } = require('_http_client');
const { IncomingMessage } = require('_http_incoming');
const { OutgoingMessage, validateHeaderName, validateHeaderValue } = require('_http_outgoing');
const { STATUS_CODES, Server, ServerResponse, _connectionListener } = require('_http_server');
const { validateInteger } = require('internal/validators');

function createServer(opts, requestListener) {
  return new Server(opts, requestListener);
}

function request(url, options, cb) {
  return new ClientRequest(url, options, cb);
}

function get(url, options, cb) {
  const made = request(url, options, cb);
  made.end();
  return made;
}

module.exports = {
  _connectionListener,
  METHODS: methods.toSorted(),
  STATUS_CODES,
  Agent,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer,
  validateHeaderName,
  validateHeaderValue,
  get,
  request,
  // Parsers are not kept here; the check is all that is left.
  setMaxIdleHTTPParsers(max) {
    validateInteger(max, 'max', 1);
  },
};

Object.defineProperty(module.exports, 'maxHeaderSize', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return 16 * 1024; },
});
Object.defineProperty(module.exports, 'globalAgent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('_http_agent').globalAgent; },
  set(value) { require('_http_agent').globalAgent = value; },
});
