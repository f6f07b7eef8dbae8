// Who logs in is sent on before the session is written, and is not logged in where they arrive.
// published: https://github.com/jaredhanson/passport/issues/703
// buggy: passport@0.5.3
// repaired: passport@0.6.0
// race: ./passport-703.js:15 ./passport-703.js:19
// packages: express-session@1.17.3
const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const session = require('express-session');
const { Passport } = require(process.argv[2]);

class Store extends session.Store {
  get(id, done) {
    fs.readFile(`${id}.json`, 'utf8', (error, text) => done(null, error ? undefined : JSON.parse(text)));
  }

  set(id, value, done) {
    fs.writeFile(`${id}.new`, JSON.stringify(value), () => fs.rename(`${id}.new`, `${id}.json`, done));
  }

  destroy(id, done) { fs.rm(`${id}.json`, { force: true }, done); }
}

const passport = new Passport();
passport.serializeUser((user, done) => done(null, user.name));
passport.deserializeUser((name, done) => done(null, { name }));
passport.use({ name: 'known', authenticate() { this.success({ name: 'donkey' }); } });
const layers = [
  session({ store: new Store(), secret: 'x', resave: false, saveUninitialized: false }),
  passport.initialize(),
  passport.session(),
  (request, response, next) => (request.url === '/login' ? passport.authenticate('known')(request, response, next) : next()),
  (request, response) => {
    if (request.url === '/login') response.writeHead(302, { location: '/', 'content-length': 4 });
    response.end(request.url === '/login' ? 'sent' : `${request.user?.name}`);
  },
];
const server = http.createServer((request, response) => {
  const run = (at) => (error) => { assert.ifError(error); layers[at](request, response, run(at + 1)); };
  run(0)();
}).listen(8080, '127.0.0.1', () => {
  const get = (path, headers, then) => http.get({ port: 8080, host: '127.0.0.1', path, headers, agent: false }, then);
  get('/login', {}, (response) => {
    response.resume();
    const cookie = response.headers['set-cookie'][0].split(';')[0];
    get('/', { cookie }, (response) => {
      let body = '';
      response.on('data', (data) => { body += data; }).on('end', () => {
        server.close();
        assert.equal(body, 'donkey');
      });
    });
  });
});
