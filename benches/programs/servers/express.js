// A JSON API with Express; prints its port.
const app = require('express')();
app.get('/users/:id', (request, response) => {
  response.json({ id: Number(request.params.id), name: 'Ada', roles: ['reader', 'writer'], visits: 17.5 });
});
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
