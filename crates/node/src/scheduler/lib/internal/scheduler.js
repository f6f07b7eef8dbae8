// The web platform's `scheduler`: tasks with three priorities, which are the levels of `hemiola:tasks`.
// Uses binding.queueTask, moveTask, withdrawTask, currentLevel, getTask, swapTask, useContexts, now.
'use strict';

const { AbortController, AbortSignal, combine, kMake } = require('internal/abort_controller');
const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { DOMException } = require('internal/domexception');
const { Event, defineEventHandler, finishClass, kTrustEvent } = require('internal/event_target');
const { clearTimeout, setTimeout } = require('internal/timers');

// What is made before the first task may wait for it, as with `hemiola:tasks`.
binding.useContexts('levels', true);

const levels = { __proto__: null, 'user-blocking': 'high', 'user-visible': 'low', 'background': 'background' };
const { then } = Promise.prototype;
const kPriority = Symbol('kPriority');
const kChanging = Symbol('kChanging');
const kTasks = Symbol('kTasks');
const kFollowers = Symbol('kFollowers');
const kSource = Symbol('kSource');

// An enumeration's value, as the web platform converts it. `where` begins the message.
function toPriority(value, where) {
  const text = `${value}`;
  if (levels[text] === undefined) {
    throw new TypeError(`${where}The provided value '${text}' is not a valid enum value of type TaskPriority (user-blocking, user-visible or background).`);
  }
  return text;
}

// The members of a dictionary; what is undefined or null has none.
function toOptions(value, where, type) {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' && typeof value !== 'function') throw new TypeError(`${where}The provided value is not of type '${type}'.`);
  return value;
}

class TaskPriorityChangeEvent extends Event {
  #previous;

  constructor(type, init) {
    const where = "Failed to construct 'TaskPriorityChangeEvent': ";
    if (arguments.length < 2) throw new TypeError(`${where}2 arguments required, but only ${arguments.length} present.`);
    const { previousPriority } = toOptions(init, where, 'TaskPriorityChangeEventInit');
    const reading = `${where}Failed to read the 'previousPriority' property from 'TaskPriorityChangeEventInit': `;
    if (previousPriority === undefined) throw new TypeError(`${reading}Required member is undefined.`);
    super(type, init);
    this.#previous = toPriority(previousPriority, reading);
  }

  get previousPriority() {
    return this.#previous;
  }
}

finishClass(TaskPriorityChangeEvent, ['previousPriority'], 'TaskPriorityChangeEvent');

class TaskSignal extends AbortSignal {
  constructor(key = undefined, priority = 'user-visible') {
    super(key);
    this[kPriority] = priority;
    this[kChanging] = false;
    // Tasks that wait and follow its priority, and signals that do, in the order in which they were made.
    this[kTasks] = new Set();
    this[kFollowers] = new Set();
    // The signal that decides its priority: one that follows nobody.
    this[kSource] = this;
  }

  get priority() {
    if (this?.[kPriority] === undefined) throw new ERR_INVALID_THIS('TaskSignal');
    return this[kPriority];
  }

  static any(signals, init = {}) {
    const where = "Failed to execute 'any' on 'TaskSignal': ";
    if (Object(signals) !== signals || typeof signals[Symbol.iterator] !== 'function') throw new TypeError(`${where}The provided value cannot be converted to a sequence.`);
    const list = [...signals];
    for (const signal of list) {
      if (!(signal instanceof AbortSignal)) throw new TypeError(`${where}Failed to convert value to 'AbortSignal'.`);
    }
    const { priority: given = 'user-visible' } = toOptions(init, where, 'TaskSignalAnyInit');
    const source = given instanceof TaskSignal ? given : undefined;
    const priority = source?.priority ?? toPriority(given, `${where}Failed to read the 'priority' property from 'TaskSignalAnyInit': `);
    const result = combine(new TaskSignal(kMake, priority), list);
    if (source !== undefined) {
      result[kSource] = source[kSource];
      result[kSource][kFollowers].add(result);
    }
    return result;
  }
}

defineEventHandler(TaskSignal.prototype, 'prioritychange');
finishClass(TaskSignal, ['priority'], 'TaskSignal');
Object.defineProperty(TaskSignal, 'any', { __proto__: null, enumerable: true });

/// A signal and all that follow it have the new priority, and so have their tasks, before the first of them tells.
function changePriority(signal, priority) {
  if (signal[kChanging]) throw new DOMException('Cannot change priority when a prioritychange event is in progress.', 'NotAllowedError');
  const previousPriority = signal[kPriority];
  if (previousPriority === priority) return;
  const changed = [signal, ...signal[kFollowers]];
  signal[kChanging] = true;
  for (const one of changed) {
    one[kPriority] = priority;
    for (const number of one[kTasks]) binding.moveTask(number, levels[priority], undefined);
  }
  try {
    for (const one of changed) one.dispatchEvent(new TaskPriorityChangeEvent('prioritychange', { previousPriority, [kTrustEvent]: true }));
  } finally {
    signal[kChanging] = false;
  }
}

class TaskController extends AbortController {
  #priority;

