// The web platform's `scheduler`: tasks with three priorities, which are the levels of `hemiola:tasks`.
// Uses binding.queueTask, moveTask, withdrawTask, setTimeout.
'use strict';

const { AbortController, AbortSignal, combine, kMake } = require('internal/abort_controller');
const { DOMException } = require('internal/domexception');
const { Event, defineEventHandler, finishClass, kTrustEvent } = require('internal/event_target');
const { setTimeout, clearTimeout } = require('internal/timers');

const levels = { __proto__: null, 'user-blocking': 'high', 'user-visible': 'low', 'background': 'background' };
const kPriority = Symbol('kPriority');
const kChanging = Symbol('kChanging');
const kTasks = Symbol('kTasks');
const kFollowers = Symbol('kFollowers');

function toPriority(value) {
  const text = `${value}`;
  if (levels[text] === undefined) throw new TypeError(`'${text}' is not a valid priority: use user-blocking, user-visible or background`);
  return text;
}

class TaskPriorityChangeEvent extends Event {
  #previous;

  constructor(type, init) {
    if (init?.previousPriority === undefined) throw new TypeError('The option previousPriority is missing');
    super(type, init);
    this.#previous = toPriority(init.previousPriority);
  }

  get previousPriority() {
    return this.#previous;
  }
}

class TaskSignal extends AbortSignal {
  constructor(key = undefined, priority = 'user-visible') {
    super(key);
    this[kPriority] = priority;
    this[kChanging] = false;
    // Tasks that wait and follow its priority, and signals that do.
    this[kTasks] = new Set();
    this[kFollowers] = new Set();
  }

  get priority() {
    return this[kPriority];
  }

  static any(signals, init = {}) {
    const list = [...signals];
    for (const signal of list) {
      if (!(signal instanceof AbortSignal)) throw new TypeError('TaskSignal.any takes signals');
    }
    const given = init?.priority ?? 'user-visible';
    const source = given instanceof TaskSignal ? given : undefined;
    const result = combine(new TaskSignal(kMake, source?.priority ?? toPriority(given)), list);
    source?.[kFollowers].add(result);
    return result;
  }
}

defineEventHandler(TaskSignal.prototype, 'prioritychange');
finishClass(TaskSignal, ['priority'], 'TaskSignal');

function changePriority(signal, priority) {
  if (signal[kChanging]) throw new DOMException('The priority is being changed already', 'NotAllowedError');
  const previousPriority = signal[kPriority];
  if (previousPriority === priority) return;
  signal[kChanging] = true;
  try {
    signal[kPriority] = priority;
    for (const number of signal[kTasks]) binding.moveTask(number, levels[priority], undefined);
    signal.dispatchEvent(new TaskPriorityChangeEvent('prioritychange', { previousPriority, [kTrustEvent]: true }));
    for (const follower of signal[kFollowers]) changePriority(follower, priority);
  } finally {
    signal[kChanging] = false;
  }
}

class TaskController extends AbortController {
  #priority;

  constructor(init = {}) {
    super();
    this.#priority = toPriority(init?.priority ?? 'user-visible');
  }

  [kMake]() {
    return new TaskSignal(kMake, this.#priority);
  }

  setPriority(priority) {
    changePriority(this.signal, toPriority(priority));
  }
}

finishClass(TaskController, ['setPriority'], 'TaskController');

// What the task that runs was posted with; its continuations inherit it.
let running;

/// Queues a task whose result is a promise. `state` has its priority or the signal that decides it.
function post(callback, { priority, signal, abort, continues, site }) {
  return new Promise((resolve, reject) => {
    const follows = priority === undefined && signal instanceof TaskSignal ? signal : undefined;
    const level = levels[priority ?? follows?.priority ?? 'user-visible'];
    const state = { priority, signal, abort };
    const stop = () => {
      binding.withdrawTask(number);
      end();
      reject(abort.reason);
    };
    const end = () => {
      follows?.[kTasks].delete(number);
      abort?.removeEventListener('abort', stop);
    };
    const number = binding.queueTask(() => {
      end();
      const before = running;
      running = state;
      try {
        resolve(callback());
      } catch (error) {
        reject(error);
      } finally {
        running = before;
      }
    }, level, undefined, continues, site);
    follows?.[kTasks].add(number);
    abort?.addEventListener('abort', stop);
  });
}

function toDelay(value) {
  const number = Math.trunc(Number(value));
  if (!(number >= 0 && number <= Number.MAX_SAFE_INTEGER)) throw new TypeError('The option delay is not a number of milliseconds');
  return number;
}

class Scheduler {
  postTask(callback, options = {}) {
    try {
      if (typeof callback !== 'function') throw new TypeError('The callback is not a function');
      const { signal, priority, delay = 0 } = options ?? {};
      if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError('The option signal is no AbortSignal');
      const task = {
        priority: priority === undefined ? undefined : toPriority(priority), signal, abort: signal, continues: false, site: callback,
      };
      const wait = toDelay(delay);
      if (signal?.aborted) throw signal.reason;
      return wait === 0 ? post(callback, task) : later(wait, callback, task);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /// Lets others run, and goes on before tasks of the same priority begin.
  yield() {
    const { priority, signal, abort } = running ?? {};
    if (abort?.aborted) return Promise.reject(abort.reason);
    const nothing = () => {};
    return post(nothing, { priority, signal, abort, continues: true, site: nothing });
  }
}

function later(delay, callback, task) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(task.abort.reason);
    };
    const timer = setTimeout(() => {
      task.abort?.removeEventListener('abort', stop);
      resolve(post(callback, task));
    }, delay);
    task.abort?.addEventListener('abort', stop);
  });
}

finishClass(Scheduler, ['postTask', 'yield'], 'Scheduler');

module.exports = { scheduler: new Scheduler(), TaskController, TaskSignal, TaskPriorityChangeEvent };
