// Jerad and Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the Internet of Things,
// Fig. 1 with two labels, as in section I.D: "the observe function will deterministically observe value 2
// rather than zero".
// Never ends: hemiola simulate --until 20s
// As printed:
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
setInterval(decrement, 2000, 'B');
setInterval(observe, 4000, 'A');
