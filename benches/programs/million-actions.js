// A million actions, one after the other: what it takes to go back in a long recording.
let n = 0;
function tick() {
  n++;
  if (n < 1e6) setImmediate(tick);
}
tick();
