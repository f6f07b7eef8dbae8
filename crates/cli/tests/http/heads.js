// Heads of ordinary responses, whatever was done before they are made and in which order. Each is asked for twice: what
// has a property of the program's own is not ordinary, and its head is the same.
const http = require('http');
const net = require('net');

const steps = {
  L: (response, heard) => response.on('finish', () => heard.push('finish')).on('close', () => heard.push('close')),
  S: (response) => { response.statusCode = 200; },
  F: (response) => { response.statusCode = 404; },
  M: (response) => { response.statusMessage = 'Well'; },
  H: (response) => response.setHeader('Content-Type', 'text/plain'),
  N: (response) => response.setHeader('content-length', 4),
  T: (response) => response.setHeader('Content-Length', '4'),
  X: (response) => response.setHeader('X-List', ['a', 'b']),
  U: (response) => response.setHeader('X-Umlaut', 'é'),
  R: (response) => { response.setHeader('x-gone', 1); response.removeHeader('X-Gone'); },
  D: (response) => response.removeHeader('date'),
  W: (response) => response.writeHead(200),
  w: (response) => response.writeHead(200, { 'X-Given': 'y', 'content-type': 'text/html' }),
  a: (response) => response.writeHead(200, ['X-Given', 'z']),
  1: (response) => response.end('body'),
  2: (response) => { response.write('bo'); response.end('dy'); },
  3: (response) => { response.write('bé'); response.end('dü'); },
  4: (response) => { response.write(Buffer.from('bo')); response.end(); },
  5: (response) => { response.write('bo', 'latin1'); response.write('dé', 'latin1'); response.end('y', 'utf8'); },
};
const before = ['', 'L', 'S', 'H', 'LS', 'LH', 'SH', 'HS', 'HL', 'LSH', 'SLH', 'HN', 'LN', 'SHT', 'HX', 'HU', 'R', 'HD', 'M', 'FH',
  'W', 'LW', 'SW', 'HW', 'FW', 'w', 'Lw', 'Hw', 'SHw', 'a', 'Ha', 'LSHN'];
const paths = before.flatMap((word) => ['1', '2', '3', '4', '5'].map((end) => word + end)).filter((word) => !/[NT][^12]/.test(word));

const server = http.createServer((request, response) => {
  const [, word, isOwn] = request.url.split('/');
  if (isOwn) response.own = true;
  const heard = [];
  for (const step of word) steps[step](response, heard);
  response.once('close', () => setImmediate(() => next(heard)));
});

const shown = [];
let next;
server.listen(0, '127.0.0.1', async () => {
  const client = net.connect(server.address().port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  client.on('data', (more) => { text += more; });
  const ask = (path) => new Promise((resolve) => {
    text = '';
    next = (heard) => {
      // All of it is there when its end is.
      const isOver = text.includes('hunked') ? text.endsWith('0\r\n\r\n') : /\r\n\r\n....$/s.test(text);
      if (!isOver) setImmediate(next, heard);
      else resolve(`${text.replace(/Date: .*GMT/, 'Date: now').replaceAll('\r\n', '|')} ${heard}`);
    };
    client.write(`GET /${path} HTTP/1.1\r\nHost: us\r\n\r\n`);
  });
  for (const path of paths) {
    const [plain, own] = [await ask(path), await ask(`${path}/own`)];
    shown.push(`${path}: ${plain}${plain === own ? '' : ` but ${own}`}`);
  }
  console.log(shown.join('\n'));
  client.destroy();
  server.close();
});
