// A poller asks three times whether a file has been processed, and gives up then.
// Race: the processing may take longer than three polls.
'use strict';
const fs = require('fs');

let processed = false;
let polls = 0;
fs.stat('.', () => fs.access('.', () => { processed = true; }));

const timer = setInterval(() => {
  polls++;
  if (processed) clearInterval(timer);
  else if (polls === 3) throw new Error('gave up');
}, 25);
