// Large bodies in both directions, slow readers, streams and pipes.
const http = require('http');
const { Readable, pipeline } = require('stream');
const { createHash } = require('crypto');

const digest = (data) => createHash('sha1').update(data).digest('hex').slice(0, 12);
const big = Buffer.alloc(3_000_000);
for (let i = 0; i < big.length; i++) big[i] = (i * 7 + (i >> 8)) & 255;

const server = http.createServer((request, response) => {
  switch (request.url) {
    case '/big': response.end(big); break;
    case '/big text': case '/bigtext': response.end(big.toString('latin1'), 'latin1'); break;
    case '/echo': request.pipe(response); break;
    case '/pipeline': pipeline(Readable.from(['a', 'b', 'c']), response, (error) => console.log('pipeline', error ?? 'done')); break;
    case '/drain': {
      let left = 40;
      const piece = Buffer.alloc(50_000, 'x');
      let waits = 0;
      const more = () => {
        while (left-- > 0) {
          if (!response.write(piece)) {
            waits++;
            response.once('drain', more);
            return;
          }
        }
        response.end(() => console.log('sent all', waits > 0));
      };
      more();
      break;
    }
    case '/count': {
      let count = 0;
      request.on('data', (data) => {
        count += data.length;
        request.pause();
        setImmediate(() => request.resume());
      });
      request.on('end', () => response.end(String(count)));
      break;
    }
    case '/iterate':
      (async () => {
        const parts = [];
        for await (const part of request) parts.push(part);
        response.end(digest(Buffer.concat(parts)));
      })();
      break;
    case '/ignore': response.end('not read'); break;
    default: response.end();
  }
});
// On a busy computer more than the usual five seconds may pass between two requests.
server.keepAliveTimeout = 600_000;

function ask(path, body, slow = false) {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: server.address().port, path, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      const parts = [];
      response.on('data', (part) => {
        parts.push(part);
        if (!slow) return;
        response.pause();
        setImmediate(() => response.resume());
      });
      response.on('end', () => {
        const whole = Buffer.concat(parts);
        console.log(path, response.statusCode, whole.length, whole.length < 50 ? String(whole) : digest(whole),
          response.headers['content-length'], response.headers['transfer-encoding']);
        resolve();
      });
    });
    request.on('error', reject);
    if (body?.pipe) body.pipe(request);
    else request.end(body);
  });
}

server.listen(0, async () => {
  console.log(digest(big));
  await ask('/big');
  await ask('/big', undefined, true);
  await ask('/bigtext');
  await ask('/echo', big);
  await ask('/echo', Readable.from([big.subarray(0, 1000), big.subarray(1000)]));
  await ask('/echo', '');
  await ask('/pipeline');
  await ask('/drain', undefined, true);
  await ask('/count', big);
  await ask('/iterate', big);
  await ask('/ignore', 'small');
  await ask('/ignore');
  server.close(() => console.log('closed'));
});
