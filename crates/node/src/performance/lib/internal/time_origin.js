// When the time of the process began, on the clock on the wall; a worker has it from whoever started it.
//
// Uses binding.now, born, wallClock, workerState.
'use strict';

let origin;

// Both clocks go on between two readings: once is enough.
exports.timeOrigin = () => (origin ??= binding.workerState?.timeOrigin ?? binding.wallClock() - (binding.now() - binding.born));
