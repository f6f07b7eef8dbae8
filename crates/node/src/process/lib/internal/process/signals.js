// Signals that the program listens to: the world is asked for the next one as long as somebody does.
// Uses binding.request, referOperation, giveUpOperation.
'use strict';

const hooked = require('internal/hooked');
const numbers = require('internal/signals');

// Nobody can listen to these; a listener is an error, as in Node.
const refused = { __proto__: null, SIGKILL: true, SIGSTOP: true };

// Who waits for a signal, by its name.
const waiting = { __proto__: null };

function wait(process, name, waiter) {
  waiter.operation = hooked.within(waiter, 'SIGNALWRAP', () => binding.request('signal', [numbers[name]], (fault) => {
    delete waiting[name];
    if (fault !== null) return;
    wait(process, name, waiter);
    process.emit(name, name, numbers[name]);
  }));
  // Listening keeps no program alive.
  binding.referOperation(waiter.operation, false);
  waiting[name] = waiter;
}

exports.listen = function listen(process, name) {
  if (!(name in numbers) || name in waiting) return;
  if (name in refused) {
    const error = new Error(`uv_signal_start EINVAL`);
    Object.assign(error, { errno: -22, code: 'EINVAL', syscall: 'uv_signal_start' });
    throw error;
  }
  wait(process, name, hooked.made('SIGNALWRAP', { operation: undefined }));
};

exports.unlisten = function unlisten(process, name) {
  if (!(name in waiting) || process.listenerCount(name) > 0) return;
  binding.giveUpOperation(waiting[name].operation);
  hooked.ended(waiting[name]);
  delete waiting[name];
};

/// What `act` gives to the host belongs to whoever waits for that signal.
exports.within = (name, act) => (name in waiting ? hooked.within(waiting[name], 'SIGNALWRAP', act) : act());
