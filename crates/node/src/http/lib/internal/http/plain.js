// Ordinary requests, without a body, to servers at which nobody listens in between: what is done for any request (see
// connection.js), as far as it is needed for these. Uses binding.beginRequest,
// nameRequest, swapFrame.
'use strict';

const context = require('internal/context');
const EventEmitter = require('events');
const { IncomingMessage, Request } = require('_http_incoming');
const {
  RESTED, afterLeaving, channels, kIdleTimer, kIncomingMessage, kServerResponse, namesRequests, watchIdle,
} = require('internal/http/connection');
const {
  COMPLETE, DONE, DUMPED, ENDED, HOST, KEEP_ALIVE, VERSION_SHIFT, allMethods, complete, onHead,
} = require('internal/http/parser');
const { kTimeout } = require('internal/net/socket');
const { observed } = require('internal/observed');
const { kUniqueHeaders } = require('_http_outgoing');

const { emit } = EventEmitter.prototype;
const kCapture = Object.getOwnPropertySymbols(EventEmitter.prototype).find(({ description }) => description === 'kCapture');
const HEAD = allMethods.indexOf('HEAD');
const PLAIN = KEEP_ALIVE | COMPLETE | HOST;
const FLAGS = PLAIN | (11 << VERSION_SHIFT);
// The same when nothing more is to happen to it.
const OVER = FLAGS | DONE | ENDED | DUMPED;
const { created, finished, started } = channels;

// What responses are made of, once there are some.
let Response, ServerResponse, detachSocket;

/// Whether ordinary requests of a connection may be taken by `plainHead`.
function isPlain(server, parser) {
  if (Response === undefined) ({ Response, ServerResponse, detachSocket } = require('internal/http/response'));
  return server[kIncomingMessage] === IncomingMessage && server[kServerResponse] === ServerResponse && !server[kCapture] &&
    !server[kUniqueHeaders] && parser.maxHeaderPairs === 2000 && !parser.joinDuplicateHeaders;
}

/// Is told of a head as `onHead` is.
function plainHead(parser, flags, version, number, url, fields) {
  const { connection, socket } = parser;
  const { server } = connection;
  const listener = server._events.request;
  // The engine has chains of `&&`, and comparisons with `===`, without a detour.
  if (flags === PLAIN && version === 11 && typeof listener === 'function' && !socket._httpMessage &&
      socket[kTimeout] === null && socket._writableState.length === 0 && server.maxRequestsPerSocket === 0 &&
      !server.rejectNonStandardBodyWrites && server.emit === emit && observed.http === 0 &&
      started._subscribers === undefined && created._subscribers === undefined && !(number === HEAD)) {
    // Whether anybody wants to know is no reason to ask the world for anything else: recordings are viewed and debugged.
    if (namesRequests) binding.nameRequest(allMethods[number], url);
    let frame;
    if (context.on) {
      binding.beginRequest(!connection.hasServed);
      connection.hasServed = true;
      frame = binding.swapFrame(connection.frame);
    }
    const request = new Request(socket, FLAGS, fields, allMethods[number], url);
    const response = new Response(request, connection, socket, server.keepAliveTimeout);
    socket._httpMessage = response;
    connection.handling = response;
    try {
      listener.call(server, request, response);
    } finally {
      connection.handling = null;
      if (context.on) binding.swapFrame(frame);
      // What `responseFinished` does, where nobody is to be told.
      if (connection.hasLeft && request._flags === FLAGS && request._events === undefined && response._events === undefined &&
          !request._consuming && !response._last && finished._subscribers === undefined && observed.http === 0 &&
          response.detachSocket === detachSocket) {
        connection.hasLeft = false;
        socket._httpMessage = null;
        request._flags = OVER;
        response.socket = null;
        response.destroyed = response._closed = true;
        if (server.keepAliveTimeout > 0) {
          connection.idleSince = RESTED;
          if (server[kIdleTimer] === undefined) watchIdle(server);
        } else {
          connection.idleSince = 0;
        }
      } else {
        goOn(connection, request, response);
      }
    }
    if (!(request._flags === OVER)) complete(parser, request);
    return 0;
  }
  return onHead(parser, flags, version, number, url, fields);
}

/// The response has not left yet, or somebody is to be told that it has.
function goOn(connection, request, response) {
  connection.idleSince = 0;
  connection.incoming.push(request);
  if (connection.hasLeft) afterLeaving(connection, response);
}

module.exports = { isPlain, plainHead };
