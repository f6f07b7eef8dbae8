// The global performance object; times are milliseconds since the program began.
'use strict';

class Performance {
  get timeOrigin() {
    return binding.wallClock() - binding.now();
  }

  now() {
    return binding.now();
  }

  toJSON() {
    return { timeOrigin: this.timeOrigin };
  }
}

exports.Performance = Performance;
exports.performance = new Performance();