  constructor(init = {}) {
    super();
    const where = "Failed to construct 'TaskController': ";
    const { priority = 'user-visible' } = toOptions(init, where, 'TaskControllerInit');
    this.#priority = toPriority(priority, `${where}Failed to read the 'priority' property from 'TaskControllerInit': `);
  }

  [kMake]() {
    return new TaskSignal(kMake, this.#priority);
  }

  setPriority(priority) {
    const where = "Failed to execute 'setPriority' on 'TaskController': ";
    if (arguments.length === 0) throw new TypeError(`${where}1 argument required, but only 0 present.`);
    changePriority(this.signal, toPriority(priority, where));
  }
}

finishClass(TaskController, ['setPriority'], 'TaskController');

/// Queues a task whose result is a promise. Its priority is its own, or that of the signal that decides it.
/// What it was posted with is kept for its promise jobs: `yield` inherits it.
function post(callback, level, { priority, signal }, continues, site) {
  return new Promise((resolve, reject) => {
    const follows = followed(priority, signal);
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      binding.withdrawTask(number);
      end();
      reject(signal.reason);
    };
    const end = () => {
      follows?.[kTasks].delete(number);
      signal?.removeEventListener('abort', stop);
    };
    const number = binding.queueTask(() => {
      follows?.[kTasks].delete(number);
      const before = binding.swapTask({ priority, signal });
      try {
        // Who aborts it meanwhile rejects it, whatever it returns; what it then rejects with is no news.
        const result = callback();
        if (isStopped) silence(result);
        else resolve(result);
      } catch (error) {
        reject(error);
      } finally {
        binding.swapTask(before);
        end();
      }
    }, level, undefined, continues, site);
    follows?.[kTasks].add(number);
    signal?.addEventListener('abort', stop);
  });
}

function silence(result) {
  const { promise, resolve } = Promise.withResolvers();
  Reflect.apply(then, promise, [undefined, () => {}]);
  resolve(result);
}

// The signal whose priority a task has, if it has none of its own.
function followed(priority, signal) {
  return priority === undefined && signal instanceof TaskSignal ? signal : undefined;
}

function levelOf({ priority, signal }) {
  return levels[priority ?? followed(priority, signal)?.priority ?? 'user-visible'];
}

function toDelay(value, where) {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new TypeError(`${where}Value is ${Number.isNaN(number) ? 'not' : 'infinite and not'} of type 'unsigned long long'.`);
  const whole = Math.trunc(number);
  if (whole < 0 || whole > Number.MAX_SAFE_INTEGER) throw new TypeError(`${where}Value is outside the 'unsigned long long' value range.`);
  return whole;
}

// What `postTask` was given, converted in the order of the names.
function toTask(callback, options) {
  const where = "Failed to execute 'postTask' on 'Scheduler': ";
  if (typeof callback !== 'function') throw new TypeError(`${where}parameter 1 is not of type 'Function'.`);
  const given = toOptions(options, where, 'SchedulerPostTaskOptions');
  const reading = (name) => `${where}Failed to read the '${name}' property from 'SchedulerPostTaskOptions': `;
  const { delay = 0 } = given;
  const wait = toDelay(delay, reading('delay'));
  let { priority } = given;
  if (priority !== undefined) priority = toPriority(priority, reading('priority'));
  const { signal } = given;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError(`${reading('signal')}Failed to convert value to 'AbortSignal'.`);
  return { wait, task: { priority, signal } };
}

class Scheduler {
  #isMade = true;

  constructor(key = undefined) {
    if (key !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  static #check(value) {
    if (!(#isMade in Object(value))) throw new ERR_INVALID_THIS('Scheduler');
  }

  postTask(callback, options = {}) {
    try {
      Scheduler.#check(this);
      const { wait, task } = toTask(callback, options);
      if (task.signal?.aborted) throw task.signal.reason;
      return wait === 0 ? post(callback, levelOf(task), task, false, callback) : later(wait, callback, task);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /// Lets others run, and goes on before tasks of the same priority begin. It has the priority of the task that
  /// it is called in, and is aborted with it; elsewhere the level of what runs.
  yield() {
    try {
      Scheduler.#check(this);
      const task = binding.getTask();
      if (task?.signal?.aborted) throw task.signal.reason;
      const nothing = () => {};
      return post(nothing, task === undefined ? binding.currentLevel() : levelOf(task), task ?? {}, true, nothing);
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

/// Posts a task once a delay is over, which counts from this very moment: a timer counts from the beginning of the
/// callback that sets it, and may come a little early.
function later(delay, callback, task) {
  return new Promise((resolve, reject) => {
    const start = binding.now();
    const stop = () => {
      clearTimeout(timer);
      reject(task.signal.reason);
    };
    const go = () => {
      const rest = delay - (binding.now() - start);
      if (rest > 0) {
        timer = setTimeout(go, Math.ceil(rest));
        return;
      }
      task.signal?.removeEventListener('abort', stop);
      resolve(post(callback, levelOf(task), task, false, callback));
    };
    let timer = setTimeout(go, delay);
    task.signal?.addEventListener('abort', stop);
  });
}

finishClass(Scheduler, ['postTask', 'yield'], 'Scheduler');

module.exports = { Scheduler, scheduler: new Scheduler(kMake), TaskController, TaskSignal, TaskPriorityChangeEvent };
