// What whoever started the file is told while its tests run, a line of JSON each. Uses binding.tellTests.
'use strict';

let isFailed = false;
const skippedNames = [];

function tell(event, data) {
  binding.tellTests(JSON.stringify({ event, ...data }));
}

const project = require('internal/suite/project');

// Whoever tries every order knows where the test is.
const about = (test) => ({ line: project.settings.explore ? undefined : test.location?.line, name: test.path, place: test.place });

module.exports = {
  skippedNames,
  tell,
  get isFailed() { return isFailed; },
  /// A test was declared, and does not run for that reason, if there is one.
  listed(test, reason, words) {
    tell('test', { ...about(test), at: test.location, line: test.location?.line, reason, words });
  },
  started(test, limit) {
    tell('start', { limit, name: test.path });
  },
  ended(test, { failures, ms, outcome, retries = 0 }) {
    if (outcome === 'fail') isFailed = true;
    tell('end', { ...about(test), failures, ms, outcome, retries });
  },
  skipped(test, reason, words) {
    skippedNames.push(test.path);
    tell('end', { ...about(test), failures: [], ms: 0, outcome: reason === 'todo' ? 'todo' : 'skip', reason: words });
  },
  // A hook that failed when there was no test left to fail.
  hook(name, failure) {
    isFailed = true;
    tell('end', { failures: [failure], ms: 0, name, outcome: 'fail' });
  },
  /// Something of the file as a whole: it cannot be loaded, or something failed outside of all tests.
  broken(failure) {
    isFailed = true;
    tell('broken', { failure });
  },
};
