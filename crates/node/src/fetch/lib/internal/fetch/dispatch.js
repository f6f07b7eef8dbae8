// How requests of fetch get to a server: by the HTTP client, over connections that are kept for the next
// request. The interface, options and a handler, is that of undici's dispatchers, which programs may put in
// its place.
'use strict';

const {
  BodyTimeoutError, ConnectTimeoutError, ContentLengthError, HeadersTimeoutError, InvalidArgumentError, NotSupportedError, endsOf,
  parserError, socketError,
} = require('internal/fetch/errors');

// In milliseconds.
const CONNECT_TIMEOUT = 10_000;
const HEADERS_TIMEOUT = 300_000;
const BODY_TIMEOUT = 300_000;
const EXPECTS_BODY = ['PUT', 'POST', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH'];

const { listening, tell, untold } = require('internal/diagnostics');

const agents = { __proto__: null };

function agentOf(protocol) {
  return agents[protocol] ??= new (require(protocol.slice(0, -1)).Agent)({ keepAlive: true });
}

/// The head of a request: its headers in order. Some are not the program's to say.
function headersFor({ method, origin, headers, length, body }) {
  const list = [['host', new (require('internal/url').URL)(origin).host], ['connection', method === 'HEAD' ? 'close' : 'keep-alive']];
  let said;
  for (const [name, value] of headers) {
    switch (name.toLowerCase()) {
      case 'host':
        break;
      case 'content-length':
        said = parseInt(value, 10);
        if (!Number.isFinite(said)) throw new InvalidArgumentError('invalid content-length header').marked();
        break;
      case 'connection': {
        const wish = value.toLowerCase();
        if (wish !== 'close' && wish !== 'keep-alive') throw new InvalidArgumentError('invalid connection header').marked();
        if (wish === 'close') list[1][1] = 'close';
        break;
      }
      case 'transfer-encoding': case 'keep-alive': case 'upgrade':
        throw new InvalidArgumentError(`invalid ${name.toLowerCase()} header`).marked();
      case 'expect':
        throw new NotSupportedError('expect header not supported').marked();
      default:
        list.push([name, value]);
    }
  }
  if (length === null) {
    list.push(said === undefined ? ['transfer-encoding', 'chunked'] : ['content-length', `${said}`]);
  } else {
    // What is said of a body that is not there counts as nothing, as in Node.
    if (said !== undefined && said !== length && body !== undefined) throw new ContentLengthError().marked();
    if (length > 0 || EXPECTS_BODY.includes(method)) list.push(['content-length', `${length}`]);
  }
  return list;
}

/// Sends a request. `body` is undefined, a list of pieces, or a function that gives the next piece of a stream
/// (a promise of it, undefined at the end). The handler hears what comes of it.
function dispatch(options, handler) {
  const exchange = new Exchange(options, handler);
  handler.onConnect((reason) => exchange.abort(reason));
  const { body } = options;
  if (typeof body !== 'function') {
    exchange.begin(body, undefined);
    return;
  }
  // A stream with nothing in it is sent as no body, so that its first piece is awaited.
  body().then((first) => exchange.begin(first === undefined ? undefined : body, first), (error) => exchange.fail(error));
}

/// One request and its response.
class Exchange {
  #options;
  #handler;
  #request;
  #finished = false;
  // What undici's channels are told of.
  #told;
  // Whether what comes is more than somebody reads.
  #paused = false;
  #timer;

  constructor(options, handler) {
    this.#options = options;
    this.#handler = handler;
  }

  begin(body, first) {
    if (this.#finished) return;
    const options = body === undefined ? { ...this.#options, length: 0 } : this.#options;
    let headers;
    try {
      headers = headersFor(options);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#told = { origin: options.origin, method: options.method, path: options.path, headers, body: body ?? null, completed: false, aborted: false };
    Object.defineProperty(this.#told, 'addHeader', { value: (name, value) => headers.push([name, `${value}`]) });
    tell('undici:request:create', { request: this.#told });
    this.#open(headers, body === undefined);
    this.#wait(HEADERS_TIMEOUT, () => new HeadersTimeoutError());
    const request = this.#request;
    if (body === undefined) request.end();
    else if (typeof body === 'function') send(request, first, body, (error) => this.fail(error));
    else request.end(body.length === 1 ? body[0] : require('internal/fetch/body').join(body));
  }

  #open(headers, isBare) {
    const { method, origin, path } = this.#options;
    const url = new (require('internal/url').URL)(origin);
    // The client writes methods in capitals and expects bodies of those it does not know; fetch sends methods
    // as they are.
    const assumed = isBare && method !== 'HEAD' ? 'GET' : method;
    const request = this.#request = require(url.protocol.slice(0, -1)).request({
      method: assumed, path, headers, agent: agentOf(url.protocol), protocol: url.protocol, port: url.port === '' ? undefined : url.port,
      hostname: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname,
    });
    untold.add(request);
    // A server that is asked to close the connection need not say that it does.
    if (headers[1][1] === 'close') request.shouldKeepAlive = false;
    request.on('finish', () => tell('undici:request:bodySent', { request: this.#told }));
    if (request.method !== method) request._header = method + request._header.slice(request.method.length);
    request.on('socket', (socket) => this.#connect(socket, url));
    request.on('error', (error) => this.fail(explain(error, request.socket)));
    request.on('continue', () => this.fail(socketError('bad response', request.socket)));
    request.on('upgrade', (message, socket) => {
      this.fail(socketError('bad upgrade', socket));
      socket.destroy();
    });
    request.on('response', (response) => this.#listen(response));
  }

  /// A connection that cannot be made is not waited for as long as an answer.
  #connect(socket, { host, protocol, hostname, port }) {
    if (!socket.connecting) this.#tellSent(socket);
    if (!socket.connecting || this.#finished) return;
    const about = { connectParams: { host, hostname, protocol, port, servername: null }, connector: agentOf(protocol).createConnection };
    tell('undici:client:beforeConnect', about);
    if (listening('undici:client:connectError')) {
      socket.once('error', (error) => { if (socket.connecting || !socket.bytesRead) tell('undici:client:connectError', { ...about, error }); });
    }
    const address = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
    this.#wait(CONNECT_TIMEOUT, () => new ConnectTimeoutError(
      `Connect Timeout Error (attempted address: ${address}, timeout: ${CONNECT_TIMEOUT}ms)`));
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      tell('undici:client:connected', { ...about, socket });
      this.#tellSent(socket);
      if (!this.#finished) this.#wait(HEADERS_TIMEOUT, () => new HeadersTimeoutError());
    });
  }

  #tellSent(socket) {
    this.#handler.connected();
    if (listening('undici:client:sendHeaders')) tell('undici:client:sendHeaders', { request: this.#told, headers: this.#request._header ?? '', socket });
  }

  #listen(response) {
    if (this.#finished) return;
    const handler = this.#handler;
    // By the time of an error nothing may be known of it.
    const { socket } = response;
    const ends = endsOf(socket);
    // A change of protocols that names none: what follows is no answer.
    if (response.statusCode < 200) {
      response.on('error', () => {});
      this.fail(socketError('other side closed', socket, ends));
      return;
    }
    this.#wait(BODY_TIMEOUT, () => new BodyTimeoutError());
    response.on('data', (chunk) => {
      if (this.#finished) return;
      require('internal/timers').refresh(this.#timer);
      if (handler.onData(chunk)) return;
      this.#paused = true;
      response.pause();
    });
    response.on('end', () => {
      if (!this.#finish()) return;
      this.#told.completed = true;
      if (listening('undici:request:trailers')) tell('undici:request:trailers', { request: this.#told, trailers: toBytes(response.rawTrailers) });
      handler.onComplete(response.rawTrailers);
    });
    response.on('error', (error) => this.fail(explain(error, socket, ends)));
    response.on('close', () => this.fail(socketError('other side closed', socket, ends)));
    if (listening('undici:request:headers')) {
      const { statusCode, statusMessage: statusText } = response;
      tell('undici:request:headers', { request: this.#told, response: { statusCode, headers: toBytes(response.rawHeaders), statusText } });
    }
    handler.onHeaders(response.statusCode, response.rawHeaders, () => this.#resume(response), response.statusMessage);
  }

  #resume(response) {
    if (!this.#paused || this.#finished) return;
    this.#paused = false;
    require('internal/timers').refresh(this.#timer);
    response.resume();
  }

  fail(error) {
    if (!this.#finish()) return;
    if (this.#told !== undefined) tell('undici:request:error', { request: this.#told, error });
    this.#handler.onError(error);
    this.#request?.destroy();
  }

  /// Nobody wants it any more, nor anything else over this connection.
  abort(reason) {
    const socket = this.#request?.socket;
    if (!this.#finished) this.fail(reason);
    // It may have been kept for others, of whom none has it yet.
    else if (!socket?._httpMessage) socket?.destroy();
  }

  #wait(delay, makeError) {
    const timers = require('internal/timers');
    timers.clearTimeout(this.#timer);
    this.#timer = timers.guards.setTimeout(() => {
      // The server is not to blame for a reader that takes its time.
      if (this.#paused) require('internal/timers').refresh(this.#timer);
      else this.fail(makeError().marked());
    }, delay);
    this.#timer.unref();
  }

  #finish() {
    if (this.#finished) return false;
    this.#finished = true;
    require('internal/timers').clearTimeout(this.#timer);
    return true;
  }
}

/// Names and values in turn, as undici has them.
function toBytes(list) {
  const { Buffer } = require('buffer');
  return list.map((text) => Buffer.from(text, 'latin1'));
}

/// Sends what a stream gives, as fast as it is taken.
async function send(request, first, next, fail) {
  try {
    for (let chunk = first; chunk !== undefined; chunk = await next()) {
      if (request.destroyed) return;
      if (chunk.byteLength > 0 && !request.write(chunk)) {
        await new Promise((resolve) => {
          request.once('drain', resolve);
          request.once('close', resolve);
        });
      }
    }
    request.end();
  } catch (error) {
    fail(error);
  }
}

/// Says what happened in the terms of undici.
function explain(error, socket, ends = undefined) {
  const code = error?.code;
  if (typeof code === 'string' && code.startsWith('HPE_')) return parserError(error);
  if (code === 'ECONNRESET' && (error.message === 'socket hang up' || error.message === 'aborted')) {
    return socketError('other side closed', socket, ends);
  }
  return error;
}

module.exports = { dispatch };
