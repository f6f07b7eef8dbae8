// Promises that are settled again, for those who listen to multipleResolves.
// Uses binding.hearRepeats, nextTickOfProgram.
'use strict';

const { deprecate } = require('internal/util/deprecate');

exports.listen = function listen(process) {
  const tell = deprecate(
    (type, promise, value) => process.emit('multipleResolves', type, promise, value),
    'The multipleResolves event has been deprecated.', 'DEP0160');
  // Whoever settles the promise is not to meet what a listener throws.
  binding.hearRepeats((isRejected, promise, value) => {
    binding.nextTickOfProgram(tell, isRejected ? 'reject' : 'resolve', promise, value);
  });
};

exports.unlisten = function unlisten(process) {
  if (process.listenerCount('multipleResolves') === 0) binding.hearRepeats(undefined);
};
