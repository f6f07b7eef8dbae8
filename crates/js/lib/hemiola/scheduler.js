// hemiola:scheduler: declared tasks that run when they are due, through restarts and crashes.
//
// Which task is to start is the roster's to say (natives), what is durable the store's (requests). This file
// keeps the order between them: a start is durable before the callback is entered, an end before it is
// reported, and one commit is under way at a time; what comes meanwhile goes into the next.
//
// Uses binding.request, checkTasks, registerTasks, startTask, taskStarted, taskWithdrawn, taskEnded, taskState,
// taskStatus, nextWake, triggerTask, pauseTask, clearTimeout, clockLag.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const {
  SchedulerStateError, StoreError, UnknownTaskError, readTask, reject, toError,
} = require('internal/scheduler/declared');
const { startLabelled } = require('internal/timers');
const { validateInteger, validateObject, validateString } = require('internal/validators');

// Dues come from the wall clock, by way of this clock.
const CLOCK = 'hemiola:scheduler';
const FOR_EVER = 2 ** 53;

let phase = 'idle';
let callbacks;
let store;
let settings;
let timer;
let stopping;
// Ends of runs that are under way: `stop` waits for them.
const running = new Set();

const request = (kind, ...args) => new Promise((resolve, fail) => {
  binding.request(`store.${kind}`, args, (fault, value) => {
    if (fault) fail(new StoreError(fault.code, fault.message));
    else resolve(value);
  });
});

// Commits, one after the other.
let gathered;
let committing = false;

/// Makes changes durable. Those that come while others are being written are written together.
function commit(changes) {
  gathered ??= { changes: [], ...Promise.withResolvers() };
  gathered.changes.push(...changes);
  const { promise } = gathered;
  if (!committing) writeOn();
  return promise;
}

async function writeOn() {
  committing = true;
  while (gathered !== undefined) {
    const { changes, resolve, reject: fail } = gathered;
    gathered = undefined;
    try {
      if (store !== undefined) await request('commit', store, changes, settings.history);
      resolve();
    } catch (error) {
      fail(error);
    }
  }
  committing = false;
}

const keep = (task, id) => ['task', id, binding.taskState(task)];

/// Starts what is to start now, and sets the timer for what comes next.
function wakeUp() {
  if (timer !== undefined) binding.clearTimeout(timer);
  timer = undefined;
  if (phase !== 'running') return;
  for (let found = binding.startTask(Date.now()); found !== undefined; found = binding.startTask(Date.now())) {
    const end = run(JSON.parse(found)).finally(() => {
      running.delete(end);
      wakeUp();
    });
    running.add(end);
  }
  const next = binding.nextWake();
  if (next === undefined) return;
  // A delay counts from the logical time of the clock, which may be behind.
  const delay = Math.max(0, next - Date.now()) + Math.ceil(binding.clockLag(CLOCK) ?? 0);
  timer = startLabelled(wakeUp, Math.min(delay, FOR_EVER), false, [], CLOCK);
}

async function run({ task, id, pending, due, attempt }) {
  try {
    await commit([keep(task, id)]);
  } catch (error) {
    // Without a durable start nothing is entered: it stays owed, and is tried again at the next wake.
    binding.taskWithdrawn(task, Date.now());
    return failed(error);
  }
  if (phase !== 'running') {
    binding.taskWithdrawn(task, Date.now());
    return commit([keep(task, id)]).catch(failed);
  }
  const start = Date.now();
  binding.taskStarted(task, start);
  tell('start', { id, attempt, reason: pending, due });
  const error = await enter(callbacks[task], { attempt, due: new Date(due ?? start), reason: pending });
  const end = Date.now();
  const message = error === undefined ? undefined : toError(error).message;
  binding.taskEnded(task, end, message);
  try {
    await commit([keep(task, id), ['run', id, start, end, message]]);
    tell(error === undefined ? 'success' : 'failure', { id, attempt, error });
  } catch (fault) {
    failed(fault);
  }
}

/// Calls a callback, and gives undefined or the error that it failed with.
async function enter({ run: callback, timeout }, facts) {
  const controller = new AbortController();
  let limit;
  try {
    const work = callback({ ...facts, signal: controller.signal });
    if (timeout === undefined) {
      await work;
      return;
    }
    const { promise, reject: fail } = Promise.withResolvers();
    limit = setTimeout(() => {
      const error = new DOMException(`The task did not end within ${timeout} ms`, 'TimeoutError');
      controller.abort(error);
      fail(error);
    }, timeout);
    await Promise.race([work, promise]);
  } catch (error) {
    return error ?? new Error(`${error}`);
  } finally {
    clearTimeout(limit);
  }
}

