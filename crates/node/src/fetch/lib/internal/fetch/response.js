// Response.
'use strict';

const {
  byteString, dictionary, fail, finishClass, illegalInvocation, requireArguments, unsignedShort, usvString,
} = require('internal/fetch/webidl');
const { HeadersList, convertInit, fill, makeHeaders } = require('internal/fetch/headers');
const { convertBody, extractBody, mixBody } = require('internal/fetch/body');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMake = Symbol('kMake');

const NULL_BODY_STATUS = [101, 204, 205, 304];
const REDIRECT_STATUS = [301, 302, 303, 307, 308];

const MEMBERS = [
  { key: 'status', convert: unsignedShort, initial: () => 200 },
  { key: 'statusText', convert: byteString, initial: () => '' },
  { key: 'headers', convert: convertInit },
];

/// What a response is about, apart from the object that the program has.
function newState(state) {
  return {
    type: 'default', status: 200, statusText: '', headers: new HeadersList(), body: null, urls: [], aborted: false, error: null,
    ...state,
  };
}

/// The address of a response or request, as text.
function hrefOf(url, withHash) {
  return withHash ? url.href : url.href.split('#', 1)[0];
}

let makeResponse;

class Response {
  #state;
  #headers;

  constructor(body = null, init = {}) {
    if (body === kMake) {
      this.#state = init.state;
      this.#headers = makeHeaders(init.state.headers, init.guard);
      return;
    }
    const converted = body === null ? null : convertBody(body);
    this.#state = newState();
    this.#headers = makeHeaders(this.#state.headers, 'response');
    const settings = dictionary(init, undefined, undefined, MEMBERS);
    const extracted = converted === null ? undefined : extractBody(converted);
    Response.#initialize(this.#state, settings, extracted);
  }

  static #initialize(state, { status, statusText, headers }, extracted) {
    if (status < 200 || status > 599) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(statusText)) throw new TypeError('Invalid statusText');
    state.status = status;
    state.statusText = statusText;
    if (headers !== undefined) fill(state.headers, headers);
    if (extracted === undefined) return;
    if (NULL_BODY_STATUS.includes(status)) fail('Response constructor', `Invalid response status code ${status}`);
    const [body, type] = extracted;
    state.body = body;
    if (type !== null && !state.headers.has('content-type')) state.headers.append('content-type', type);
  }

  static #of(self) {
    if (self === null || typeof self !== 'object' || !(#state in self)) throw illegalInvocation();
    return self.#state;
  }

  static error() {
    return makeResponse(newState({ type: 'error', status: 0 }), 'immutable');
  }

  static json(data, init = {}) {
    requireArguments(arguments.length, 1, 'Response.json');
    const settings = dictionary(init, undefined, undefined, MEMBERS);
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError('Value is not JSON serializable');
    const state = newState();
    Response.#initialize(state, settings, [extractBody(text)[0], 'application/json']);
    return makeResponse(state, 'response');
  }

  static redirect(url, status = 302) {
    requireArguments(arguments.length, 1, 'Response.redirect');
    const text = usvString(url);
    const code = unsignedShort(status);
    const { URL } = require('internal/url');
    let parsed;
    try {
      parsed = new URL(text);
    } catch (cause) {
      throw new TypeError(`Failed to parse URL from ${text}`, { cause });
    }
    if (!REDIRECT_STATUS.includes(code)) throw new RangeError(`Invalid status code ${code}`);
    const state = newState({ status: code });
    state.headers.append('location', parsed.href);
    return makeResponse(state, 'immutable');
  }

  get type() { return Response.#of(this).type; }

  get url() {
    const { urls } = Response.#of(this);
    return urls.length === 0 ? '' : hrefOf(urls[urls.length - 1], false);
  }

  get redirected() { return Response.#of(this).urls.length > 1; }

  get status() { return Response.#of(this).status; }

  get ok() {
    const { status } = Response.#of(this);
    return status >= 200 && status <= 299;
  }

  get statusText() { return Response.#of(this).statusText; }

  get headers() {
    Response.#of(this);
    return this.#headers;
  }

  get body() { return Response.#of(this).body?.stream ?? null; }

  get bodyUsed() { return Response.#of(this).body?.used ?? false; }

  clone() {
    const state = Response.#of(this);
    if (state.body?.unusable) fail('Response.clone', 'Body has already been consumed.');
    const copy = { ...state, headers: HeadersList.from(state.headers), body: state.body?.clone() ?? null };
    return makeResponse(copy, require('internal/fetch/headers').guardOf(this.#headers));
  }

  [kInspect](depth, options) {
    if (options.depth === null) options.depth = 2;
    options.colors ??= true;
    const { status, statusText, headers, body, bodyUsed, ok, redirected, type, url } = this;
    const shown = { status, statusText, headers, body, bodyUsed, ok, redirected, type, url };
    return `Response ${require('util').formatWithOptions(options, shown)}`;
  }

  static {
    makeResponse = (state, guard) => new Response(kMake, { state, guard });
    mixBody(Response, Response.#of);
  }
}

finishClass(Response,
            ['type', 'url', 'redirected', 'status', 'ok', 'statusText', 'headers', 'body', 'bodyUsed', 'clone'],
            ['error', 'json', 'redirect']);

module.exports = { Response, NULL_BODY_STATUS, REDIRECT_STATUS, hrefOf, makeResponse, newState };
