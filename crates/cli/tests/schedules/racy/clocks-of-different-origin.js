// Two logical clocks: the second begins when an answer comes.
// Race: the first one's release at 30 may come before the other's at 10, which counts from the answer.
'use strict';
const fs = require('fs');

let sensor = null;
setTimeout(() => sensor.read(), 30, 'control');
fs.stat('.', () => {
  setTimeout(() => {
    sensor = { read() {} };
  }, 10, 'sensors');
});
