// Scripts that may run for so long: what is thrown, who catches it, and what is checked.
'use strict';
const vm = require('vm');

const show = (act) => {
  try {
    console.log(act());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
const spins = 'for (;;) ;';

show(() => vm.runInThisContext(spins, { timeout: 3 }));
show(() => new vm.Script(spins, 'named.js').runInThisContext({ timeout: 2 }));
show(() => vm.runInThisContext('20 + 1', { timeout: 1000 }));
show(() => vm.runInThisContext('throw new TypeError("its own")', { timeout: 1000 }));
for (const timeout of [0, -1, 1.5, NaN, 2 ** 32, '5', null]) {
  show(() => vm.runInThisContext('1', { timeout }));
  show(() => new vm.Script('1').runInThisContext({ timeout }));
}
show(() => new vm.Script('"a script does not look at it"', { timeout: -1 }).runInThisContext());
for (const wrong of [0, null, 'yes']) {
  show(() => vm.runInThisContext('1', { breakOnSigint: wrong }));
  show(() => vm.runInThisContext('1', { displayErrors: wrong }));
}
show(() => vm.runInThisContext('1', { breakOnSigint: false, displayErrors: true }));

// Nothing of the script runs any more, whoever would catch it.
globalThis.seen = [];
show(() => vm.runInThisContext(`try { ${spins} } catch { seen.push('caught') } finally { seen.push('at last') }`, { timeout: 2 }));
show(() => vm.runInThisContext(`(async () => { ${spins} })()`, { timeout: 2 }));
show(() => vm.runInThisContext(`new Promise(() => { ${spins} })`, { timeout: 2 }));
show(() => vm.runInThisContext(`[2, 1].sort(() => { ${spins} })`, { timeout: 2 }));
console.log(seen);

// Of two the one is interrupted whose time is up, and the one around it goes on.
globalThis.within = (timeout) => vm.runInThisContext(spins, { timeout });
show(() => vm.runInThisContext('try { within(2) } catch (error) { error.message + ", and on" }', { timeout: 60000 }));
show(() => vm.runInThisContext('try { within(60000) } catch (error) { error.message + ", and on" }', { timeout: 2 }));
show(() => vm.runInThisContext('try { within(2) } catch { for (;;) ; }', { timeout: 20 }));

// The callback goes on as if nothing had been, and so does its tail.
setTimeout(async () => {
  show(() => within(2));
  await null;
  show(() => within(1));
  process.nextTick(() => console.log('tick'));
}, 1);
