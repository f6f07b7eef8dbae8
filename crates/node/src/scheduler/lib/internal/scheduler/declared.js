// What `hemiola:scheduler` takes for a task, and the errors that it knows: one class for each reason.
'use strict';

const { inspect } = require('internal/util/inspect');
const { currentName } = require('internal/zone');

/// A list that was rejected as a whole: which entry, and which of its fields.
class TaskListError extends Error {
  constructor(code, entry, id, field, message) {
    const name = typeof id === 'string' && id !== '' ? ` (${id})` : '';
    super(`task ${entry}${name}: ${field}: ${message}`);
    this.code = code;
    this.entry = entry;
    this.field = field;
  }
}

function listError(name, code) {
  const Class = ({ [name]: class extends TaskListError {
    constructor(entry, id, field, message) {
      super(code, entry, id, field, message);
    }
  } })[name];
  Object.defineProperty(Class.prototype, 'name', { __proto__: null, value: name, writable: true, configurable: true });
  return Class;
}

const TaskShapeError = listError('TaskShapeError', 'ERR_TASK_SHAPE');
const TaskIdError = listError('TaskIdError', 'ERR_TASK_ID');
const DuplicateTaskError = listError('DuplicateTaskError', 'ERR_TASK_DUPLICATE');
const TaskCronError = listError('TaskCronError', 'ERR_TASK_CRON');
const TaskZoneError = listError('TaskZoneError', 'ERR_TASK_ZONE');
const TaskDelayError = listError('TaskDelayError', 'ERR_TASK_DELAY');
const TaskCallbackError = listError('TaskCallbackError', 'ERR_TASK_CALLBACK');
const TaskDstError = listError('TaskDstError', 'ERR_TASK_DST');

const byReason = {
  '__proto__': null, 'empty-id': TaskIdError, 'duplicate-id': DuplicateTaskError, 'cron': TaskCronError,
  'zone': TaskZoneError, 'negative': TaskDelayError,
};

class SchedulerStateError extends Error {
  constructor(what, phase) {
    const state = phase === 'idle' ? 'has not been initialised' : `is ${phase === 'running' ? 'running' : phase} already`;
    const help = phase === 'idle' ? 'call initialize first' : 'wait for it, or call stop first';
    super(`cannot ${what}: the scheduler ${state}; ${help}`);
    this.code = 'ERR_SCHEDULER_STATE';
  }
}

class UnknownTaskError extends Error {
  constructor(id) {
    super(`there is no task ${inspect(id)}`);
    this.code = 'ERR_TASK_UNKNOWN';
  }
}

class StoreError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/// Why the signal of a run is aborted whose node may have lost its lease: the task starts again elsewhere.
class LeaseLostError extends Error {
  constructor(id, fence) {
    super(`the lease of run ${fence} of task ${inspect(id)} is lost: the task starts again on another node`);
    this.code = 'ERR_LEASE_LOST';
    this.fence = fence;
  }
}

for (const Class of [LeaseLostError, TaskListError, SchedulerStateError, UnknownTaskError, StoreError]) {
  Object.defineProperty(Class.prototype, 'name', { __proto__: null, value: Class.name, writable: true, configurable: true });
}

// How long a failed task waits that says nothing of it: one that always fails must not keep the loop busy.
const DEFAULT_RETRY_DELAY = 60_000;

const fields = new Set([
  'id', 'cron', 'run', 'retryDelay', 'backoff', 'maxRetryDelay', 'attempts', 'zone', 'dst', 'timeout', 'jitter',
  'where',
]);

