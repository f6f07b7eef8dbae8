// When the time of the process began, on the clock on the wall. A worker has it from whoever started it, if that has
// asked by then: to ask for it would be one more input of a run.
//
// Uses binding.now, born, wallClock, workerState.
'use strict';

let origin;

// Both clocks go on between two readings: once is enough.
exports.timeOrigin = () => (origin ??= binding.workerState?.timeOrigin ?? binding.wallClock() - (binding.now() - binding.born));

/// The same if anybody has asked here.
exports.knownTimeOrigin = () => origin;
