// What tests tell, in two forms: as the runner keeps it, and as programs get it.
'use strict';

const PREFIX = 'test:';

/// An event as programs and their reporters get it.
exports.publish = function publish(type, data) {
  if (type === 'stdout' || type === 'stderr') return { type: `${PREFIX}${type}`, data };
  const { duration, error, location, passed, skip, todo, type: kind, ...rest } = data;
  const told = { ...rest };
  if (type === 'pass' || type === 'fail' || type === 'complete') {
    told.details = { duration_ms: duration };
    if (kind !== undefined) told.details.type = kind;
    if (error !== undefined) told.details.error = error;
    if (type === 'complete') told.details.passed = passed;
  }
  if (location !== undefined) Object.assign(told, { line: location.line, column: location.column, file: location.file });
  if (skip !== undefined) told.skip = skip;
  if (todo !== undefined) told.todo = todo;
  return { type: `${PREFIX}${type}`, data: told };
};

/// The same event as our own reporters take it.
exports.unfold = function unfold({ type, data }) {
  const { details, file, line, column, ...rest } = data ?? {};
  const location = file === undefined || line === undefined ? undefined : { file, line, column };
  const told = { ...rest, duration: details?.duration_ms, error: details?.error, location, passed: details?.passed, type: details?.type };
  if (location === undefined && file !== undefined) told.file = file;
  return [type.slice(PREFIX.length), told];
};

// Failures of tests that did not come to their end.
const CANCELLED = new Set(['cancelledByParent', 'testAborted', 'testTimeoutFailure']);

/// Counts what results come to.
exports.Counters = class Counters {
  all = 0;
  suites = 0;
  passed = 0;
  failed = 0;
  cancelled = 0;
  skipped = 0;
  todo = 0;

  count(type, { type: kind, skip, todo, error }) {
    if (kind === 'suite') {
      this.suites++;
      return;
    }
    this.all++;
    if (skip !== undefined) this.skipped++;
    else if (todo !== undefined) this.todo++;
    else if (type === 'pass') this.passed++;
    else if (CANCELLED.has(error?.failureType)) this.cancelled++;
    else this.failed++;
  }

  /// What is said at the end.
  summary(duration) {
    return [
      `tests ${this.all}`, `suites ${this.suites}`, `pass ${this.passed}`, `fail ${this.failed}`, `cancelled ${this.cancelled}`,
      `skipped ${this.skipped}`, `todo ${this.todo}`, `duration_ms ${duration}`,
    ];
  }
};
