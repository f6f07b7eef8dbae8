// After Chadlia Jerad and Edward A. Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the
// Internet of Things, Fig. 2.
// A report that a request starts joins the clock of the counters at a time of that clock. From then on it shows 0 and 1
// in turn, whenever the request came.
// Never ends. The request comes from whoever asks for http://localhost:8080; in virtual time nobody does, unless
// the program asks itself: hemiola simulate --until 8s examples/papers/clocks-fig2-request.js
const http = require('http');

let level = 0;
function raise() { level += 1; }
function lower() { level -= 2; }
function report() { console.log(level); }

setInterval(raise, 1000, 'A');
setInterval(lower, 2000, 'A');

// Each request starts one more report, at the next second of the clock.
function join(request, response) {
  setInterval(report, 1000, 'A');
  response.statusCode = 200;
  response.end('Started');
}

const server = http.createServer(join);
server.listen(8080, 'localhost');
