// A request of fetch over HTTP: what is sent of its body, and the response as it comes in, decoded.
'use strict';

const { newState, NULL_BODY_STATUS, REDIRECT_STATUS } = require('internal/fetch/response');
const { Body } = require('internal/fetch/body');

const kGlobalDispatcher = Symbol.for('undici.globalDispatcher.1');
// Nothing that a program puts into all objects is taken for a wish.
const kPlain = { __proto__: null };
const MOST_ENCODINGS = 5;
const MOST_DISCARDED = 131_072;
// So much is taken from the connection before anybody reads it: most responses are there as a whole then, and
// the connection is free whether they are read or not.
const MOST_AHEAD = 65_536;

/// Sends the request and gives the response when its head is there.
function network(url, request, headers, job) {
  return new Promise((resolve, reject) => {
    const handler = new Handler(request, job, resolve, reject);
    const path = url.pathname + url.search;
    const { body, method } = request;
    const dispatcher = job.dispatcher ?? globalThis[kGlobalDispatcher];
    if (dispatcher !== undefined) {
      handler.isConnectedAtOnce = true;
      if (body?.length !== undefined && body.length !== null) headers.append('content-length', `${body.length}`);
      dispatcher.dispatch({
        path, origin: url.origin, method, headers: headers.object, maxRedirections: 0,
        body: body === null ? null : generate(body), upgrade: undefined,
      }, handler);
      return;
    }
    const length = body === null ? 0 : body.length;
    require('internal/fetch/dispatch').dispatch({
      path, origin: url.origin, method, headers: headers.pairs, length, body: body === null ? undefined : body.takePieces() ?? reader(body),
    }, handler);
  });
}

/// Gives the chunks of a body one by one.
function reader(body) {
  const source = body.stream.getReader();
  return async () => {
    const { done, value } = await source.read();
    if (done) return undefined;
    // Text is let through, as Node does.
    return typeof value === 'string' ? require('buffer').Buffer.from(value) : value;
  };
}

async function* generate(body) {
  const next = reader(body);
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
}

/// Hears what comes of a request and makes a response of it.
class Handler {
  #request;
  #job;
  #resolve;
  #reject;
  #resume;
  #controller;
  // Where bytes go first: a decoder, or straight to the stream.
  #decoder;
  #done = false;
  #discarded = 0;
  // Gives up the connection of a response that nobody reads.
  #abort;
  // Whether `onConnect` means that there is a connection; `connected` says so otherwise.
  isConnectedAtOnce = false;

  constructor(request, job, resolve, reject) {
    this.#request = request;
    this.#job = job;
    this.#resolve = resolve;
    this.#reject = reject;
    // Other dispatchers look for them among the properties.
    for (const name of ['onConnect', 'onHeaders', 'onData', 'onComplete', 'onError', 'onUpgrade']) this[name] = this[name].bind(this);
  }

