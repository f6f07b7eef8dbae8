// fetch: gets what a request asks for, as the standard of that name says and as Node 20 does, which has no
// origin of its own and so no use for cookies, caches and most of the rules about other origins.
'use strict';

const { Request, dispatcherOf, stateOf: requestState } = require('internal/fetch/request');
const { NULL_BODY_STATUS, REDIRECT_STATUS, makeResponse, newState } = require('internal/fetch/response');
const { HeadersList } = require('internal/fetch/headers');
const { extractBody } = require('internal/fetch/body');
const { network } = require('internal/fetch/network');
const { atLevel } = require('internal/levels');

const REDIRECT_LIMIT = 20;
const BAD_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111,
  113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548,
  554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665,
  6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
const BODY_HEADERS = ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length'];
const PRIVATE_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'host'];

const isHttp = ({ protocol }) => protocol === 'http:' || protocol === 'https:';
const sameOrigin = (a, b) => a.protocol === b.protocol && a.hostname === b.hostname && a.port === b.port;
const lastOf = (list) => list[list.length - 1];

/// What is under way for one call.
class Job {
  constructor(dispatcher) {
    this.dispatcher = dispatcher;
    this.aborted = false;
    this.reason = undefined;
    // The request that is on its way: how to stop it, and who hears of it.
    this.connection = undefined;
    // To be called when no abort matters any more.
    this.settled = undefined;
    // What it notes down of its time, from when it goes over HTTP.
    this.timing = undefined;
  }

  /// Has no use for the rest of the response, but for the connection.
  leave() {
    const { connection } = this;
    this.connection = undefined;
    connection?.handler.discard(connection.abort);
  }

  /// Leaves the connection, which then is of no use to others.
  disconnect(reason) {
    const { connection } = this;
    this.connection = undefined;
    connection?.abort(reason);
  }
}

function fetch(input, init = undefined) {
  return new Promise((resolve, reject) => {
    // What it throws rejects the promise.
    const request = new Request(input, init);
    atLevel(requestState(request).level, () => begin(request, resolve, reject));
  });
}

function begin(request, resolve, reject) {
  const state = { ...requestState(request), type: 'basic' };
  const { signal } = request;
  const job = new Job(dispatcherOf(request));
  const stop = () => {
    const { reason } = signal;
    job.aborted = true;
    job.reason = reason;
    reject(reason);
    if (state.body !== null && !state.body.unusable) state.body.cancel(reason);
    job.connection?.handler.fail(reason);
    job.disconnect(reason);
  };
  if (signal.aborted) {
    stop();
    return;
  }
  signal.addEventListener('abort', stop, { once: true });
  job.settled = () => signal.removeEventListener('abort', stop);
  state.headers = HeadersList.from(state.headers);
  if (!state.headers.has('accept')) state.headers.append('accept', '*/*');
  if (!state.headers.has('accept-language')) state.headers.append('accept-language', '*');
  follow(state, job).then((response) => {
    if (job.connection === undefined) job.settled();
    if (job.aborted) return;
    if (response.body === null) job.timing?.over();
    job.timing?.accepted();
    resolve(makeResponse(response, 'immutable'));
  }, (cause) => {
    job.settled();
    if (job.aborted) return;
    job.timing?.failed();
    reject(new TypeError('fetch failed', { cause }));
  });
}

/// Goes after redirects until there is a response.
async function follow(request, job) {
  for (let redirects = 0; ; redirects++) {
    const url = lastOf(request.urls);
    if (isHttp(url) && BAD_PORTS.has(+url.port)) throw new Error('bad port');
    if (request.referrer !== 'no-referrer') request.referrer = referrerFor(request, url);
    const type = typeFor(request, url);
    const response = await fetchScheme(url, request, job);
    response.urls = [...request.urls];
    response.type = type;
    const isRedirect = REDIRECT_STATUS.includes(response.status);
    if (isRedirect && isHttp(url)) {
      if (request.redirect === 'error') {
        job.leave();
        throw new Error('unexpected redirect');
      }
      const location = request.redirect === 'follow' ? locationOf(response, url) : null;
      if (location !== null) {
        job.leave();
        redirect(request, response, location, redirects);
        job.timing.redirected();
        continue;
      }
    }
    if (request.method === 'HEAD' || NULL_BODY_STATUS.includes(response.status) || type === 'opaque') {
      job.leave();
      response.body = null;
    }
    if (type === 'opaque') return newState({ type, status: 0 });
    return request.integrity === '' ? response : verified(response, request.integrity, job);
  }
}

