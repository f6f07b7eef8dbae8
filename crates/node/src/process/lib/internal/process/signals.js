// Signals that the program listens to: the world is asked for the next one as long as somebody does.
// Uses binding.request, referOperation, giveUpOperation.
'use strict';

const numbers = require('internal/signals');

// Nobody can listen to these; a listener is an error, as in Node.
const refused = { __proto__: null, SIGKILL: true, SIGSTOP: true };

// The operation that waits for a signal, by its name.
const waiting = { __proto__: null };

function wait(process, name) {
  const operation = binding.request('signal', [numbers[name]], (fault) => {
    delete waiting[name];
    if (fault !== null) return;
    wait(process, name);
    process.emit(name, name, numbers[name]);
  });
  // Listening keeps no program alive.
  binding.referOperation(operation, false);
  waiting[name] = operation;
}

exports.listen = function listen(process, name) {
  if (!(name in numbers) || name in waiting) return;
  if (name in refused) {
    const error = new Error(`uv_signal_start EINVAL`);
    Object.assign(error, { errno: -22, code: 'EINVAL', syscall: 'uv_signal_start' });
    throw error;
  }
  wait(process, name);
};

exports.unlisten = function unlisten(process, name) {
  if (!(name in waiting) || process.listenerCount(name) > 0) return;
  binding.giveUpOperation(waiting[name]);
  delete waiting[name];
};
