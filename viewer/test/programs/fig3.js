// Jerad and Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the Internet of Things,
// Fig. 2 and 3: an asynchronous callback joins a clock. Every callback has some work to do here, so that one
// sees how long it takes; the request comes from the program itself, and it ends.
const http = require('node:http');
let x = 0;
function work(n) {
  for (let i = 0; i < n; i++) x += i % 2 ? -1 : 1;
}
function increment() {
  x = x + 1;
  work(600_000);
}
function decrement() {
  x = x - 2;
  work(600_000);
}
function observe() {
  console.log(x);
  work(400_000);
}
setInterval(increment, 1000, 'A');
setInterval(decrement, 2000, 'A');

function handler(request, response) {
  setInterval(observe, 1000, 'A');
  response.statusCode = 200;
  response.end('Started');
}
const server = http.createServer(handler);
server.listen(0, 'localhost', function listening() {
  setTimeout(function ask() {
    http.get({ host: 'localhost', port: server.address().port, agent: false });
  }, 1400);
});
setTimeout(function end() {
  process.exit(0);
}, 5300);
work(2_000_000);