/// How much a response is to tell: all, unless a redirect led to another origin.
function typeFor(request, url) {
  if (request.type !== 'cors' && sameOrigin(url, request.urls[0])) return 'basic';
  if (request.mode === 'same-origin') throw new Error('request mode cannot be "same-origin"');
  if (request.mode === 'no-cors') {
    if (request.redirect !== 'follow') throw new Error('redirect mode cannot be "follow" for "no-cors" request');
    return 'opaque';
  }
  return request.type = 'cors';
}

/// Where a response sends to; the fragment stays if the new address has none.
function locationOf(response, url) {
  const header = response.headers.get('location');
  if (header === null) return null;
  const { URL } = require('internal/url');
  const { Buffer } = require('buffer');
  // Some servers send it in UTF-8.
  const text = /^[\0-\x7f]*$/.test(header) ? header : Buffer.from(header, 'latin1').toString();
  const location = new URL(text, url.href);
  if (location.hash === '') location.hash = url.hash;
  return location;
}

/// Changes the request to what is asked for next.
function redirect(request, response, location, redirects) {
  if (!isHttp(location)) throw new Error('URL scheme must be a HTTP(S) scheme');
  if (redirects === REDIRECT_LIMIT) throw new Error('redirect count exceeded');
  const url = lastOf(request.urls);
  const moved = !sameOrigin(url, location);
  if (request.mode === 'cors' && (location.username || location.password) && moved) {
    throw new Error('cross origin not allowed for request mode "cors"');
  }
  if (response.type === 'cors' && (location.username || location.password)) {
    throw new Error('URL cannot contain credentials for request mode "cors"');
  }
  const { status } = response;
  if (status !== 303 && request.body !== null && request.body.source === null) throw new Error();
  request.headers = HeadersList.from(request.headers);
  const { method } = request;
  if (((status === 301 || status === 302) && method === 'POST') || (status === 303 && method !== 'GET' && method !== 'HEAD')) {
    request.method = 'GET';
    request.body = null;
    for (const name of BODY_HEADERS) request.headers.delete(name);
  }
  if (moved) for (const name of PRIVATE_HEADERS) request.headers.delete(name);
  if (request.body !== null) request.body = request.body.again();
  request.urls = [...request.urls, location];
}

/// What is told of the page that a request comes from: its origin to others, all of it to its own.
function referrerFor(request, url) {
  const { referrer, referrerPolicy: policy } = request;
  if (typeof referrer === 'string') return 'no-referrer';
  const { URL } = require('internal/url');
  if (!isHttp(referrer)) return 'no-referrer';
  const full = new URL(referrer.href);
  full.username = full.password = full.hash = '';
  const origin = new URL(`${full.origin}/`);
  const same = sameOrigin(full, url);
  const secure = ({ protocol, hostname }) => protocol === 'https:' || hostname === 'localhost' || /^127\./.test(hostname) || hostname === '[::1]';
  const downgrade = secure(full) && !secure(url);
  switch (policy) {
    case 'no-referrer': return 'no-referrer';
    case 'unsafe-url': return full;
    case 'origin': return origin;
    case 'same-origin': return same ? full : 'no-referrer';
    case 'origin-when-cross-origin': return same ? full : origin;
    case 'no-referrer-when-downgrade': return downgrade ? 'no-referrer' : full;
    case 'strict-origin': return downgrade ? 'no-referrer' : origin;
    default:
      if (same) return full;
      return downgrade ? 'no-referrer' : origin;
  }
}

async function fetchScheme(url, request, job) {
  switch (url.protocol) {
    case 'http:': case 'https:': return fetchHttp(url, request, job);
    case 'about:': throw new Error('about scheme is not supported');
    case 'file:': throw new Error('not implemented... yet...');
    case 'blob:': return fetchBlob(url, request);
    case 'data:': {
      const found = require('internal/fetch/mime').parseDataUrl(url);
      if (found === undefined) throw new Error('failed to fetch the data URL');
      return ready(200, 'OK', [['Content-Type', found.type]], found.bytes);
    }
    default: throw new Error('unknown scheme');
  }
}

