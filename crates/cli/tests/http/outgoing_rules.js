// The rules OUT-1 to OUT-20 of docs/library/http.md, one by one, on a connection that is a plain stream.
const http = require('http');
const { Writable } = require('stream');

class Wire extends Writable {
  text = '';
  _write(chunk, encoding, callback) {
    this.text += chunk.toString('latin1');
    this.pieces = (this.pieces ?? 0) + 1;
    if (this.slow) this.proceed = callback;
    else callback();
  }
}

function respond({ method = 'GET', minor = 1, te, options, highWaterMark } = {}) {
  const request = { method, httpVersionMajor: 1, httpVersionMinor: minor, headers: te ? { te } : {} };
  const response = new http.ServerResponse(request, options);
  response.sendDate = false;
  const wire = new Wire({ highWaterMark });
  response.assignSocket(wire);
  return { response, wire };
}

const attempt = (act) => {
  try {
    return act();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const turn = () => new Promise((resolve) => setImmediate(resolve));
const show = (rule, ...values) => console.log(rule, ...values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : value)));

/// What is on the wire after `act`, and what the message knows about its body.
async function written(rule, act, settings) {
  const { response, wire } = respond(settings);
  const result = attempt(() => act(response, wire));
  await turn();
  show(rule, wire.text, response.chunkedEncoding, response._last, ...(typeof result === 'string' ? [result] : []));
}

