// A cached value expires by a timer. Its user looks whether it is there, works, and takes it.
// Race: it may expire during the work.
'use strict';
const fs = require('fs');

const cache = new Map();
cache.set('user', { name: 'Ada' });
setTimeout(() => cache.delete('user'), 100);

if (cache.has('user')) {
  fs.stat('.', () => {
    const { name } = cache.get('user');
    if (name !== 'Ada') throw new Error('another user');
  });
}
