// Jerad and Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the Internet of Things,
// Fig. 2: an asynchronous callback joins a clock. Once it has, observe "will then deterministically print
// 0 and 1 alternating".
// Never ends: hemiola simulate --until 8s
// Stands in for HTTP: one request comes, when it does in Fig. 3, at 1.5 s.
var require = () => ({
  createServer: (handler) => ({ listen: () => setTimeout(handler, 1500, {}, { end() {} }) }),
});
// As printed:
var http = require('http');
var x = 0;
function increment() {
  x = x + 1;
}
function decrement() {
  x = x - 2;
}
function observe() {
  console.log(x);
}
setInterval(increment, 1000, 'A');
setInterval(decrement, 2000, 'A');

function handler(request, response) {
  setInterval(observe, 1000, 'A');
  response.statusCode = 200;
  response.end('Started');
};
var server = http.createServer(handler);
server.listen(8080, 'localhost');
