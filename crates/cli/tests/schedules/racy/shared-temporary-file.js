// A file is replaced as a whole: written under another name, then moved into place.
// Race: two savers use the same other name, and one moves away what the other has written.
'use strict';
const fs = require('fs/promises');

async function save(text) {
  await fs.writeFile('state.tmp', text);
  await fs.rename('state.tmp', 'state.json');
}

save('{"version":1}');
setTimeout(() => save('{"version":2}'), 50);
