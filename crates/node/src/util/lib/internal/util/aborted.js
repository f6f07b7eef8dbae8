// util.aborted: a promise that waits for an abort signal. Uses binding.nextTick.
'use strict';

const hooked = require('internal/hooked');
const { kWeakHandler } = require('internal/event_target');
const { requireAbortSignal, validateObject, kValidateObjectAllowObjects } = require('internal/validators');

async function aborted(signal, resource) {
  requireAbortSignal(signal, 'signal');
  validateObject(resource, 'resource', kValidateObjectAllowObjects);
  if (signal.aborted) return undefined;
  // The listener goes when the program lets go of the resource. Who has done so already, as in
  // `aborted(signal, {})`, still hears of an abort in the same tail.
  hooked.quietly(() => binding.nextTick(() => resource));
  return new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true, [kWeakHandler]: resource }));
}

module.exports = { aborted };
