// A control loop on a logical clock uses a value that is read from a file.
// Race: the first period may be over before the file has been read.
'use strict';
const fs = require('fs');

fs.writeFileSync('target', '20');
let target;
let rounds = 0;
fs.readFile('target', 'utf8', (error, text) => { target = { degrees: Number(text) }; });

const timer = setInterval(() => {
  if (target.degrees !== 20) throw new Error('wrong target');
  if (++rounds === 2) clearInterval(timer);
}, 100, 'heating');