  onConnect(abort) {
    if (this.#job.aborted) abort(this.#job.reason);
    else this.#job.connection = { abort, handler: this };
    if (this.isConnectedAtOnce) this.connected();
  }

  connected() {
    this.#job.timing?.connected();
  }

  onHeaders(status, rawHeaders, resume, statusText) {
    if (status < 200) return true;
    this.#job.timing?.answered();
    const request = this.#request;
    const state = newState({ type: 'basic', status, statusText });
    const text = (value) => (typeof value === 'string' ? value : value.latin1Slice());
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = text(rawHeaders[i]).toLowerCase();
      const value = rawHeaders[i + 1];
      for (const one of Array.isArray(value) ? value : [value]) state.headers.append(name, text(one));
    }
    let decoders;
    try {
      const bare = request.method === 'HEAD' || request.method === 'CONNECT' || NULL_BODY_STATUS.includes(status);
      const leaves = REDIRECT_STATUS.includes(status) && request.redirect === 'follow' && state.headers.has('location');
      decoders = bare || leaves ? [] : makeDecoders(state.headers.get('content-encoding'));
    } catch (error) {
      this.#reject(error);
      this.#job.disconnect(error);
      return true;
    }
    this.#resume = resume;
    state.body = Body.of(this.#stream(decoders));
    this.#resolve(state);
    return true;
  }

  #stream(decoders) {
    const { ReadableStream } = require('internal/webstreams/readable');
    const last = decoders[decoders.length - 1];
    const stream = new ReadableStream({
      __proto__: null, type: 'bytes',
      start: (controller) => { this.#controller = controller; },
      pull: () => {
        this.#resume();
        last?.resume();
      },
      cancel: (reason) => this.#cancel(reason),
    }, kPlain);
    if (last === undefined) return stream;
    this.#decoder = decoders[0];
    last.on('data', (chunk) => {
      if (!this.#enqueue(chunk)) last.pause();
    });
    last.on('end', () => this.#close());
    this.#decoder.on('drain', () => this.#resume());
    const { pipeline, finished } = require('stream');
    const failed = (error) => {
      if (error) this.onError(error);
    };
    if (decoders.length > 1) pipeline(decoders, failed);
    else finished(last, failed);
    return stream;
  }

  onData(chunk) {
    if (this.#done) {
      this.#discarded += chunk.byteLength;
      if (this.#discarded > MOST_DISCARDED) this.#abort?.();
      return true;
    }
    this.#job.timing?.received(chunk.byteLength);
    return this.#decoder === undefined ? this.#enqueue(chunk) : this.#decoder.write(chunk);
  }

  /// What is still to come is read and dropped, so that the connection can serve the next request; if that is
  /// too much, the connection is given up.
  discard(abort) {
    this.#done = true;
    this.#abort = abort;
    this.#decoder?.destroy();
    this.#resume?.();
  }

  onComplete() {
    if (this.#done) return;
    if (this.#decoder === undefined) this.#close();
    else this.#decoder.end();
  }

  onError(error) {
    this.#reject(error);
    this.fail(new TypeError('terminated', { cause: error }));
    this.#decoder?.destroy();
  }

  onUpgrade(status, rawHeaders, socket) {
    socket.destroy();
    this.#reject(new Error('bad upgrade'));
    return true;
  }

  /// Gives bytes to the stream, which wants memory of its own; says whether it wants more.
  #enqueue(chunk) {
    if (this.#done || chunk.byteLength === 0) return true;
    this.#job.timing?.decoded(chunk.byteLength);
    this.#controller.enqueue(new Uint8Array(chunk));
    return this.#controller.desiredSize > -MOST_AHEAD;
  }

  #close() {
    if (this.#done) return;
    this.#end();
    this.#controller.close();
    this.#controller.byobRequest?.respond(0);
  }

  /// Whoever reads the response is told why there is no more.
  fail(reason) {
    if (this.#done || this.#controller === undefined) return;
    this.#end();
    this.#controller.error(reason);
  }

  #cancel(reason) {
    if (this.#done) return;
    this.#end();
    this.#decoder?.destroy();
    this.#job.disconnect(reason);
  }

  #end() {
    this.#done = true;
    this.#job.timing?.over();
    if (this.#job.connection?.handler === this) this.#job.settled();
  }
}

/// The decoders for a header, in the order in which bytes pass them; none if one of them is unknown.
function makeDecoders(header) {
  if (header === null) return [];
  const names = header.toLowerCase().split(',').map((name) => name.trim());
  if (names.length > MOST_ENCODINGS) {
    throw new Error(`too many content-encodings in response: ${names.length}, maximum allowed is ${MOST_ENCODINGS}`);
  }
  const zlib = require('zlib');
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const gently = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
  const decoders = [];
  for (const name of names.reverse()) {
    if (name === 'gzip' || name === 'x-gzip') decoders.push(zlib.createGunzip(gently));
    else if (name === 'deflate') decoders.push(createInflate(zlib, gently));
    else if (name === 'br') decoders.push(zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }));
    else return [];
  }
  return decoders;
}

/// Deflate with or without the head that belongs to it: some servers leave it out.
function createInflate(zlib, options) {
  const { Transform } = require('stream');
  let inner;
  return new Transform({
    transform(chunk, encoding, done) {
      if (inner === undefined) {
        if (chunk.length === 0) {
          done();
          return;
        }
        inner = (chunk[0] & 0x0f) === 0x08 ? zlib.createInflate(options) : zlib.createInflateRaw(options);
        inner.on('data', (data) => this.push(data));
        inner.on('end', () => this.push(null));
        inner.on('error', (error) => this.destroy(error));
      }
      inner.write(chunk, encoding, done);
    },
    final(done) {
      if (inner !== undefined) {
        inner.end();
        inner = undefined;
      } else {
        this.push(null);
      }
      done();
    },
  });
}

module.exports = { network };
