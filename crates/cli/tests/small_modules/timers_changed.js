// A program changes timers that it has started, by their properties.
'use strict';
const timers = require('timers');

const show = (timer) => [timer._idleTimeout, timer._repeat, timer._destroyed, typeof timer._onTimeout];
const steps = [
  () => {
    let runs = 0;
    const timer = setTimeout(() => {
      console.log('timeout', ++runs, timer._repeat);
      if (runs === 3) timer._repeat = null;
      else timer._repeat = 5;
    }, 1);
    setTimeout(() => console.log('timeout over', runs, show(timer)), 120);
  },
  () => {
    let runs = 0;
    const timer = setInterval(() => {
      console.log('interval', ++runs);
      if (runs === 2) timer._idleTimeout = -1;
    }, 2);
    setTimeout(() => console.log('interval over', runs, timer._destroyed), 120);
  },
  () => {
    let runs = 0;
    const timer = setInterval(() => { console.log('callback gone', ++runs); timer._onTimeout = null; }, 2);
    setTimeout(() => console.log(runs, timer._destroyed), 120);
  },
  () => {
    const timer = setTimeout(() => console.log('never'), 100, 1, 2);
    timer._onTimeout = function(...args) { console.log('another', this === timer, args); };
    const throwing = setTimeout(() => { throwing._repeat = 3; throwing._onTimeout = () => { console.log('after an error'); clearTimeout(throwing); }; throw new Error('e'); }, 1);
  },
  () => {
    const timer = setTimeout(() => console.log('sooner'), 100_000);
    timer._idleTimeout = 10;
    setTimeout(() => { console.log(timer._idleTimeout, timer._destroyed); timer.refresh(); }, 30);
    setTimeout(() => console.log(timer._destroyed), 150);
  },
  () => {
    const timer = setTimeout(() => console.log('never'), 1);
    clearTimeout(timer);
    console.log(timer._idleTimeout, timer._destroyed);
    timer.refresh();
  },
  () => {
    const { unref, hasRef, refresh, close } = Object.getPrototypeOf(setTimeout(() => {}, 1));
    for (const method of [unref, hasRef, refresh, close]) console.log(method.call({}));
  },
  () => {
    const item = { _onTimeout() { console.log('item', this === item, item._idleNext); } };
    timers.enroll(item, 5);
    timers.active(item);
    console.log(item._idleTimeout, typeof item._idleNext, item._idleNext !== null, Number.isInteger(item._idleStart));
    const timer = setTimeout(() => console.log('enrolled'), 100_000);
    timers.enroll(timer, 40);
    console.log(timer._idleTimeout, timer._destroyed);
    timers.active(timer);
    const gone = setInterval(() => { console.log('once'); timers.unenroll(gone); console.log(gone._idleTimeout, gone._destroyed); }, 80);
  },
  () => {
    process.once('warning', (warning) => console.log(warning.name, warning.message));
    const item = {};
    timers.enroll(item, 2 ** 31);
    console.log(item._idleTimeout);
  },
];
process.on('uncaughtException', (error) => console.log('uncaught', error.message));
let at = 0;
const interval = setInterval(() => {
  const step = steps[at++];
  if (step === undefined) clearInterval(interval);
  else step();
}, 200);
