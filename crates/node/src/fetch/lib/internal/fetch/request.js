// Request.
//
// Takes from `binding`:
//   emitWarning(error)  says a warning as `process.emitWarning` does
'use strict';

const {
  byteString, dictionary, domString, fail, finishClass, illegalInvocation, requireArguments, usvString,
} = require('internal/fetch/webidl');
const { HeadersList, convertInit, fill, guardOf, isToken, makeHeaders } = require('internal/fetch/headers');
const { convertBody, extractBody, mixBody } = require('internal/fetch/body');
const { hrefOf } = require('internal/fetch/response');
const { levelIn } = require('internal/levels');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMake = Symbol('kMake');

const PLACE = 'Request constructor';
const MODES = ['navigate', 'same-origin', 'no-cors', 'cors'];
const CREDENTIALS = ['omit', 'same-origin', 'include'];
const CACHES = ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached'];
const REDIRECTS = ['follow', 'manual', 'error'];
const POLICIES = [
  '', 'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin',
  'strict-origin-when-cross-origin', 'unsafe-url',
];
const any = (value) => value;

const MEMBERS = [
  { key: 'method', convert: byteString },
  { key: 'headers', convert: convertInit },
  { key: 'body', convert: convertBody },
  { key: 'referrer', convert: usvString },
  { key: 'referrerPolicy', convert: domString, allowed: POLICIES },
  { key: 'mode', convert: domString, allowed: MODES },
  { key: 'credentials', convert: domString, allowed: CREDENTIALS },
  { key: 'cache', convert: domString, allowed: CACHES },
  { key: 'redirect', convert: domString, allowed: REDIRECTS },
  { key: 'integrity', convert: domString },
  { key: 'keepalive', convert: Boolean },
  { key: 'signal', convert: any },
  { key: 'window', convert: any },
  { key: 'duplex', convert: domString, allowed: ['half'] },
  { key: 'dispatcher', convert: any },
];

function parseUrl(text) {
  const { URL } = require('internal/url');
  let url;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${text}`, { cause });
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${text}`);
  }
  return url;
}

let warned = false;

