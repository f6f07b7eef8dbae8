// packages: express@5.3.0
import express from 'express';
import http from 'node:http';

const app = express();
app.set('env', 'test');
app.use(express.json({ limit: '1kb' }));
app.use(express.urlencoded({ extended: true }));
app.use((request, response, next) => {
  response.set('X-Seen', request.path);
  next();
});
const users = express.Router();
users.param('id', (request, response, next, id) => {
  request.user = { id: Number(id) };
  next();
});
users.get('/:id', (request, response) => response.json({ ...request.user, base: request.baseUrl, query: request.query }));
users.post('/', (request, response) => response.status(201).location('/users/7').json(request.body));
app.use('/users', users);
app.get('/text', (request, response) => response.type('text').send('plain'));
app.get('/negotiate', (request, response) => response.format({
  json: () => response.json({ is: 'json' }),
  html: () => response.send('<p>html</p>'),
}));
app.get('/cookie', (request, response) => response.cookie('a', 'b c', { httpOnly: true, maxAge: 1000, path: '/x' }).clearCookie('old').end());
app.get('/old', (request, response) => response.redirect(301, '/text'));
app.get('/stream', async (request, response) => {
  for (const part of ['one ', 'two ', 'three']) {
    response.write(part);
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
});
app.get('/fails', async () => { throw Object.assign(new Error('as asked'), { status: 418 }); });
app.get('/file/*path', (request, response) => response.send(request.params.path.join('|')));
app.use((error, request, response, next) => response.status(error.status ?? 500).json({ error: error.message, type: error.type }));

const server = app.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const ask = (method, path, { headers = {}, body } = {}) => new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const { date, connection, 'keep-alive': alive, expires, ...rest } = response.headers;
        if (rest['set-cookie']) rest['set-cookie'] = rest['set-cookie'].map((cookie) => cookie.replace(/Expires=[^;]*/, 'Expires=…'));
        console.log(method, path, response.statusCode, response.statusMessage, rest, Buffer.concat(parts).toString());
        resolve();
      });
    });
    request.on('error', reject);
    request.end(body);
  });
  const json = { 'content-type': 'application/json' };
  await ask('GET', '/users/42?a[]=1&a[]=2&b=x');
  await ask('POST', '/users', { headers: json, body: JSON.stringify({ name: 'Ada', langs: ['en', 'fr'] }) });
  await ask('POST', '/users', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1&b=2&c=caf%C3%A9' });
  await ask('POST', '/users', { headers: json, body: '{"broken"' });
  await ask('POST', '/users', { headers: json, body: JSON.stringify('x'.repeat(2000)) });
  await ask('GET', '/text', { headers: { 'if-none-match': '"nope"' } });
  await ask('HEAD', '/text');
  await ask('GET', '/negotiate', { headers: { accept: 'text/html' } });
  await ask('GET', '/negotiate', { headers: { accept: 'image/png' } });
  await ask('GET', '/cookie');
  await ask('GET', '/old');
  await ask('GET', '/stream');
  await ask('GET', '/fails');
  await ask('GET', '/file/a/b%20c/d');
  await ask('GET', '/file/%E0%A4%A');
  await ask('OPTIONS', '/text');
  await ask('DELETE', '/nowhere');
  server.close(() => console.log('closed'));
});
