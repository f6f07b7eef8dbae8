// only: simulate
// TIME-14: a deadline's handler comes before every action that is too late; a lag's once until recovered.
const { clock, spend } = require('hemiola:clock');
const a = clock('A');
a.deadline(5, (lag) => { console.log('late by', lag); process.nextTick(() => console.log('tail of the handler')); });
const lag = a.onLag(5, (lag) => console.log('lags', lag, a.lag()));
for (const [at, busy] of [[10, 17], [20, 10], [30, 0], [50, 16], [60, 0]]) {
  a.setTimeout(() => { console.log('action', at); spend(busy); if (at === 30) lag.remove(); }, at);
}
