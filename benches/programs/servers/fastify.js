// A JSON API with Fastify; prints its port.
const app = require('fastify')();
app.get('/users/:id', async (request) => (
  { id: Number(request.params.id), name: 'Ada', roles: ['reader', 'writer'], visits: 17.5 }
));
app.listen({ port: 0, host: '127.0.0.1' }).then(() => console.log(app.server.address().port));
