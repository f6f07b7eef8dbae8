// Jerad and Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the Internet of Things,
// Fig. 2: an asynchronous callback joins a clock. Once it has, observe "will then deterministically print
// 0 and 1 alternating".
// Never ends. Its request comes from whoever asks for http://localhost:8080; in virtual time nobody does, unless
// the program itself asks: hemiola simulate --until 8s examples/papers/clocks-fig2-request.js
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
