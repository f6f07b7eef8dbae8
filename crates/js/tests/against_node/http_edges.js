// Ends of messages that have ended, writes that the program looks at, and the parser that packages use themselves.
const http = require('http');
const net = require('net');
const { HTTPParser, methods } = require('_http_common');

const server = http.createServer((req, res) => {
  if (req.url === '/ended') {
    res.write(Buffer.alloc(5e6));
    res.end('y', () => console.log('ended', res.writableFinished));
    res.end((error) => console.log('again', error?.code, res.writableFinished));
    res.on('finish', () => res.end((error) => console.log('after', error?.code)));
  } else if (req.url === '/watched') {
    const { write } = res.socket;
    let watched = false;
    res.socket.write = function(...args) {
      watched = true;
      return write.apply(this, args);
    };
    res.end('c');
    console.log('watched', watched);
  } else {
    res.end('d');
  }
});
server.listen(0, async () => {
  const { port } = server.address();
  const go = (path) => new Promise((resolve) => {
    const request = http.get({ port, path, agent: false }, (response) => response.resume().on('close', resolve));
    request.end((error) => console.log(path, 'client', error?.code));
  });
  await go('/ended');
  await go('/watched');
  const { write } = net.Socket.prototype;
  let count = 0;
  net.Socket.prototype.write = function(...args) {
    count++;
    return write.apply(this, args);
  };
  await go('/');
  net.Socket.prototype.write = write;
  console.log(count > 1);
  server.close(parse);
});

function parser(type) {
  const made = new HTTPParser();
  made.initialize(type, {});
  for (const name of ['kOnMessageBegin', 'kOnHeaders', 'kOnHeadersComplete', 'kOnBody', 'kOnMessageComplete']) {
    made[HTTPParser[name]] = (...args) => console.log(name, name === 'kOnBody' ? args.map(String) : name === 'kOnHeaders' ? args[0] : args);
  }
  return made;
}

function parse() {
  const fed = (of, ...texts) => {
    for (const text of texts) {
      const taken = of.execute(Buffer.from(text));
      console.log(typeof taken === 'number' ? taken : [taken.message, taken.code, taken.bytesParsed, taken.reason]);
    }
    console.log(of.finish()?.code);
  };
  fed(parser(HTTPParser.REQUEST), 'POST /a HTTP/1.1\r\nA: 1\r\nB:2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nTr: x\r\n\r\n');
  fed(parser(HTTPParser.REQUEST), 'GET /a', 'b HTTP/1.1\r\nHost: x\r\n\r\n');
  fed(parser(HTTPParser.RESPONSE), 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab', 'cd');
  fed(parser(HTTPParser.RESPONSE), 'HTTP/1.0 404 Not Found\r\n\r\nuntil the end');
  fed(parser(HTTPParser.REQUEST), 'GET\u0001 / HTTP/1.1\r\n\r\n');
  const broken = parser(HTTPParser.REQUEST);
  broken[HTTPParser.kOnHeadersComplete] = () => { throw new Error('of the program'); };
  try { broken.execute(Buffer.from('GET / HTTP/1.1\r\n\r\n')); } catch (error) { console.log(error.message); }
  console.log(methods.length, process.binding('http_parser').HTTPParser === HTTPParser, HTTPParser.kLenientAll);
}