function checkMethod(method) {
  const upper = method.toUpperCase();
  if (!isToken(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
  if (['CONNECT', 'TRACE', 'TRACK'].includes(upper)) throw new TypeError(`'${method}' HTTP method is unsupported.`);
  if (['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'].includes(upper)) return upper;
  if (method === 'patch' && !warned) {
    warned = true;
    const message = 'Using `patch` is highly likely to result in a `405 Method Not Allowed`. `PATCH` is much more likely to succeed.';
    const warning = new Error(message);
    warning.name = 'Warning';
    warning.code = 'UNDICI-FETCH-patch';
    binding.emitWarning(warning);
  }
  return method;
}

function checkReferrer(referrer) {
  if (referrer === '') return 'no-referrer';
  const { URL } = require('internal/url');
  let url;
  try {
    url = new URL(referrer);
  } catch (cause) {
    throw new TypeError(`Referrer "${referrer}" is not a valid URL.`, { cause });
  }
  return url.protocol === 'about:' && url.pathname === 'client' ? 'client' : url;
}

/// A signal that is aborted when another one is, which may be an imitation.
function follow(signal) {
  const { AbortController, AbortSignal } = require('internal/abort_controller');
  if (signal === null || signal === undefined) return new AbortController().signal;
  if (typeof signal.aborted !== 'boolean' || typeof signal.addEventListener !== 'function') {
    throw new TypeError("Failed to construct 'Request': member signal is not of type AbortSignal.");
  }
  if (signal instanceof AbortSignal) return AbortSignal.any([signal]);
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  return controller.signal;
}

let stateOf;
let dispatcherOf;

class Request {
  #state;
  #headers;
  #signal;
  #dispatcher;

  constructor(input, init = {}) {
    if (input === kMake) {
      ({ state: this.#state, signal: this.#signal, dispatcher: this.#dispatcher } = init);
      this.#headers = makeHeaders(this.#state.headers, init.guard);
      return;
    }
    requireArguments(arguments.length, 1, PLACE);
    const from = input !== null && typeof input === 'object' && #state in input ? input : undefined;
    const text = from === undefined ? usvString(input) : undefined;
    const settings = dictionary(init, PLACE, 'init', MEMBERS);
    this.#dispatcher = settings.dispatcher ?? from?.#dispatcher;
    this.#state = from === undefined ? newState(parseUrl(text)) : { ...from.#state, headers: HeadersList.from(from.#state.headers), body: null };
    const state = this.#state;
    state.urls = [state.urls[state.urls.length - 1]];
    if (settings.window !== undefined && settings.window !== null) throw new TypeError("'window' option 'client' must be null");
    delete settings.window;
    const changes = Object.keys(settings).length > 0;
    this.#configure(settings, changes);
    // The level of what is fetched; the word that stands for none is the standard's (rule PRIO-2).
    const { priority } = init ?? {};
    if (priority !== undefined) state.level = priority === 'auto' ? undefined : levelIn({ priority }, 'init.priority');
    const signal = settings.signal === undefined ? from?.#signal : settings.signal;
    this.#signal = follow(signal);
    if (state.mode === 'no-cors' && !['GET', 'HEAD', 'POST'].includes(state.method)) {
      throw new TypeError(`'${state.method} is unsupported in no-cors mode.`);
    }
    this.#headers = makeHeaders(state.headers, 'request');
    if (settings.headers !== undefined) {
      state.headers.clear();
      fill(state.headers, settings.headers);
    }
    this.#setBody(settings, from?.#state.body ?? null);
  }

  #configure(settings, changes) {
    const state = this.#state;
    if (changes) {
      if (state.mode === 'navigate') state.mode = 'same-origin';
      state.referrer = 'client';
      state.referrerPolicy = '';
    }
    if (settings.referrer !== undefined) state.referrer = checkReferrer(settings.referrer);
    if (settings.mode === 'navigate') fail(PLACE, 'invalid request mode navigate.');
    for (const key of ['referrerPolicy', 'mode', 'credentials', 'cache', 'redirect', 'integrity', 'keepalive']) {
      if (settings[key] !== undefined) state[key] = settings[key];
    }
    if (state.cache === 'only-if-cached' && state.mode !== 'same-origin') {
      throw new TypeError("'only-if-cached' can be set only with 'same-origin' mode");
    }
    if (settings.method !== undefined) state.method = checkMethod(settings.method);
  }

  #setBody(settings, inherited) {
    const state = this.#state;
    const given = settings.body ?? null;
    if ((given !== null || inherited !== null) && (state.method === 'GET' || state.method === 'HEAD')) {
      throw new TypeError('Request with GET/HEAD method cannot have body.');
    }
    let body = inherited;
    if (given !== null) {
      const [made, type] = extractBody(given, state.keepalive);
      body = made;
      if (type !== null && !state.headers.has('content-type')) state.headers.append('content-type', type);
    }
    if (body !== null && body.source === null) {
      if (given !== null && settings.duplex === undefined) {
        throw new TypeError('RequestInit: duplex option is required when sending a body.');
      }
      if (state.mode !== 'same-origin' && state.mode !== 'cors') {
        throw new TypeError('If request is made from ReadableStream, mode should be "same-origin" or "cors"');
      }
    }
    if (given === null && inherited !== null) {
      if (inherited.unusable) throw new TypeError('Cannot construct a Request with a Request object that has already been used.');
      body = inherited.move();
    }
    state.body = body;
  }

  static #of(self) {
    if (self === null || typeof self !== 'object' || !(#state in self)) throw illegalInvocation();
    return self.#state;
  }

  get method() { return Request.#of(this).method; }

  get url() { return hrefOf(Request.#of(this).urls[0], true); }

  get headers() {
    Request.#of(this);
    return this.#headers;
  }

  get destination() {
    Request.#of(this);
    return '';
  }

  get referrer() {
    const { referrer } = Request.#of(this);
    if (referrer === 'no-referrer') return '';
    return referrer === 'client' ? 'about:client' : referrer.toString();
  }

  get referrerPolicy() { return Request.#of(this).referrerPolicy; }

  get mode() { return Request.#of(this).mode; }

  get credentials() { return Request.#of(this).credentials; }

  get cache() { return Request.#of(this).cache; }

  get redirect() { return Request.#of(this).redirect; }

  get integrity() { return Request.#of(this).integrity; }

  get keepalive() { return Request.#of(this).keepalive; }

  get isReloadNavigation() {
    Request.#of(this);
    return false;
  }

  get isHistoryNavigation() {
    Request.#of(this);
    return false;
  }

  get signal() {
    Request.#of(this);
    return this.#signal;
  }

  get body() { return Request.#of(this).body?.stream ?? null; }

  get bodyUsed() { return Request.#of(this).body?.used ?? false; }

  get duplex() {
    Request.#of(this);
    return 'half';
  }

  clone() {
    const state = Request.#of(this);
    if (state.body?.unusable) throw new TypeError('unusable');
    const copy = { ...state, headers: HeadersList.from(state.headers), body: state.body?.clone() ?? null };
    return new Request(kMake, {
      state: copy, signal: follow(this.#signal), dispatcher: this.#dispatcher, guard: guardOf(this.#headers),
    });
  }

  [kInspect](depth, options) {
    if (options.depth === null) options.depth = 2;
    options.colors ??= true;
    const shown = {};
    for (const key of SHOWN) shown[key] = this[key];
    return `Request ${require('util').formatWithOptions(options, shown)}`;
  }

  static {
    stateOf = (request) => request.#state;
    dispatcherOf = (request) => request.#dispatcher;
    mixBody(Request, Request.#of);
  }
}

const SHOWN = [
  'method', 'url', 'headers', 'destination', 'referrer', 'referrerPolicy', 'mode', 'credentials', 'cache', 'redirect',
  'integrity', 'keepalive', 'isReloadNavigation', 'isHistoryNavigation', 'signal',
];

/// What a request is about, apart from the object that the program has.
function newState(url) {
  return {
    method: 'GET', urls: [url], headers: new HeadersList(), body: null, referrer: 'client', referrerPolicy: '', mode: 'cors',
    credentials: 'same-origin', cache: 'default', redirect: 'follow', integrity: '', keepalive: false, aborted: false,
  };
}

finishClass(Request, [...SHOWN, 'body', 'bodyUsed', 'duplex', 'clone']);
// Node 20 has it, by an oversight.
Object.defineProperty(Request.prototype, 'attribute', { value: undefined, enumerable: true });

module.exports = { Request, dispatcherOf, stateOf };
