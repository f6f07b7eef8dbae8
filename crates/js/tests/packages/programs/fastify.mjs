// packages: fastify@5.12.8
import Fastify from 'fastify';
import http from 'node:http';

const app = Fastify({ logger: false, bodyLimit: 2000 });
app.addHook('onRequest', async (request) => { request.began = true; });
app.addHook('onSend', async (request, reply, payload) => { reply.header('x-began', String(request.began)); return payload; });
app.decorate('answer', 42);
app.register(async (scope) => {
  scope.addHook('preHandler', async (request, reply) => {
    if (request.headers.authorization !== 'Bearer secret') return reply.code(401).send({ error: 'who are you?' });
  });
  scope.get('/', async () => ({ secret: scope.answer }));
}, { prefix: '/private' });
app.post('/add', {
  schema: {
    body: { type: 'object', required: ['a', 'b'], properties: { a: { type: 'number' }, b: { type: 'number' } } },
    response: { 200: { type: 'object', properties: { sum: { type: 'number' } } } },
  },
}, async ({ body }) => ({ sum: body.a + body.b, dropped: true }));
app.get('/items/:id', async (request) => ({ id: request.params.id, query: request.query }));
app.get('/stream', async (request, reply) => {
  const { Readable } = await import('node:stream');
  return reply.type('text/plain').send(Readable.from(['a', 'b', 'c']));
});
app.get('/fails', async () => { throw Object.assign(new Error('as asked'), { statusCode: 503, code: 'E_ASKED' }); });
app.setNotFoundHandler((request, reply) => reply.code(404).send({ lost: request.url }));

await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address();
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const ask = (method, path, headers = {}, body) => new Promise((resolve, reject) => {
  const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => {
      const { date, ...rest } = response.headers;
      console.log(method, path, response.statusCode, rest, text);
      resolve();
    });
  });
  request.on('error', reject);
  request.end(body);
});
const json = { 'content-type': 'application/json' };
await ask('POST', '/add', json, '{"a":1,"b":2.5}');
await ask('POST', '/add', json, '{"a":"no","b":2}');
await ask('POST', '/add', json, '{"a":1}');
await ask('POST', '/add', json, '{"a":');
await ask('POST', '/add', { 'content-type': 'text/xml' }, '<a/>');
await ask('POST', '/add', json, JSON.stringify({ a: 'x'.repeat(3000) }));
await ask('GET', '/items/7?q=1&q=2');
await ask('GET', '/private/');
await ask('GET', '/private/', { authorization: 'Bearer secret' });
await ask('GET', '/stream');
await ask('GET', '/fails');
await ask('GET', '/nowhere');
const injected = await app.inject({ method: 'GET', url: '/items/8', query: { deep: 'yes' } });
console.log('injected', injected.statusCode, injected.json());
agent.destroy();
await app.close();
console.log('closed');
