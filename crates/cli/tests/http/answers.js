// What a client makes of answers: bytes that come during a callback, timeouts, lines that go on, aborts.
const http = require('http');
const net = require('net');
const { Duplex } = require('stream');
const { PerformanceObserver } = require('perf_hooks');

const say = (...words) => console.log(...words);

function duringCallback(done) {
  let socket;
  const createConnection = () => {
    socket = new Duplex({
      read() {},
      write(chunk, encoding, callback) {
        if (String(chunk).includes('\r\n\r\n')) this.push('HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n');
        callback();
      },
    });
    return socket;
  };
  const request = http.request('http://localhost:8080', { createConnection });
  request.on('information', ({ statusCode, headers }) => {
    say('information', statusCode, headers);
    socket.push('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no');
    socket.push('k');
    socket.push(null);
  });
  request.on('response', (response) => {
    say('response', response.statusCode);
    response.on('data', (bytes) => say('data', String(bytes)));
    response.on('end', done);
  });
  request.end();
}

/// One answer, word by word, to one request.
function answer(text, options, then) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(text));
  });
  server.listen(0, '127.0.0.1', () => {
    const request = http.get({ host: '127.0.0.1', port: server.address().port, ...options });
    const finished = () => server.close(then);
    request.on('error', ({ code, reason }) => {
      say('error', code, reason);
      finished();
    });
    request.on('response', (response) => {
      say(JSON.stringify(response.rawHeaders));
      response.resume().on('end', finished);
    });
  });
}

function folded(done) {
  const values = ['A: one;\r\n two;\r\n   three  \r\n\tfour', 'A:\r\n two', 'A: x\r\n \r\n y', 'A: 1\r\n 2\r\nB: 3\r\n\t\t4',
    'Content-Length: 1\r\n 0'];
  const next = () => {
    if (values.length === 0) return done();
    answer(`HTTP/1.1 200 OK\r\n${values.shift()}\r\n\r\nbody`, { insecureHTTPParser: true }, next);
  };
  next();
}

function silent(done) {
  const server = http.createServer((request, response) => response.flushHeaders());
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const request = http.get({ host: '127.0.0.1', port }, (response) => {
      const before = request.socket.listenerCount('timeout');
      response.on('timeout', () => {
        say('the response is told', before);
        request.destroy();
      });
      response.on('error', () => {});
      response.setTimeout(1);
      request.on('close', () => server.close(done));
    });
  });
}

function aborted(done) {
  const server = http.createServer((request, response) => {
    for (let i = 0; i < 100; i++) response.write(`${i} `);
    response.end();
  });
  server.listen(0, '127.0.0.1', () => {
    const request = http.get({ host: '127.0.0.1', port: server.address().port }, (response) => {
      let count = 0;
      response.on('data', () => {
        count++;
        request.abort();
      });
      response.on('error', () => {});
      request.on('close', () => {
        say('pieces after an abort', count - 1);
        server.close(done);
      });
    });
  });
}

// The bytes of a file name stay what they are, if the length of the body is known before.
function names(done) {
  const name = Buffer.from('bår').toString('latin1');
  const heads = [
    (response) => response.setHeader('content-disposition', name).setHeader('x-a', name).end('hello'),
    (response) => response.writeHead(200, ['content-length', '5', 'content-disposition', name]).end('hello'),
    (response) => response.writeHead(200, ['content-disposition', name, 'content-length', '5']).end('hello'),
    (response) => response.setHeader('content-disposition', [name]).end(),
  ];
  const next = () => {
    if (heads.length === 0) return done();
    const server = http.createServer((request, response) => heads[0](response));
    server.listen(0, '127.0.0.1', () => {
      http.get({ host: '127.0.0.1', port: server.address().port, agent: false }, ({ headers }) => {
        say(JSON.stringify([headers['content-disposition'], headers['x-a']]));
        heads.shift();
        server.close(next);
        server.closeAllConnections();
      });
    });
  };
  next();
}

function observed() {
  const seen = [];
  const observer = new PerformanceObserver((list) => {
    for (const { name, entryType, startTime, duration, detail } of list.getEntries()) {
      const { host, req, res } = detail;
      if (req) delete req.headers.host;
      if (res) delete res.headers.date;
      seen.push(`${name} ${entryType} ${startTime > 0 && duration >= 0} ${JSON.stringify({ host, req, res })}`);
    }
    if (seen.length < 3) return;
    observer.disconnect();
    say(seen.sort().join('\n'));
  });
  observer.observe({ entryTypes: ['http', 'net'] });
  const server = http.createServer((request, response) => {
    request.resume();
    response.statusCode = 201;
    response.setHeader('x-a', ['1', '2']);
    response.end('hi');
  });
  server.listen(0, '127.0.0.1', () => {
    const options = { host: '127.0.0.1', port: server.address().port, method: 'POST', path: '/a?b', agent: false };
    http.request(options, (response) => {
      response.resume().on('end', () => server.close());
    }).end('body');
  });
}

duringCallback(() => folded(() => silent(() => aborted(() => names(observed)))));
