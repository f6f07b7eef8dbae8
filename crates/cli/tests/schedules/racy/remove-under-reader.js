// A cleaner removes a temporary file when it should not be needed any more.
// Race: the reader may come later than the cleaner thinks.
'use strict';
const fs = require('fs');

fs.writeFileSync('upload.tmp', 'content');
fs.stat('upload.tmp', (error, stats) => {
  if (error) throw error;
  fs.readFile('upload.tmp', 'utf8', (error, text) => {
    if (error) throw error;
    if (text.length !== stats.size) throw new Error('half a file');
  });
});
setTimeout(() => fs.unlink('upload.tmp', () => {}), 60);
