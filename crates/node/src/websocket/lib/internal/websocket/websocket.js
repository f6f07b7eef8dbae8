// WebSocket, the client of the web.
//
// Takes from `binding`:
//   nextTick(callback)                   as `process.nextTick`
//   websocketFrame(first, payload, key)  a masked frame: its first byte, the payload, a number of 32 bits
'use strict';

const { Buffer } = require('buffer');
const { EventTarget, Event, defineEventHandler } = require('internal/event_target');
const { bytesOfBlob, isBlob } = require('internal/blob');
const { DOMException } = require('internal/domexception');
const { isAnyArrayBuffer, isArrayBuffer } = require('internal/util/types');
const { domString, finishClass, illegalInvocation, requireArguments, sequence, typeName, usvString } =
  require('internal/fetch/webidl');
const { Receiver, Violation, TEXT, BINARY, CLOSE, PONG } = require('internal/websocket/receiver');

const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;
// How long the other side may take to close, in milliseconds.
const CLOSE_TIMEOUT = 3000;

function parseUrl(text) {
  const { URL } = require('internal/url');
  let url;
  try {
    url = new URL(text);
  } catch (error) {
    throw new DOMException(`TypeError: ${error.message}`, 'SyntaxError');
  }
  if (url.protocol === 'http:') url.protocol = 'ws:';
  else if (url.protocol === 'https:') url.protocol = 'wss:';
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw new DOMException(`Expected a ws: or wss: protocol, got ${url.protocol}`, 'SyntaxError');
  }
  if (url.hash !== '' || url.href.endsWith('#')) throw new DOMException('Got fragment', 'SyntaxError');
  return url;
}

/// The second argument: protocols, or options with protocols and more headers for the handshake.
function readOptions(value) {
  const list = (given) => {
    const isList = typeName(given) === 'Object' && Symbol.iterator in given;
    return isList ? sequence(given, 'WebSocket constructor', 'protocols', domString) : [domString(given, 'WebSocket constructor', 'protocols')];
  };
  if (typeName(value) !== 'Object' || Symbol.iterator in value) return { protocols: list(value), headers: [] };
  const { convertInit } = require('internal/fetch/headers');
  return {
    protocols: value.protocols === undefined ? [] : list(value.protocols),
    headers: value.headers === undefined ? [] : convertInit(value.headers),
  };
}

function checkProtocols(protocols) {
  const { isToken } = require('internal/fetch/headers');
  const lower = new Set(protocols.map((protocol) => protocol.toLowerCase()));
  if (lower.size !== protocols.length || !protocols.every(isToken)) {
    throw new DOMException('Invalid Sec-WebSocket-Protocol value', 'SyntaxError');
  }
}

const isStatusCode = (code) => (code >= 1000 && code < 1015 && code !== 1004 && code !== 1005 && code !== 1006) || (code >= 3000 && code <= 4999);

class WebSocket extends EventTarget {
  #url;
  #state = CONNECTING;
  #protocol = '';
  #extensions = '';
  #binaryType = 'blob';
  #bufferedAmount = 0;
  #socket;
  // Gives up the handshake.
  #giveUp;
  #receiver;
  #sentClose = false;
  #receivedClose = false;
  #code = 1005;
  #reason = '';
  #timer;

