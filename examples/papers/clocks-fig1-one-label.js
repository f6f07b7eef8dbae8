// Jerad and Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the Internet of Things,
// Fig. 1 with its last three lines replaced as in section I.D: observe "will only see value 0".
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
setInterval(decrement, 2000, 'A');
setInterval(observe, 4000, 'A');
