// The tests of node:test, told like those of other runners.
'use strict';

const failures = require('internal/suite/failures');
const project = require('internal/suite/project');
const report = require('internal/suite/report');

// The names of the tests that are being told of, by how deep they are.
const names = [];
const LIMIT = 60_000;

/// Takes an event of the reporter.
exports.event = function event(type, data) {
  if (type === 'start') {
    names.length = data.nesting;
    names.push(data.name);
    return;
  }
  if (type !== 'pass' && type !== 'fail') return;
  const path = [...names.slice(0, data.nesting), data.name];
  const isFailed = type === 'fail' && data.todo === undefined;
  if (data.type === 'suite') {
    if (isFailed && data.error?.failureType !== 'subtestsFailed') report.hook(path, failures.of(data.error));
    return;
  }
  const test = { get location() { return data.location; }, path, place: undefined };
  if (data.skip !== undefined) report.skipped(test, 'skip', typeof data.skip === 'string' ? data.skip : undefined);
  else if (data.todo !== undefined) report.skipped(test, 'todo');
  else report.ended(test, { failures: isFailed ? [failures.of(data.error)] : [], ms: data.duration, outcome: isFailed ? 'fail' : 'pass' });
};

/// Tells of a test that runs from now on.
exports.begins = function begins({ names: path, timeout }) {
  report.tell('start', { limit: timeout < LIMIT ? timeout : LIMIT, name: path });
};

/// Tells of a test that was declared.
exports.list = function list({ loc, names: path, isTodo, path: place, skipped, message }) {
  const reason = skipped ? 'skip' : isTodo ? 'todo' : undefined;
  report.listed({ location: loc, path, place }, reason, message ?? undefined);
};

/// Whether a test of that path is wanted.
exports.wants = function wants(path) {
  const { grep, names: among } = project.settings;
  if (among !== undefined && !among.some((name) => JSON.stringify(name) === JSON.stringify(path))) return false;
  return grep === undefined || new RegExp(grep).test(path.join(' '));
};