  constructor(url, protocols = []) {
    super();
    requireArguments(arguments.length, 1, 'WebSocket constructor');
    const text = usvString(url);
    const options = readOptions(protocols);
    this.#url = parseUrl(text);
    checkProtocols(options.protocols);
    this.#giveUp = require('internal/websocket/handshake').open(this.#url, options.protocols, options.headers, (problem, socket, head, agreed) => {
      if (this.#state === CLOSED) return;
      if (problem !== undefined) this.#failed(problem);
      else this.#established(socket, head, agreed);
    });
  }

  static #check(self) {
    if (self === null || typeof self !== 'object' || !(#url in self)) throw illegalInvocation();
    return self;
  }

  close(code = undefined, reason = undefined) {
    WebSocket.#check(this);
    let number;
    if (code !== undefined) {
      // Out of the range of the type counts as its end.
      number = Math.min(Math.max(Math.round(+code) || 0, 0), 65535);
      if (number !== 1000 && (number < 3000 || number > 4999)) throw new DOMException('invalid code', 'InvalidAccessError');
    }
    const bytes = reason === undefined ? undefined : Buffer.from(usvString(reason));
    if (bytes !== undefined && bytes.length > 123) {
      throw new DOMException(`Reason must be less than 123 bytes; received ${bytes.length}`, 'SyntaxError');
    }
    if (this.#state === CLOSING || this.#state === CLOSED) return;
    if (this.#state === CONNECTING) {
      this.#state = CLOSING;
      binding.nextTick(() => {
        this.#failed('Connection was closed before it was established.');
        this.#giveUp();
      });
      return;
    }
    this.#state = CLOSING;
    this.#sendClose(number, bytes);
  }

  send(data) {
    WebSocket.#check(this);
    requireArguments(arguments.length, 1, 'WebSocket.send');
    let bytes;
    let opcode = BINARY;
    if (isBlob(data)) bytes = bytesOfBlob(data);
    else if (ArrayBuffer.isView(data)) bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    else if (isAnyArrayBuffer(data) && isArrayBuffer(data)) bytes = new Uint8Array(data);
    else {
      opcode = TEXT;
      bytes = Buffer.from(usvString(data));
    }
    if (this.#state === CONNECTING) throw new DOMException('Sent before connected.', 'InvalidStateError');
    if (this.#state !== OPEN) return;
    const { byteLength } = bytes;
    this.#bufferedAmount += byteLength;
    this.#write(opcode, bytes, () => { this.#bufferedAmount -= byteLength; });
  }

  get readyState() { return WebSocket.#check(this).#state; }

  get bufferedAmount() { return WebSocket.#check(this).#bufferedAmount; }

  get url() { return WebSocket.#check(this).#url.href; }

  get extensions() { return WebSocket.#check(this).#extensions; }

  get protocol() { return WebSocket.#check(this).#protocol; }

  get binaryType() { return WebSocket.#check(this).#binaryType; }

  set binaryType(type) {
    WebSocket.#check(this).#binaryType = type === 'arraybuffer' ? type : 'blob';
  }

  #established(socket, head, { protocol, extensions, inflate }) {
    this.#socket = socket;
    this.#protocol = protocol;
    this.#extensions = extensions;
    this.#receiver = new Receiver({
      message: (opcode, bytes) => this.#received(opcode, bytes),
      ping: (bytes) => { if (!this.#sentClose) this.#write(PONG, bytes); },
      pong: () => {},
      close: (bytes) => this.#closing(bytes),
    }, inflate);
    socket.setTimeout?.(0);
    socket.setNoDelay?.(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#error(error.message, error));
    socket.on('close', () => this.#ended());
    this.#state = OPEN;
    this.dispatchEvent(new Event('open'));
    if (head.length > 0) this.#take(head);
  }

  #take(chunk) {
    if (this.#receivedClose || this.#state === CLOSED) return;
    try {
      this.#receiver.push(chunk);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.#fail(error.message);
    }
  }

  #received(opcode, bytes) {
    if (this.#state !== OPEN) return;
    let data;
    if (opcode === TEXT) {
      try {
        const { TextDecoder } = require('internal/encoding');
        data = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        throw new Violation('Received invalid UTF-8 in text frame.');
      }
    } else if (this.#binaryType === 'blob') {
      data = new (require('internal/blob').Blob)([bytes]);
    } else {
      data = new Uint8Array(bytes).buffer;
    }
    const { MessageEvent } = require('internal/messaging/message_event');
    this.dispatchEvent(new MessageEvent('message', { data, origin: this.#url.origin }));
  }

  /// The server says that it is the end, and why.
  #closing(bytes) {
    if (bytes.length === 1) throw new Violation('Received close frame with a 1-byte body.');
    if (bytes.length > 0) {
      const code = bytes.readUInt16BE(0);
      if (!isStatusCode(code)) throw new Violation('Invalid status code');
      try {
        const { TextDecoder } = require('internal/encoding');
        this.#reason = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(2));
      } catch {
        throw new Violation('Invalid UTF-8');
      }
      this.#code = code;
    }
    this.#receivedClose = true;
    this.#state = CLOSING;
    if (!this.#sentClose) this.#sendClose(bytes.length > 0 ? this.#code : undefined, undefined);
    this.#socket.end();
  }

  #sendClose(code, reason) {
    this.#sentClose = true;
    const bytes = Buffer.alloc(code === undefined ? 0 : 2 + (reason?.length ?? 0));
    if (code !== undefined) {
      bytes.writeUInt16BE(code, 0);
      reason?.copy(bytes, 2);
    }
    this.#write(CLOSE, bytes);
    const timers = require('internal/timers');
    this.#timer = timers.guards.setTimeout(() => this.#socket.destroy(), CLOSE_TIMEOUT);
    this.#timer.unref();
  }

  #write(opcode, bytes, done = undefined) {
    const key = require('crypto').randomBytes(4).readUInt32BE(0);
    const frame = binding.websocketFrame(0x80 | opcode, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), key);
    this.#socket.write(Buffer.from(frame.buffer), done);
  }

  /// The server does what it must not.
  #fail(message) {
    this.#error(message, new Error(message));
    this.#socket.destroy();
  }

  #error(message, error) {
    const { ErrorEvent } = require('internal/websocket/events');
    this.dispatchEvent(new ErrorEvent('error', { message, error }));
  }

  /// There is no connection.
  #failed(message) {
    if (this.#state === CLOSED) return;
    this.#state = CLOSED;
    this.#error(message, new Error(message));
    this.#finish(1006, '', false);
  }

  #ended() {
    if (this.#state === CLOSED) return;
    require('internal/timers').clearTimeout(this.#timer);
    this.#state = CLOSED;
    const wasClean = this.#sentClose && this.#receivedClose;
    this.#finish(this.#receivedClose ? this.#code : 1006, this.#reason, wasClean);
  }

  #finish(code, reason, wasClean) {
    const { CloseEvent } = require('internal/websocket/events');
    this.dispatchEvent(new CloseEvent('close', { code, reason, wasClean }));
  }
}

finishClass(WebSocket, ['close', 'send', 'readyState', 'bufferedAmount', 'url', 'extensions', 'protocol', 'binaryType']);
for (const type of ['open', 'error', 'close', 'message']) {
  defineEventHandler(WebSocket.prototype, type);
  // Only functions are handlers.
  const { get, set, ...rest } = Object.getOwnPropertyDescriptor(WebSocket.prototype, `on${type}`);
  const setFunction = { set(value) { Reflect.apply(set, this, [typeof value === 'function' ? value : null]); } }.set;
  Object.defineProperty(setFunction, 'name', { value: `set on${type}` });
  Object.defineProperty(WebSocket.prototype, `on${type}`, { ...rest, get, set: setFunction });
}
for (const [name, value] of Object.entries({ CONNECTING, OPEN, CLOSING, CLOSED })) {
  for (const target of [WebSocket, WebSocket.prototype]) Object.defineProperty(target, name, { value, enumerable: true });
}

module.exports = { WebSocket };
