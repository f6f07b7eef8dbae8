// What observers of performance want to hear of from other parts of the library: how many of them there
// are for each type. Whoever works on something of a type looks here first, so that programs without
// observers pay nothing for it.
//
// Uses binding.now, born.
'use strict';

const observed = { __proto__: null, dns: 0, gc: 0, http: 0, net: 0 };

/// Notes when something began, if anybody observes its type.
function begin(type) {
  return observed[type] === 0 ? undefined : binding.now() - binding.born;
}

/// Tells of something that began at `start`, unless nobody observed it then. `detail` makes what it tells.
function finish(type, name, start, detail) {
  if (start === undefined || observed[type] === 0) return;
  require('internal/performance').announceEntry({ name, type, start, duration: binding.now() - binding.born - start, detail: detail() });
}

module.exports = { begin, finish, observed };
