// A tail in which many promises end: hooks hear of all that has ended by then, of what said so itself as well.
'use strict';
const { AsyncResource, createHook } = require('async_hooks');
require('v8').setFlagsFromString('--expose-gc');
const gc = globalThis.gc ?? require('vm').runInNewContext('gc');

let watched;
let told = false;
createHook({ init() {}, destroy(id) { told ||= id === watched; } }).enable();

(async () => {
  const resource = new AsyncResource('Own');
  watched = resource.asyncId();
  resource.emitDestroy();
  for (const count of [5000, 5000]) {
    for (let at = 0; at < count; at++) await Promise.resolve();
    gc();
    await Promise.resolve();
    console.log(told);
  }
})();
