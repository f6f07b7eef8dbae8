// A lock is a directory: whoever makes it holds it. `stat` first "saves" the failing `mkdir`.
// Race: the lock may be taken between `stat` and `mkdir`.
'use strict';
const fs = require('fs');

function withLock(work) {
  fs.stat('lock', (error) => {
    if (!error) return; // Somebody else is at it.
    fs.mkdir('lock', (error) => {
      if (error) throw error;
      work(() => fs.rmdir('lock', () => {}));
    });
  });
}

setTimeout(() => withLock((release) => release()), 40);
setTimeout(() => withLock((release) => release()), 90);
