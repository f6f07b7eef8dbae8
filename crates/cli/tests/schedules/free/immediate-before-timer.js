// Set in a callback of the poll phase, an immediate comes before any timer. Its accesses are ordered.
'use strict';
const fs = require('fs');

fs.stat('.', () => {
  let ready = null;
  setTimeout(() => console.log(ready.text), 0);
  setImmediate(() => { ready = { text: 'ready' }; });
});
