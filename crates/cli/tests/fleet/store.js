// Keeps numbers that only grow in a file, and says what it has when it begins. A careful one answers when a number is
// on the disk.
const fs = require('node:fs');
const http = require('node:http');

const isCareful = process.argv.includes('--careful');
const out = fs.openSync('numbers.log', 'a+');
const whole = fs.readFileSync('numbers.log', 'utf8').replace(/[^\n]*$/, '');
fs.ftruncateSync(out, whole.length);
let last = Math.max(0, ...whole.split('\n').map(Number));
obs(`kept ${last}`);
http.createServer((request, response) => {
  const number = Number(request.url.slice(1));
  if (number > last) {
    fs.writeSync(out, `${number}\n`);
    if (isCareful) fs.fsyncSync(out);
    last = number;
  }
  response.end();
}).listen(80);
