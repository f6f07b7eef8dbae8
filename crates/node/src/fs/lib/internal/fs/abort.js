// Operations that a signal can end early.
// Uses binding.nextTick.
'use strict';

const { AbortError } = require('internal/errors');
const { giveUp } = require('internal/fs/gate');
const { isProxy } = require('internal/util/types');

const aborted = (signal) => new AbortError(undefined, { cause: signal.reason });

/// Makes a call; if the signal comes first, the callback hears of that and not of the answer.
exports.request = (call, signal, callback) => {
  if (signal.aborted) {
    binding.nextTick(callback, aborted(signal));
    return;
  }
  // Behind a proxy a signal cannot be listened to; it is asked when the answer is there.
  if (isProxy(signal)) {
    call.request((...answer) => (signal.aborted ? callback(aborted(signal)) : callback(...answer)));
    return;
  }
  const onAbort = () => {
    giveUp(operation);
    callback(aborted(signal));
  };
  const operation = call.request((...answer) => {
    signal.removeEventListener('abort', onAbort);
    callback(...answer);
  });
  signal.addEventListener('abort', onAbort, { once: true });
};

/// The same for a promise; without a signal it is the plain call.
exports.promise = (call, signal) => {
  if (signal === undefined) return call.promise();
  if (signal.aborted) return Promise.reject(aborted(signal));
  return new Promise((resolve, reject) => {
    exports.request(call, signal, (error, value) => (error === null ? resolve(value) : reject(error)));
  });
};

exports.check = (signal) => {
  if (signal?.aborted) throw aborted(signal);
};