async function heads() {
  // OUT-1: the order of a head.
  await written('OUT-1', (r) => r.writeHead(200, { B: 1, a: 'x', Date: 'd' }).end());
  await written('OUT-1', (r) => r.writeHead(200, [['B', 1], ['a', 'x']]).end());
  await written('OUT-1', (r) => r.writeHead(200, ['B', 1, 'a', 'x', 'B', 2]).end());
  await written('OUT-1', (r) => r.setHeader('B', 1).setHeader('a', ['x', 'y']).end());
  await written('OUT-1', (r) => r.setHeader('B', 1).writeHead(201, 'Made', { b: 2, c: 3 }).end());
  // OUT-2: lists.
  await written('OUT-2', (r) => r.writeHead(200, { cookie: ['a', 'b'], 'set-cookie': ['c', 'd'], e: [], f: ['g'] }).end());
  await written('OUT-2', (r) => r.setHeader('Cookie', ['a']).appendHeader('cookie', 'b').end());
  // OUT-3: what ends the connection.
  for (const connection of ['close', 'keep-alive', 'upgrade', 'Close, x', 'closed', '']) {
    await written('OUT-3', (r) => r.setHeader('Connection', connection).end('x'));
  }
  await written('OUT-3', (r) => { r.shouldKeepAlive = false; r.end('x'); });
  await written('OUT-3', (r) => { r.removeHeader('connection'); r.end('x'); });
  await written('OUT-3', (r) => { r.removeHeader('connection'); r.shouldKeepAlive = false; r.end('x'); });
  await written('OUT-3', (r) => { r.maxRequestsOnConnectionReached = true; r.end('x'); });
  for (const ms of [0, 500, 1000, 5999]) await written('OUT-3', (r) => { r._keepAliveTimeout = ms; r.end('x'); });
  await written('OUT-3', (r) => { r._keepAliveTimeout = 5000; r._maxRequestsPerSocket = 3; r.end('x'); });
  await written('OUT-3', (r) => { r._keepAliveTimeout = 5000; r.setHeader('Keep-Alive', 'timeout=1'); r.end('x'); });
  await written('OUT-3', (r) => { r.removeHeader('connection'); r.setHeader('Connection', 'close'); r.end('x'); });
  await written('OUT-3', (r) => { r.removeHeader('connection'); r.setHeader('Connection', 'keep-alive'); r.shouldKeepAlive = false; r.end('x'); });
  await written('OUT-3', (r) => { r.shouldKeepAlive = false; r.setHeader('Connection', 'keep-alive'); r.end('x'); return String(r.shouldKeepAlive); });
  await written('OUT-3', (r) => { r.shouldKeepAlive = false; r.maxRequestsOnConnectionReached = true; r.end('x'); });
  await written('OUT-3', (r) => r.setHeader('Connection', ['a', 'close']).end('x'));
  // OUT-4: how the body ends.
  await written('OUT-4', (r) => r.end());
  await written('OUT-4', (r) => r.end('x'));
  await written('OUT-4', (r) => { r.write('x'); r.end(); });
  await written('OUT-4', (r) => { r.setHeader('Content-Length', 2); r.write('x'); r.end('y'); });
  await written('OUT-4', (r) => { r.setHeader('Content-Length', '02'); r.end('xy'); });
  await written('OUT-4', (r) => { r.setHeader('Transfer-Encoding', 'chunked'); r.end('xy'); });
  await written('OUT-4', (r) => { r.setHeader('Transfer-Encoding', 'gzip, Chunked'); r.end('xy'); });
  await written('OUT-4', (r) => { r.setHeader('Transfer-Encoding', 'gzip'); r.end('xy'); });
  await written('OUT-4', (r) => { r.setHeader('Content-Length', 2); r.setHeader('Transfer-Encoding', 'chunked'); r.end('xy'); });
  await written('OUT-4', (r) => { r.setHeader('Trailer', 'A'); r.end('xy'); });
  await written('OUT-4', (r) => { r.removeHeader('content-length'); r.end('xy'); });
  await written('OUT-4', (r) => { r.removeHeader('transfer-encoding'); r.write('xy'); r.end(); });
  await written('OUT-4', (r) => { r.removeHeader('transfer-encoding'); r.removeHeader('content-length'); r.end('xy'); });
  await written('OUT-4', (r) => { r.useChunkedEncodingByDefault = false; r.end('xy'); });
  await written('OUT-4', (r) => { r.useChunkedEncodingByDefault = false; r.write('x'); r.end('y'); });
  await written('OUT-4', (r) => { r.write('x'); r.end('y'); }, { minor: 0 });
  await written('OUT-4', (r) => { r.setHeader('Content-Length', 2); r.end('xy'); }, { minor: 0 });
  await written('OUT-4', (r) => { r.write('x'); r.end('y'); }, { minor: 0, te: 'chunked' });
  await written('OUT-4', (r) => { r.removeHeader('transfer-encoding'); r.setHeader('Transfer-Encoding', 'chunked'); r.write('x'); r.end('y'); });
  await written('OUT-4', (r) => { r.removeHeader('content-length'); r.setHeader('Content-Length', 1); r.end('x'); });
  await written('OUT-4', (r) => { r.chunkedEncoding = true; r.setHeader('Content-Length', 1); r.end('x'); });
  await written('OUT-4', (r) => { r.setHeader('X', '\xe4'); r.end('x'); });
  await written('OUT-4', (r) => { r.setHeader('X', '\xe4'); r.end(Buffer.from('x')); });
  await written('OUT-4', (r) => { r.setHeader('X', '\xe4'); r.write('x'); r.end('x'); });
  // OUT-5: messages without a body.
  for (const status of [204, 304]) {
    await written('OUT-5', (r) => { r.statusCode = status; r.end('x'); });
    await written('OUT-5', (r) => { r.statusCode = status; r.setHeader('Transfer-Encoding', 'chunked'); r.end(); });
  }
  await written('OUT-5', (r) => { r.write('x'); r.end('y'); }, { method: 'HEAD' });
  await written('OUT-5', (r) => r.end('xy'), { method: 'HEAD' });
  await written('OUT-5', (r) => { r.setHeader('Content-Length', 7); r.end(); }, { method: 'HEAD' });
  for (const act of [(r) => r.end('xy'), (r) => r.write('xy'), (r) => r.write('')]) {
    await written('OUT-5', act, { method: 'HEAD', options: { rejectNonStandardBodyWrites: true } });
  }
  // OUT-6: a head that expects something leaves at once.
  await written('OUT-6', (r) => r.writeHead(200, { Expect: '100-continue' }));
  await written('OUT-6', (r) => r.writeHead(200, { a: 1 }));
  await written('OUT-6', (r) => { r.flushHeaders(); r.flushHeaders(); });
  // OUT-7: names and values are checked when the head is made of them.
  await written('OUT-7', (r) => r.writeHead(200, { 'a b': 1 }));
  await written('OUT-7', (r) => r.writeHead(200, { a: undefined }));
  await written('OUT-7', (r) => r.writeHead(200, { a: 'b\r\nc' }));
  await written('OUT-7', (r) => r.writeHead(200, { a: ['b', 'c\n'] }));
  await written('OUT-7', (r) => r.writeHead(200, [['a', undefined]]));
  await written('OUT-7', (r) => r.writeHead(200, ['a', 'b', 'c']));
}

