// A text in which nothing waits imports in its context, too.
const als = require('./modules/storage.cjs');

als.run('one', () => import('./modules/plain.mjs').then(() => console.log('after', als.getStore())));
