// util.aborted: a promise that waits for an abort signal.
'use strict';

const { validateAbortSignal, validateObject, kValidateObjectAllowObjects } = require('internal/validators');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors');

async function aborted(signal, resource) {
  if (signal === undefined) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateObject(resource, 'resource', kValidateObjectAllowObjects);
  if (signal.aborted) return undefined;
  // In Node the listener goes when the resource is collected. A run must not depend on when that
  // happens, so here it stays; the promise is pending in either case.
  return new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}

module.exports = { aborted };