async function fields() {
  const { response } = respond();
  const list = () => JSON.stringify([response.getHeaderNames(), response.getRawHeaderNames(), response.getHeaders()]);
  // OUT-8: names are compared without case and kept as they were given.
  show('OUT-8', list(), response.getHeader('x'), response.hasHeader('x'));
  response.setHeader('X-A', 1).setHeader('x-b', ['2']).setHeader('x-a', 3);
  show('OUT-8', list(), response.getHeader('X-A'), response.hasHeader('X-B'));
  response.appendHeader('X-C', 4).appendHeader('x-c', [5, 6]).appendHeader('X-b', 7).appendHeader('x-a', 8);
  show('OUT-8', list());
  response.removeHeader('X-C');
  response.removeHeader('nothing');
  show('OUT-8', list());
  const copy = response.getHeaders();
  copy['x-z'] = 1;
  show('OUT-8', Object.getPrototypeOf(copy), response.hasHeader('x-z'));
  // OUT-9: several at once.
  response.setHeaders(new Headers([['M', '1'], ['set-cookie', 'a'], ['set-cookie', 'b'], ['m', '2']]));
  show('OUT-9', list());
  response.setHeaders(new Map([['set-cookie', 'c'], ['n', ['1', '2']]]));
  show('OUT-9', list());
  for (const wrong of [null, undefined, {}, [], 'a']) show('OUT-9', attempt(() => response.setHeaders(wrong)));
  // OUT-10: wrong arguments.
  for (const name of [undefined, null, 1, '', 'a b', 'ä']) {
    for (const method of ['getHeader', 'hasHeader', 'removeHeader', 'setHeader', 'appendHeader']) {
      show('OUT-10', method, attempt(() => String(response[method](name, 'v') === response)));
    }
  }
  for (const value of [undefined, null, '', 0, 'a\0', ['a', 'b\n'], 'ä', 'я']) {
    for (const method of ['setHeader', 'appendHeader']) show('OUT-10', method, attempt(() => String(response[method]('y', value) === response)));
  }
  // OUT-11: when the head has been made, the headers stand.
  response.writeHead(200);
  for (const [method, ...args] of [['setHeader', 'a', 'b'], ['appendHeader', 'a', 'b'], ['removeHeader', 'a'], ['setHeaders', new Map()],
    ['writeHead', 200], ['getHeader', 'x-a'], ['flushHeaders'], ['_renderHeaders']]) {
    show('OUT-11', method, attempt(() => String(response[method](...args) === response)));
  }
}

async function bodies() {
  // OUT-12: what may be written.
  for (const chunk of [null, undefined, 1, {}, [], true, '', 'a', Buffer.from('b'), new Uint8Array([99]), new Uint16Array(1)]) {
    for (const method of ['write', 'end']) {
      await written(`OUT-12 ${method}`, (r) => { r.on('error', () => {}); return String(r[method](chunk) === r); });
    }
  }
  await written('OUT-12', (r) => { r.write('616263', 'hex'); r.end('ZGVm', 'base64'); });
  await written('OUT-12', (r) => r.end('ä', 'latin1'));
  await written('OUT-12', (r) => r.end('ä'));
  await written('OUT-12', (r) => { r.write('ä', 'latin1'); r.end('ä'); });
  // OUT-13: what was promised.
  const strict = (length) => (r) => { r.strictContentLength = true; r.setHeader('Content-Length', length); return r; };
  await written('OUT-13', (r) => String(strict(3)(r).end('abc') === r));
  await written('OUT-13', (r) => String(strict(3)(r).end('ab') === r));
  await written('OUT-13', (r) => String(strict(3)(r).end() === r));
  await written('OUT-13', (r) => { strict(3)(r).writeHead(200); return String(r.write('abcd')); });
  await written('OUT-13', (r) => { strict(3)(r).write('ab'); return String(r.end('c') === r); });
  show('OUT-13', attempt(() => { const r = strict(3)(respond().response); r.write('ab'); return String(r.end('cd') === r); }));
  show('OUT-13', attempt(() => { const r = strict(3)(respond().response); r.write('ab'); return String(r.end() === r); }));
  await written('OUT-13', (r) => { r.strictContentLength = true; r.write('ab'); return String(r.end('cd') === r); });
  // OUT-14: trailers follow the last chunk.
  await written('OUT-14', (r) => { r.setHeader('Trailer', 'A'); r.write('x'); r.addTrailers({ A: 1, b: ['c', 'd'] }); r.end(); });
  await written('OUT-14', (r) => { r.write('x'); r.addTrailers([['A', 1], ['B', 2]]); r.addTrailers({ C: 3 }); r.end(); });
  await written('OUT-14', (r) => { r.addTrailers({ A: 1 }); r.end('x'); });
  await written('OUT-14', (r) => { r.setHeader('Trailer', 'A'); r.setHeader('Content-Length', 1); r.end('x'); });
}

