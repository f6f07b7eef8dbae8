// Messages out of bytes: the native parser of one side of a connection, and the objects that its
// findings become.
//
// Uses binding.httpParser, httpExecute, httpFinish, httpClose, httpMethods, httpConsume, httpSince.
'use strict';

const { Buffer } = require('buffer');
const hooked = require('internal/hooked');

const [methods, ofHttp] = binding.httpMethods();

// What the flags of a head say; http/mod.rs has the same numbers.
const KEEP_ALIVE = 1;
const UPGRADE = 2;
const COMPLETE = 4;
const HOST = 8;
const EXPECT = 16;
// What becomes known of a message later is in its `_flags`, too: it is complete, all of it came before anybody looked at
// it as a stream, somebody does, nobody wants the rest. Above these is the version, in two digits.
const DONE = 256;
const ENDED = 512;
const STREAM = 1024;
const DUMPED = 2048;
const VERSION_SHIFT = 16;

const kTrailerFields = Symbol('kTrailerFields');
const kMaxPairs = Symbol('kMaxPairs');
// The server's side of a socket, see connection.js.
const kConnection = Symbol('kConnection');

/// Feeds bytes to a native parser and makes messages of what it finds.
///
/// `onIncoming(message, shouldKeepAlive)` is told each of them with its head, and says what to do about
/// the body: 0 as the head says, 1 there is none, 2 there is none and another protocol follows.
class HTTPParser {
  constructor(ofResponses, Message, maxHeaderSize, lenient) {
    this.native = binding.httpParser(ofResponses, maxHeaderSize, lenient);
    this.ofResponses = ofResponses;
    this.Message = Message;
    this.socket = null;
    this.incoming = null;
    this.outgoing = null;
    this.onIncoming = null;
    this.maxHeaderPairs = 2000;
    this.joinDuplicateHeaders = false;
    // Why it takes nothing any more.
    this.refusal = undefined;
    // Whether one of those whom it tells has thrown.
    this.isBroken = false;
    // What came while it told of other bytes, as long as it does.
    this.waiting = undefined;
    // What hooks know it by.
    this.resource = undefined;
    // Who is told of heads where it reads by itself.
    this.headTaken = onHead;
  }

  /// Tells hooks of it, which comes from `maker` if that is not the running callback.
  made(maker) {
    if (binding.heard === undefined) return;
    this.resource = this.ofResponses ?
      hooked.made(CLIENT, new HTTPClientAsyncResource(CLIENT, this.outgoing), maker) :
      hooked.made(SERVER, new HTTPServerAsyncResource(SERVER, this.socket), maker);
  }

  /// How many bytes were taken, or an error that says what is wrong with them.
  execute(bytes) {
    if (this.refusal !== undefined) return parseError(this.refusal, bytes);
    const taken = this.resource === undefined ?
      binding.httpExecute(this.native, bytes, this, onHead, onBody, onComplete) :
      binding.httpExecute(this.native, bytes, this, heardHead, heardBody, heardComplete);
    return typeof taken === 'number' ? taken : parseError(taken, bytes);
  }

  /// Lets it read a stream by itself: `onRead(parser, fault, bytes, taken)` is told of what it cannot
  /// deal with.
  consume(stream, onRead) {
    hooked.consumed(this.resource, () => {
      binding.httpConsume(this.native, stream, this, this.headTaken, onBody, onComplete, onRead);
    });
  }

  /// When the message that is being read began; 0 if none is.
  get since() {
    return binding.httpSince(this.native);
  }

  /// There are no more bytes. Gives an error if that tears a message apart.
  finish() {
    const finished = binding.httpFinish(this.native);
    if (finished === true) onComplete(this, '');
    else if (finished !== false) return parseError(finished);
  }

  /// Takes no more bytes, because of an error of its own.
  fail({ code, reason, bytesParsed }) {
    this.close();
    this.refusal = { code, reason, bytesParsed };
  }

