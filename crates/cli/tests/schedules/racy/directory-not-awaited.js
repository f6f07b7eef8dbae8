// A directory is made and a file is put into it, without waiting in between.
// Race: the file may be opened before the directory is there.
'use strict';
const fs = require('fs');

fs.mkdir('cache', (error) => {
  if (error) throw error;
});
setTimeout(() => {
  fs.writeFile('cache/entry', '1', (error) => {
    if (error) throw error;
  });
}, 30);