function tell(what, facts) {
  try {
    settings.on?.({ what, ...facts });
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

// A store that cannot be written is told once for each time; the tasks stay owed.
function failed(error) {
  process.emitWarning(`the scheduler's store: ${error.message}`, 'SchedulerWarning');
}

function readSettings(options) {
  validateObject(options, 'options');
  const { store: path, concurrency = Infinity, history = 100, log = true, on } = options;
  if (path !== undefined) validateString(path, 'options.store');
  if (concurrency !== Infinity) validateInteger(concurrency, 'options.concurrency', 1);
  validateInteger(history, 'options.history', 0);
  if (on !== undefined && typeof on !== 'function') throw new ERR_INVALID_ARG_TYPE('options.on', 'Function', on);
  return { path, concurrency: concurrency === Infinity ? FOR_EVER : concurrency, history, log, on };
}

exports.initialize = async function initialize(list, options = {}) {
  if (phase !== 'idle') throw new SchedulerStateError('initialize', phase);
  const given = readSettings(options);
  if (!Array.isArray(list)) throw new ERR_INVALID_ARG_TYPE('list', 'Array', list);
  const tasks = list.map(readTask);
  const text = JSON.stringify(tasks.map(({ run: _, timeout: __, ...declared }) => declared));
  const rejected = binding.checkTasks(text);
  if (rejected !== undefined) throw reject(JSON.parse(rejected), tasks);
  phase = 'initializing';
  let opened;
  try {
    opened = given.path === undefined ? { tasks: [] } : await request('open', require('path').resolve(given.path));
    const differences = JSON.parse(binding.registerTasks(text, JSON.stringify(opened.tasks), given.concurrency, Date.now()));
    [callbacks, settings, store] = [tasks, given, opened.store];
    await commit([
      ...differences.removed.map((id) => ['forget', id]),
      ...tasks.map(({ id }, task) => keep(task, id)),
    ]);
    // Whoever stopped meanwhile finds nothing started.
    if (stopping === undefined) phase = 'running';
    report(differences);
    wakeUp();
    return differences;
  } catch (error) {
    if (opened?.store !== undefined) await request('close', opened.store).catch(() => {});
    [phase, store] = ['idle', undefined];
    throw error;
  }
};

function report({ added, removed, changed, orphaned }) {
  if (!settings.log || store === undefined) return;
  const words = [
    [added, 'new'], [removed, 'forgotten'], [changed.map(({ id }) => id), 'changed'], [orphaned, 'interrupted, starting again'],
  ];
  for (const [ids, word] of words) {
    if (ids.length > 0) process.stderr.write(`scheduler: ${word}: ${ids.join(', ')}\n`);
  }
}

/// Starts nothing any more, waits for what runs, and gives up the store.
exports.stop = function stop() {
  if (phase === 'idle' && stopping === undefined) return Promise.resolve();
  return stopping ??= end();
};

async function end() {
  const before = phase;
  phase = 'stopping';
  if (timer !== undefined) binding.clearTimeout(timer);
  timer = undefined;
  // One who initialises goes on until it is durable.
  if (before === 'initializing') while (committing) await commit([]);
  while (running.size > 0) await Promise.allSettled(running);
  if (store !== undefined) await request('close', store).catch(failed);
  [phase, store, stopping] = ['idle', undefined, undefined];
}

/// How the tasks stand.
exports.status = function status() {
  const date = (ms) => (ms === null ? undefined : new Date(ms));
  if (phase === 'idle') return [];
  return JSON.parse(binding.taskStatus(Date.now())).map((task) => ({
    id: task.id,
    state: task.running ? 'running' : task.paused ? 'paused' : 'waiting',
    pending: task.pending ?? undefined,
    nextDue: date(task.nextDue),
    retryAt: date(task.retryAt),
    failures: task.failures,
    lastStart: date(task.lastStart),
    lastEnd: date(task.lastEnd),
    lastResult: task.lastEnd === null ? undefined : task.lastError === null ? 'success' : 'failure',
    lastError: task.lastError ?? undefined,
  }));
};

/// The newest runs of a task, newest first.
exports.history = async function history(id, limit = 100) {
  validateString(id, 'id');
  validateInteger(limit, 'limit', 0);
  if (store === undefined) return [];
  const runs = await request('runs', store, id, limit);
  return runs.map(([start, end, error]) => ({
    start: new Date(start), end: new Date(end), result: error === undefined ? 'success' : 'failure', error,
  }));
};

function change(name, id, act) {
  validateString(id, 'id');
  if (phase !== 'running') throw new SchedulerStateError(name, phase);
  const task = act();
  if (task === undefined) throw new UnknownTaskError(id);
  const durable = commit([keep(task, id)]);
  wakeUp();
  return durable;
}

/// Runs a task as if it were due now.
exports.trigger = async (id) => change('trigger', id, () => binding.triggerTask(id, Date.now()));

/// Lets a task start nothing, or again what it owes.
exports.pause = async (id) => change('pause', id, () => binding.pauseTask(id, true, Date.now()));
exports.resume = async (id) => change('resume', id, () => binding.pauseTask(id, false, Date.now()));

Object.assign(exports, require('internal/scheduler/declared').errors);
