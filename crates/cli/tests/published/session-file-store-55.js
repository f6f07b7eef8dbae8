// A request that only touches its session writes what it read when it began: who logged out is logged in again.
// published: https://github.com/valery-barysok/session-file-store/pull/55
// buggy: session-file-store@1.0.0
// repaired: session-file-store@1.0.0 waiting
// race: slide/lib/bind-actor.js:15 slide/lib/bind-actor.js:15
// packages: express-session@1.17.3
const assert = require('node:assert');
const Store = require(process.argv[2])(require('express-session'));
const waiting = process.argv[3] === 'waiting';

const store = new Store({ path: 'sessions', retries: 0, reapInterval: -1, logFn() {} });
const cookie = { originalMaxAge: null };
const then = (next) => (error, session) => {
  assert.ifError(error);
  next(session);
};
const look = then(() => store.get('1', then((session) => assert.equal(session.user, undefined))));
store.set('1', { cookie, user: 'donkey' }, then(() => {
  store.get('1', then((session) => {
    if (waiting) return store.touch('1', session, then(() => store.set('1', { cookie }, look)));
    let left = 2;
    const done = then(() => { if (--left === 0) look(null); });
    store.touch('1', session, done);
    store.set('1', { cookie }, done);
  }));
}));
