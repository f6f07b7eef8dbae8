// What a response lets one do, and what it refuses.
const http = require('http');

function attempt(name, act) {
  try {
    console.log(name, act());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

// Values of a header that may be there only once are put together.
const server = http.createServer({ uniqueHeaders: ['X-Unique'] }, (request, response) => {
  console.log(response.headersSent, response.statusCode, response.statusMessage, response.writableEnded, response.writableFinished,
    response.writableLength, response.writableHighWaterMark, response.writableCorked, response.writableNeedDrain, response.finished,
    response.sendDate, response.strictContentLength, response.req === request, response.socket === request.socket,
    response.connection === request.socket, response.writable, response.destroyed, response.errored, response.closed,
    response.writableObjectMode, response.chunkedEncoding, response.shouldKeepAlive, response.useChunkedEncodingByDefault);
  attempt('unique', () => response.setHeader('x-unique', ['1', '2']).getHeader('X-Unique'));
  attempt('set', () => response.setHeader('X-One', 1) === response);
  attempt('append', () => response.appendHeader('X-One', 'two').getHeader('x-one'));
  attempt('append list', () => response.appendHeader('x-one', ['3', '4']).getHeader('x-one'));
  attempt('headers', () => response.getHeaders());
  attempt('names', () => response.getHeaderNames());
  attempt('raw names', () => response.getRawHeaderNames());
  attempt('has', () => [response.hasHeader('X-ONE'), response.hasHeader('x-two')]);
  attempt('remove', () => [response.removeHeader('x-ONE'), response.hasHeader('x-one')]);
  attempt('setHeaders', () => response.setHeaders(new Map([['a', '1'], ['set-cookie', ['x', 'y']]])).getHeaders());
  attempt('bad setHeaders', () => response.setHeaders({}));
  attempt('bad name', () => response.setHeader('a b', '1'));
  attempt('no name', () => response.setHeader('', '1'));
  attempt('name of another type', () => response.setHeader(1, '1'));
  attempt('undefined', () => response.setHeader('a', undefined));
  attempt('bad value', () => response.setHeader('a', 'b\nc'));
  attempt('beyond latin1', () => response.setHeader('a', '\u0100'));
  attempt('latin1', () => response.setHeader('b', '\xff').getHeader('b'));
  attempt('get', () => response.getHeader());
  attempt('remove nothing', () => response.removeHeader());
  attempt('status', () => response.writeHead(99));
  attempt('status text', () => response.writeHead('abc'));
  attempt('reason', () => response.writeHead(200, 'a\r\nb'));
  response.statusMessage = undefined;
  attempt('odd list', () => response.writeHead(200, ['a']));
  attempt('write null', () => response.write(null));
  attempt('write a number', () => response.write(1));
  attempt('write nothing', () => response.write());
  attempt('end a number', () => response.end(1));
  attempt('head', () => response.writeHead(200, { 'X-Two': 'b' }) === response);
  attempt('head again', () => response.writeHead(200));
  attempt('late set', () => response.setHeader('a', 'b'));
  attempt('late append', () => response.appendHeader('a', 'b'));
  attempt('late remove', () => response.removeHeader('a'));
  attempt('trailer name', () => response.addTrailers({ 'a b': 'c' }));
  attempt('trailer value', () => response.addTrailers({ a: 'b\nc' }));
  attempt('flush', () => [response.flushHeaders(), response.headersSent]);
  response.on('finish', () => console.log('finish', response.writableFinished, response.socket !== null));
  response.on('close', () => console.log('close', response.closed, response.destroyed, response.socket));
  response.on('prefinish', () => console.log('prefinish'));
  response.write('a', () => console.log('written a'));
  response.write('b', 'latin1', () => console.log('written b'));
  attempt('end', () => response.end('c', () => console.log('ended')) === response);
  attempt('end again', () => response.end() === response);
  response.end((error) => console.log('end again', error?.code));
  response.on('error', (error) => console.log('error', error.code));
  attempt('write after end', () => response.write('d', (error) => console.log('callback', error.code)));
  console.log(response.writableEnded, response.finished);
});

server.listen(0, () => {
  http.get({ port: server.address().port }, (response) => {
    const { date, ...headers } = response.headers;
    console.log(headers);
    response.on('data', (data) => console.log('data', String(data)));
    response.on('end', () => server.close());
  });
});

// One that stands alone.
const message = new http.OutgoingMessage();
console.log(message.writableHighWaterMark, message.writableLength, message.headersSent, message.getHeaders());
attempt('implicit', () => message.flushHeaders());
attempt('alone', () => message.write('x'));
message.on('error', (error) => console.log('error', error.code));
attempt('pipe', () => message.pipe(process.stdout));
for (const [name, value] of [['a b', 1], ['', 1], ['a', undefined], ['a', 'b\x01'], ['a', 'b']]) {
  attempt('validateHeaderName', () => http.validateHeaderName(name));
  attempt('validateHeaderName with a label', () => http.validateHeaderName(name, 'Label'));
  attempt('validateHeaderValue', () => http.validateHeaderValue(name, value));
}
attempt('idle', () => http.setMaxIdleHTTPParsers(0));
attempt('idle', () => http.setMaxIdleHTTPParsers(10));
console.log(http.METHODS.length, http.METHODS.join(), http.maxHeaderSize, Object.keys(http.STATUS_CODES).length);
