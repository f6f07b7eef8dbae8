// Jerad and Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the Internet of Things,
// section VI: with delays that are relative to the clock, F comes before G, one unit of logical time apart,
// whenever these lines run.
var A = 'A';
function F() { console.log('F', currentTime(A) - start); }
function G() { console.log('G', currentTime(A) - start); }
setTimeout(() => {}, 1, A);
var start = currentTime(A);
// As printed:
setTimeout(F, 3, A);
setTimeout(G, 4, A);
