// Signals that the program listens to: the world is asked for the next one as long as somebody does.
// Uses binding.request, referOperation, giveUpOperation.
'use strict';

// The signals of Linux.
const numbers = exports.numbers = {
  __proto__: null,
  SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGIOT: 6, SIGBUS: 7, SIGFPE: 8, SIGKILL: 9,
  SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15, SIGSTKFLT: 16, SIGCHLD: 17, SIGCONT: 18,
  SIGSTOP: 19, SIGTSTP: 20, SIGTTIN: 21, SIGTTOU: 22, SIGURG: 23, SIGXCPU: 24, SIGXFSZ: 25, SIGVTALRM: 26, SIGPROF: 27,
  SIGWINCH: 28, SIGIO: 29, SIGPOLL: 29, SIGPWR: 30, SIGSYS: 31,
};

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
