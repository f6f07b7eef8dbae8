// only: simulate
// What a clock refuses.
const { clock, spend } = require('hemiola:clock');
const attempt = (what, use) => {
  try {
    console.log(what, use());
  } catch (error) {
    console.log(what, error.name, error.code, error.message);
  }
};
for (const label of [undefined, null, 5, {}, '']) attempt('label', () => clock(label));
for (const options of [null, 5, { unit: 'h' }, { unit: 5 }, {}]) attempt('options', () => clock('A', options));
const a = clock('A');
for (const callback of [undefined, 'x']) {
  attempt('setTimeout', () => a.setTimeout(callback, 1));
  attempt('setInterval', () => a.setInterval(callback, 1));
  attempt('deadline', () => a.deadline(1, callback));
  attempt('onLag', () => a.onLag(1, callback));
}
for (const ms of ['1', undefined, NaN, -1, Infinity]) {
  attempt('deadline', () => a.deadline(ms, () => {}));
  attempt('spend', () => spend(ms));
}
for (const period of ['1', undefined, Infinity]) attempt('ticks', () => a.ticks(period));
attempt('setTimeout', () => a.setTimeout(() => {}, Infinity));
for (const policy of ['some', 5, null]) attempt('policy', () => a.policy(policy));
attempt('ticks', () => a.ticks(1, null));
attempt('ticks', () => a.ticks(1, { signal: 5 }));
(async () => {
  for (const args of [['1'], [Infinity], [1, null], [1, { signal: 5 }], [NaN], [-5]]) {
    await a.sleep(...args).then((value) => console.log('sleep', value), (error) => console.log('sleep', error.code, error.message));
  }
  console.log(a, Object.keys(a), a.now(), a.lag());
  a.label = 'B';
  console.log(a.label);
  try {
    require('hemiola:nothing');
  } catch (error) {
    console.log(error.code, error.message.split('\n')[0]);
  }
})();
