// queueMicrotask: a job of the engine, with the error path of a callback.
'use strict';

exports.queueMicrotask = binding.queueMicrotask;
