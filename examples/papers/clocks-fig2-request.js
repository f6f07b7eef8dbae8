// Jerad and Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the Internet of Things,
// Fig. 3: the program of Fig. 2, and the request that comes at 1.5 s. Another time may be given in milliseconds.
// Never ends: hemiola simulate --until 8s
var [, , arrival = '1500'] = process.argv;
require('./clocks-fig2.js');
setTimeout(function() {
  require('http').get({ host: 'localhost', port: 8080 });
}, Number(arrival));
