// What the assertions ask about a value.
'use strict';

const types = require('internal/util/types');

function isError(value) {
  return types.isNativeError(value) || value instanceof Error;
}

// Also a foreign promise, as long as it can be waited for and its failure caught.
function isPromiseLike(value) {
  return types.isPromise(value) ||
    (typeof value === 'object' && value !== null &&
     typeof value.then === 'function' && typeof value.catch === 'function');
}

module.exports = { isError, isPromiseLike };
