// `http`.
'use strict';

const { methods } = require('internal/http/parser');
const agents = require('_http_agent');
const { ClientRequest } = require('_http_client');
const { IncomingMessage } = require('_http_incoming');
const { OutgoingMessage, validateHeaderName, validateHeaderValue } = require('_http_outgoing');
const { STATUS_CODES, Server, ServerResponse, _connectionListener } = require('_http_server');
const { validateInteger } = require('internal/validators');

const request = (url, options, callback) => new ClientRequest(url, options, callback);

module.exports = {
  _connectionListener,
  METHODS: methods.toSorted(),
  STATUS_CODES,
  Agent: agents.Agent,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer: (options, requestListener) => new Server(options, requestListener),
  validateHeaderName,
  validateHeaderValue,
  get: (url, options, callback) => request(url, options, callback).end(),
  request,
  setMaxIdleHTTPParsers(max) {
    validateInteger(max, 'max', 1);
    require('_http_common').parsers.max = max;
  },
  get maxHeaderSize() { return Number(require('internal/flags').valueOf('--max-http-header-size') ?? 16 * 1024); },
  get globalAgent() { return agents.globalAgent; },
  set globalAgent(agent) { agents.globalAgent = agent; },
};