function ready(status, statusText, headers, content) {
  const state = newState({ type: 'basic', status, statusText, body: extractBody(content)[0] });
  for (const [name, value] of headers) state.headers.append(name, value);
  return state;
}

function fetchBlob(url, request) {
  // `resolveObjectURL` looks past a query, but there is no blob of that name.
  const blob = url.search === '' ? require('internal/url/blobs').resolveObjectURL(url.href) : undefined;
  if (request.method !== 'GET' || blob === undefined) throw new Error('invalid method');
  const { size, type } = blob;
  const range = request.headers.get('range');
  if (range === null) return ready(200, 'OK', [['content-length', `${size}`], ['content-type', type]], blob);
  const [whole, first, last] = /^bytes[\t ]*=[\t ]*(\d*)[\t ]*-[\t ]*(\d*)$/.exec(range) ?? [];
  // Node 20 takes no range without an end.
  if (whole === undefined || last === '' || +first > +last) {
    throw new Error('failed to fetch the data URL');
  }
  let start = +first;
  let end = +last;
  if (first === '') {
    start = size - end;
    end = start + end - 1;
  } else {
    if (start >= size) throw new Error("Range start is greater than the blob's size.");
    end = Math.min(end, size - 1);
  }
  // As in Node 20, the last byte is not among them.
  const part = blob.slice(start, end, type);
  const headers = [['content-length', `${part.size}`], ['content-type', type], ['content-range', `bytes ${start}-${end}/${size}`]];
  return ready(206, 'Partial Content', headers, part);
}

async function fetchHttp(url, request, job, again = false) {
  const headers = HeadersList.from(request.headers);
  if (typeof request.referrer !== 'string') headers.append('referer', request.referrer.href);
  headers.append('sec-fetch-mode', request.mode);
  if (!headers.has('user-agent')) headers.append('user-agent', 'node');
  let { cache } = request;
  const conditions = ['if-modified-since', 'if-none-match', 'if-unmodified-since', 'if-match', 'if-range'];
  if (cache === 'default' && conditions.some((name) => headers.has(name))) cache = 'no-store';
  if (cache === 'no-cache' && !headers.has('cache-control')) headers.append('cache-control', 'max-age=0');
  if (cache === 'no-store' || cache === 'reload') {
    if (!headers.has('pragma')) headers.append('pragma', 'no-cache');
    if (!headers.has('cache-control')) headers.append('cache-control', 'no-cache');
  }
  if (headers.has('range')) headers.append('accept-encoding', 'identity');
  if (!headers.has('accept-encoding')) headers.append('accept-encoding', url.protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate');
  headers.delete('host');
  job.timing ??= new (require('internal/fetch/timing').Timing)(request.urls[0].href);
  const response = await network(url, request, headers, job);
  if (response.status === 407) {
    job.disconnect();
    throw new Error();
  }
  // The server says that it is the wrong one: another connection may lead to the right one.
  if (response.status === 421 && !again && (request.body === null || request.body.source !== null)) {
    job.disconnect();
    if (request.body !== null) request.body = request.body.again();
    return fetchHttp(url, request, job, true);
  }
  return response;
}

/// The response, if its body has one of the hashes of the strongest kind that is listed.
async function verified(response, integrity, job) {
  const strengths = ['sha256', 'sha384', 'sha512'];
  const listed = [];
  for (const item of integrity.split(' ')) {
    const [, name, hash] = /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})(?:\?.*)?$/i.exec(item) ?? [];
    if (name !== undefined) listed.push([strengths.indexOf(name.toLowerCase()), hash.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '')]);
  }
  if (listed.length === 0) return response;
  const bytes = response.body === null ? new Uint8Array(0) : await response.body.bytes();
  const best = Math.max(...listed.map(([strength]) => strength));
  const actual = require('crypto').createHash(strengths[best]).update(bytes).digest('base64').replace(/=+$/, '');
  if (!listed.some(([strength, hash]) => strength === best && hash === actual)) {
    job.timing = undefined;
    throw new Error('integrity mismatch');
  }
  response.body = extractBody(bytes)[0];
  return response;
}

module.exports = { fetch };
