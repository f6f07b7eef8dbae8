// The errors that stand behind "fetch failed", with the names and codes that programs look for.
'use strict';

/// An error class with a code, and symbols by which it is known whichever copy of the classes made it.
function define(name, code, fallback, isGeneral = true) {
  const own = Symbol.for(`undici.error.${code}`);
  const general = Symbol.for('undici.error.UND_ERR');
  return {
    [name]: class extends Error {
      constructor(message = fallback) {
        super(message);
        Object.defineProperty(this, 'name', { value: name, writable: true, configurable: true });
        this.code = code;
      }

      /// Comes last, so that other properties stand before.
      marked() {
        if (isGeneral) this[general] = true;
        this[own] = true;
        return this;
      }
    },
  }[name];
}

const InvalidArgumentError = define('InvalidArgumentError', 'UND_ERR_INVALID_ARG', 'Invalid Argument Error');
const NotSupportedError = define('NotSupportedError', 'UND_ERR_NOT_SUPPORTED', 'Not supported error');
const ContentLengthError = define('RequestContentLengthMismatchError', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
                                  'Request body length does not match content-length header');
const HeadersOverflowError = define('HeadersOverflowError', 'UND_ERR_HEADERS_OVERFLOW', 'Headers Overflow Error');
const HeadersTimeoutError = define('HeadersTimeoutError', 'UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error');
const BodyTimeoutError = define('BodyTimeoutError', 'UND_ERR_BODY_TIMEOUT', 'Body Timeout Error');
const ConnectTimeoutError = define('ConnectTimeoutError', 'UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error');
const SocketError = define('SocketError', 'UND_ERR_SOCKET', 'Socket error');
const HTTPParserError = define('HTTPParserError', 'UND_ERR_HTTP_PARSER', undefined, false);

/// Between whom a connection is.
function endsOf({ localAddress, localPort, remoteAddress, remotePort, remoteFamily }) {
  return { localAddress, localPort, remoteAddress, remotePort, remoteFamily };
}

/// What happened on a connection, with what is known of it.
function socketError(message, socket, ends = endsOf(socket ?? {})) {
  const error = new SocketError(message);
  const { timeout, bytesWritten, bytesRead } = socket ?? {};
  error.socket = socket ? { ...ends, timeout: timeout || undefined, bytesWritten, bytesRead } : null;
  return error.marked();
}

/// What the server sent was not HTTP.
function parserError({ code, reason, bytesParsed, rawPacket }) {
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersOverflowError().marked();
  // Fetch knows no other protocols.
  const why = reason === 'Expected HTTP/, RTSP/ or ICE/' ? 'Expected HTTP/' : reason;
  const error = new HTTPParserError(`Response does not match the HTTP/1.1 protocol (${why})`);
  error.code = code;
  error.data = rawPacket?.toString('latin1', bytesParsed) ?? '';
  return error.marked();
}

module.exports = {
  BodyTimeoutError, ConnectTimeoutError, ContentLengthError, HeadersTimeoutError, InvalidArgumentError, NotSupportedError,
  endsOf, parserError, socketError,
};
