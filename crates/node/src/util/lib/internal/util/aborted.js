// util.aborted: a promise that waits for an abort signal.
'use strict';

const { requireAbortSignal, validateObject, kValidateObjectAllowObjects } = require('internal/validators');

async function aborted(signal, resource) {
  requireAbortSignal(signal, 'signal');
  validateObject(resource, 'resource', kValidateObjectAllowObjects);
  // In Node the listener goes when the resource is collected. A run must not depend on when that
  // happens, so here it stays; the promise is pending in either case.
  const listen = (resolve) => signal.addEventListener('abort', resolve, { once: true });
  return signal.aborted ? undefined : new Promise(listen);
}

module.exports = { aborted };
