// What handles are: numbers when asked, closed in many ways, refreshed.
const log = (...what) => console.log(...what);
const timer = setTimeout(() => log('never'), 1);
const number = +timer;
log(typeof number, number > 0, +timer === number, `${timer}` === String(number), timer == number);
clearTimeout(number);
const text = setTimeout(() => log('never'), 1);
clearTimeout(`${text}`);
const interval = setInterval(() => log('never'), 1);
clearTimeout(interval);
const other = setTimeout(() => log('never'), 1);
clearInterval(other);
setTimeout(() => log('never'), 1).close();
for (const wrong of [undefined, null, 0, -1, 1e9, 'x', '', {}, [], true, NaN, Symbol('s'), 5n, () => {}]) {
  clearTimeout(wrong);
  clearInterval(wrong);
}
for (const wrong of [undefined, null]) clearImmediate(wrong);
const odd = setTimeout(() => log('runs'), 50);
clearTimeout(`${+odd}.0`);
clearTimeout(` ${+odd}`);
log(timer._destroyed, odd._destroyed, timer._onTimeout, typeof odd._onTimeout, odd._idleTimeout, odd._repeat);
log(setInterval(() => {}, 7).unref()._repeat, timer.constructor.name);
const immediate = setImmediate(() => log('immediate', immediate._destroyed, immediate.hasRef()));
log(immediate.constructor.name, immediate._destroyed, typeof immediate._onImmediate);
const again = setTimeout(function () {
  log('this', this === again);
  if (!this.twice) { this.twice = true; this.refresh(); }
}, 100);