/// Notes the events of a message and the callbacks of its calls.
function watched(settings) {
  const { response, wire } = respond(settings);
  const log = [];
  for (const name of ['prefinish', 'finish', 'close', 'drain', 'socket', 'timeout', 'pipe']) response.on(name, () => log.push(name));
  response.on('error', (error) => log.push(`error ${error.code}`));
  const called = (name) => (error) => log.push(`${name} ${error ? error.code : 'done'}`);
  return { response, wire, log, called };
}

async function ends() {
  // OUT-15: the end is said after all has left.
  let { response, wire, log, called } = watched();
  response.write('a', called('write'));
  show('OUT-15', response.writableEnded, response.writableFinished, response.finished);
  response.end('b', called('end'));
  show('OUT-15', response.writableEnded, response.writableFinished, response.finished);
  await turn();
  show('OUT-15', log.join(), response.writableEnded, response.writableFinished, wire.text);
  // OUT-16: after the end.
  ({ response, wire, log, called } = watched());
  response.end('a', called('end'));
  show('OUT-16', response.end(called('again')) === response);
  show('OUT-16', response.end('b', called('with data')) === response);
  show('OUT-16', response.write('c', called('write')));
  await turn();
  response.end(called('late'));
  await turn();
  show('OUT-16', log.join());
  // OUT-17: after it was destroyed.
  ({ response, wire, log, called } = watched());
  wire.on('error', (error) => log.push(`wire ${error.message}`));
  show('OUT-17', response.destroy(new Error('gone')) === response, response.destroyed, response.errored?.message, wire.destroyed);
  show('OUT-17', response.destroy(new Error('again')) === response, response.errored?.message);
  show('OUT-17', response.write('c', called('write')));
  await turn();
  show('OUT-17', log.join());
  // OUT-18: without a connection it waits.
  response = new http.ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1, headers: {} });
  log = [];
  for (const name of ['prefinish', 'finish', 'close', 'socket', 'drain']) response.on(name, () => log.push(name));
  response.sendDate = false;
  show('OUT-18', response.write('a', () => log.push('a')), response.outputSize, response.writableLength);
  show('OUT-18', response.write('b'.repeat(20_000)), response.writableNeedDrain);
  response.end('c', () => log.push('end'));
  show('OUT-18', response.writableEnded, response.writableFinished, response.outputSize > 20_000);
  wire = new Wire();
  response.assignSocket(wire);
  show('OUT-18', response.outputSize, wire._httpMessage === response, attempt(() => String(respond().response.assignSocket(wire))));
  await turn();
  show('OUT-18', log.join(), wire.text.length, response.writableFinished);
  response.detachSocket(wire);
  show('OUT-18', response.socket, wire._httpMessage);
  // OUT-19: held back.
  ({ response, wire, log } = watched({ highWaterMark: 10 }));
  wire.slow = true;
  show('OUT-19', response.write('a'), response.writableNeedDrain, response.writableHighWaterMark);
  await turn();
  response.cork();
  response.cork();
  show('OUT-19', response.writableCorked);
  response.write('b');
  response.uncork();
  show('OUT-19', response.writableCorked);
  response.end('c');
  await turn();
  for (let n = 0; n < 20 && wire.proceed; n++) {
    const { proceed } = wire;
    wire.proceed = undefined;
    proceed();
    await turn();
  }
  show('OUT-19', response.writableCorked, wire.text, log.join());
  // OUT-20: a timeout is the connection's, now or when there is one.
  ({ response, log } = watched());
  show('OUT-20', response.setTimeout.call({ socket: null, once: (name) => log.push(name), on() {} }, 5) !== undefined, log.join());
}

(async () => {
  await heads();
  await fields();
  await bodies();
  await ends();
  const message = new http.OutgoingMessage();
  for (const act of [(m) => m.write('x'), (m) => m.end('x'), (m) => m.flushHeaders(), (m) => String(m.end()), (m) => m._renderHeaders()]) {
    show('OUT-7', attempt(() => act(message)));
  }
})();