  /// The same, by the name under which programs put something else in its place.
  free() {
    this.close();
  }

  /// Takes no more bytes.
  close() {
    binding.httpClose(this.native);
    if (this.resource !== undefined) hooked.ended(this.resource);
    this.resource = undefined;
    this.isBroken = false;
    this.onIncoming = null;
    this.incoming = null;
    this.outgoing = null;
  }
}

// What hooks know parsers by, of either side.
const CLIENT = 'HTTPCLIENTREQUEST';
const SERVER = 'HTTPINCOMINGMESSAGE';

class HTTPClientAsyncResource {
  constructor(type, req) {
    this.type = type;
    this.req = req;
  }
}

class HTTPServerAsyncResource {
  constructor(type, socket) {
    this.type = type;
    this.socket = socket;
  }
}

// The same as the functions below, each within the parser's resource.
const within = (told) => (parser, ...args) => {
  const { resource } = parser;
  return resource === undefined ? told(parser, ...args) : hooked.call(resource, told, parser, ...args);
};
const heardHead = within(onHead);
const heardBody = within(onBody);
const heardComplete = within(onComplete);

function parseError({ code, reason, bytesParsed }, rawPacket) {
  // An end that comes too early is not explained.
  const error = new Error(rawPacket === undefined ? 'Parse Error' : `Parse Error: ${reason}`);
  error.bytesParsed = bytesParsed;
  error.code = code;
  error.reason = reason;
  if (rawPacket !== undefined) error.rawPacket = toBuffer(rawPacket, 0, rawPacket.length);
  return error;
}

function toBuffer(bytes, from, to) {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
}

function onHead(parser, flags, version, number, text, fields) {
  const message = new parser.Message(parser.socket);
  message._flags = flags | (version << VERSION_SHIFT);
  message._fields = fields;
  if (parser.maxHeaderPairs !== 2000) message[kMaxPairs] = parser.maxHeaderPairs >> 1;
  if (parser.joinDuplicateHeaders) message.joinDuplicateHeaders = true;
  if (parser.ofResponses) {
    message.statusCode = number;
    message.statusMessage = text;
  } else {
    message.method = methods[number];
    message.url = text;
  }
  if ((flags & UPGRADE) !== 0) message.upgrade = true;
  parser.incoming = message;
  const verdict = parser.onIncoming(message, (flags & KEEP_ALIVE) !== 0);
  if ((flags & COMPLETE) !== 0) {
    complete(parser, message);
    return 0;
  }
  // A wish that nobody granted.
  if ((flags & UPGRADE) !== 0 && !message.upgrade) return 3;
  return verdict;
}

function onBody(parser, bytes, from, to) {
  const message = parser.incoming;
  // A body that goes on is no silence.
  if (parser.socket?.timeout) parser.socket._unrefTimer?.();
  if (message === null || message._dumped) return;
  if (!message.push(toBuffer(bytes, from, to))) {
    const { socket } = parser;
    if (socket) require('_http_incoming').readStop(socket);
  }
}

function onComplete(parser, trailers) {
  const message = parser.incoming;
  if (message === null) return;
  if (trailers !== '') message[kTrailerFields] = trailers;
  complete(parser, message);
}

function complete(parser, message) {
  parser.incoming = null;
  // Whoever has not looked at it as a stream by now finds one at its end.
  if ((message._flags & STREAM) === 0) {
    message._flags |= DONE | ENDED;
    return;
  }
  message._flags |= DONE;
  message.push(null);
  // Somebody may have stopped it; the next message should come all the same.
  require('_http_incoming').readStart(parser.socket);
}

module.exports = {
  COMPLETE, DONE, DUMPED, ENDED, EXPECT, HOST, KEEP_ALIVE, STREAM, VERSION_SHIFT, HTTPParser,
  kConnection, kMaxPairs, kTrailerFields,
  allMethods: methods,
  complete,
  onHead,
  parseError,
  toBuffer,
  methods: methods.slice(0, ofHttp),
};
