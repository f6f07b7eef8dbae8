// `Promise.any`, as the language has it. The engine's own rejects with an error that says nothing.
'use strict';

function rejection(errors) {
  const error = new AggregateError(errors, 'All promises were rejected');
  // Nobody's code is where it was made.
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

module.exports = function any(constructor, iterable) {
  let resolve;
  let reject;
  const promise = new constructor((whenFulfilled, whenRejected) => {
    if (resolve !== undefined || reject !== undefined) throw new TypeError('Promise executor has already been invoked with non-undefined arguments');
    resolve = whenFulfilled;
    reject = whenRejected;
  });
  try {
    const { resolve: promiseResolve } = constructor;
    if (typeof promiseResolve !== 'function') throw new TypeError('Promise resolve or reject function is not callable');
    const errors = [];
    // The loop itself counts for one: it may not have seen all of them when the first fails.
    let remaining = 1;
    let index = 0;
    for (const value of iterable) {
      const at = index;
      index += 1;
      remaining += 1;
      errors[at] = undefined;
      let called = false;
      Reflect.apply(promiseResolve, constructor, [value]).then(resolve, (error) => {
        if (called) return;
        called = true;
        errors[at] = error;
        remaining -= 1;
        if (remaining === 0) reject(rejection(errors));
      });
    }
    remaining -= 1;
    if (remaining === 0) reject(rejection(errors));
  } catch (error) {
    reject(error);
  }
  return promise;
};
