// Ordinary requests, without a body, to servers at which nobody listens in between: what is done for any request (see
// connection.js), as far as it is needed for these.
'use strict';

const context = require('internal/context');
const EventEmitter = require('events');
const { IncomingMessage, Request } = require('_http_incoming');
const { afterLeaving, channels, kIncomingMessage, kServerResponse, startIdling } = require('internal/http/connection');
const {
  COMPLETE, DONE, DUMPED, ENDED, HOST, KEEP_ALIVE, STREAM, VERSION_SHIFT, allMethods, complete, onHead,
} = require('internal/http/parser');
const { kTimeout } = require('internal/net/socket');
const { observed } = require('internal/observed');
const { kUniqueHeaders } = require('_http_outgoing');

const { emit } = EventEmitter.prototype;
const kCapture = Object.getOwnPropertySymbols(EventEmitter.prototype).find(({ description }) => description === 'kCapture');
const HEAD = allMethods.indexOf('HEAD');
const PLAIN = KEEP_ALIVE | COMPLETE | HOST;
const FLAGS = PLAIN | (11 << VERSION_SHIFT);
const { created, finished, started } = channels;

// What responses are made of, once there are some.
let Response, ServerResponse, detachSocket;

/// Whether ordinary requests of a connection may be taken by `plainHead`.
function isPlain(server, parser) {
  if (Response === undefined) ({ Response, ServerResponse, detachSocket } = require('internal/http/response'));
  return server[kIncomingMessage] === IncomingMessage && server[kServerResponse] === ServerResponse &&
    !server[kUniqueHeaders] && parser.maxHeaderPairs === 2000 && !parser.joinDuplicateHeaders;
}

/// Is told of a head as `onHead` is.
function plainHead(parser, flags, version, number, url, fields) {
  const { connection, socket } = parser;
  const { server } = connection;
  const listener = server._events.request;
  // The engine has chains of `&&`, and comparisons with `===`, without a detour.
  if (flags === PLAIN && version === 11 && typeof listener === 'function' && !socket._httpMessage && !context.on &&
      socket[kTimeout] === null && socket._writableState.length === 0 && server.maxRequestsPerSocket === 0 &&
      !server.rejectNonStandardBodyWrites && server.emit === emit && !server[kCapture] && observed.http === 0 &&
      started._subscribers === undefined && created._subscribers === undefined && !(number === HEAD)) {
    const request = new Request(socket, FLAGS, fields, allMethods[number], url);
    const response = new Response(request, connection, socket, server.keepAliveTimeout);
    socket._httpMessage = response;
    connection.idleSince = 0;
    connection.handling = response;
    try {
      listener.call(server, request, response);
    } finally {
      connection.handling = null;
      if (!connection.hasLeft) {
        connection.incoming.push(request);
      } else if (!endedPlainly(connection, server, request, response)) {
        connection.incoming.push(request);
        afterLeaving(connection, response);
      }
    }
    if ((request._flags & STREAM) === 0) request._flags |= DONE | ENDED;
    else complete(parser, request);
    return 0;
  }
  return onHead(parser, flags, version, number, url, fields);
}

/// What `responseFinished` does, where nobody is to be told. Whether that is so.
function endedPlainly(connection, server, request, response) {
  if (request._flags === FLAGS && request._events === undefined && response._events === undefined && !request._consuming &&
      !response._last && finished._subscribers === undefined && observed.http === 0 && response.detachSocket === detachSocket) {
    connection.hasLeft = false;
    connection.socket._httpMessage = null;
    request._flags = FLAGS | DUMPED;
    response.socket = null;
    response.destroyed = response._closed = true;
    if (server.keepAliveTimeout > 0) startIdling(server, connection);
    return true;
  }
  return false;
}

module.exports = { isPlain, plainHead };