/// A task from either form of a registration: `[id, cron, run, retryDelay]`, or an object.
/// `labels` are those of this process, if there is no other that could run it.
function readTask(given, entry, labels) {
  const fail = (Class, field, message) => {
    throw new Class(entry, task?.id, field, message);
  };
  let task;
  if (Array.isArray(given)) {
    if (given.length < 3 || given.length > 4) {
      fail(TaskShapeError, 'entry', `an array has 3 or 4 elements, id, cron, callback and retry delay; this one has ${given.length}`);
    }
    const [id, cron, run, retryDelay] = given;
    task = { id, cron, run, retryDelay };
  } else if (given !== null && typeof given === 'object') {
    task = given;
    for (const field of Object.keys(given)) {
      if (!fields.has(field)) fail(TaskShapeError, field, `there is no such field; there are ${[...fields].join(', ')}`);
    }
  } else {
    fail(TaskShapeError, 'entry', `it is neither an array nor an object: ${inspect(given)}`);
  }
  // Without an expression it is never due: it only runs what is enqueued.
  const { id, cron = '', run, retryDelay = DEFAULT_RETRY_DELAY, zone = currentName(), dst = 'theory', timeout, jitter = 0 } = task;
  if (typeof id !== 'string') fail(TaskIdError, 'id', `an id is a string, not ${inspect(id)}`);
  if (!id.isWellFormed()) fail(TaskIdError, 'id', `an id has no unpaired surrogate, as ${inspect(id)} has`);
  if (id.startsWith('@')) fail(TaskIdError, 'id', `an id does not begin with @, as those of jobs do: ${inspect(id)}`);
  if (typeof cron !== 'string' || !cron.isWellFormed()) fail(TaskCronError, 'cron', `an expression is a string, not ${inspect(cron)}`);
  if (cron === '' && task.cron !== undefined) fail(TaskCronError, 'cron', 'a cron expression has five fields, not 0');
  if (typeof run !== 'function') fail(TaskCallbackError, 'run', `it is not a function: ${inspect(run)}`);
  if (typeof zone !== 'string' || !zone.isWellFormed()) fail(TaskZoneError, 'zone', `a zone is a string, not ${inspect(zone)}`);
  if (dst !== 'theory' && dst !== 'once') fail(TaskDstError, 'dst', `it is theory or once, not ${inspect(dst)}`);
  for (const [field, value] of [['retryDelay', retryDelay], ['timeout', timeout ?? 1], ['jitter', jitter]]) {
    if (typeof value !== 'number' || !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
      fail(TaskDelayError, field, `it is a number of milliseconds, not ${inspect(value)}`);
    }
    if (value < 0 || (field === 'timeout' && value === 0)) fail(TaskDelayError, field, `${value} ms is too little`);
  }
  return {
    id, cron, run, retryDelay: Math.trunc(retryDelay), zone, dst, timeout, jitter: Math.trunc(jitter),
    ...readRetries(task, retryDelay, fail), where: readLabels(task.where, labels, fail),
  };
}

/// The labels that a node must have.
function readLabels(where, labels, fail) {
  if (where === undefined) return undefined;
  const isText = (label) => typeof label === 'string' && label.isWellFormed();
  if (!Array.isArray(where) || !where.every(isText)) fail(TaskShapeError, 'where', `it is an array of labels, not ${inspect(where)}`);
  const missing = where.find((label) => labels !== undefined && !labels.includes(label));
  if (missing !== undefined) {
    fail(TaskShapeError, 'where', `this process has no label ${inspect(missing)}, and no other shares its store: pass it in the option labels`);
  }
  return where.length === 0 ? undefined : [...where].sort();
}

/// How often a failed task is tried, and how much longer it waits each time. What is not said is left out.
function readRetries({ backoff, maxRetryDelay, attempts }, retryDelay, fail) {
  for (const [field, value] of [['backoff', backoff], ['attempts', attempts]]) {
    if (value !== undefined && value !== Infinity && !(Number.isSafeInteger(value) && value >= 1 && value < 2 ** 32)) {
      fail(TaskDelayError, field, `it is a whole number from 1, not ${inspect(value)}`);
    }
  }
  if (backoff === Infinity) fail(TaskDelayError, 'backoff', 'it is a whole number from 1, not Infinity');
  if (maxRetryDelay !== undefined && !(typeof maxRetryDelay === 'number' && maxRetryDelay >= retryDelay && maxRetryDelay <= Number.MAX_SAFE_INTEGER)) {
    fail(TaskDelayError, 'maxRetryDelay', `it is a number of milliseconds that is not less than retryDelay, not ${inspect(maxRetryDelay)}`);
  }
  return {
    backoff,
    maxRetryDelay: maxRetryDelay === undefined ? undefined : Math.trunc(maxRetryDelay),
    attempts: attempts === Infinity ? undefined : attempts,
  };
}

/// The error for what the roster did not accept.
function reject({ entry, field, reason, message }, tasks) {
  return new byReason[reason](entry, tasks[entry].id, field, message);
}

function toError(error) {
  return error instanceof Error || error instanceof DOMException ? error : new Error(inspect(error));
}

module.exports = {
  LeaseLostError, SchedulerStateError, StoreError, UnknownTaskError, readTask, reject, toError,
  errors: {
    TaskListError, TaskShapeError, TaskIdError, DuplicateTaskError, TaskCronError, TaskZoneError, TaskDelayError,
    TaskCallbackError, TaskDstError, SchedulerStateError, UnknownTaskError, StoreError, LeaseLostError,
  },
};
