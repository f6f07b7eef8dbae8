// After Chadlia Jerad and Edward A. Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the
// Internet of Things, Fig. 3.
// The program of Fig. 2, and the request, which comes after 1.5 s. Another time may be given in milliseconds.
// Never ends: hemiola simulate --until 8s
const http = require('http');
const delay = Number(process.argv[2] ?? 1500);
require('./clocks-fig2.js');
setTimeout(() => http.get({ host: 'localhost', port: 8080 }), delay);
