// Jerad and Lee, A JavaScript Extension Providing Deterministic Temporal Semantics for the Internet of Things,
// Fig. 1, without labels: one might expect 0 every time, but nothing promises it: "the observer sometimes
// sees 0, sometimes -1, and sometimes 1". In virtual time, where no callback is late, it is 0.
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
setInterval(increment, 1000);
setInterval(decrement, 2000);
setInterval(observe, 4000);
