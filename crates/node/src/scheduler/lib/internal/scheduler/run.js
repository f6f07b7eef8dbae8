// A run of a task: its callback, its limit, and who is told of it.
'use strict';

const { format } = require('internal/util/inspect');
const { clearTimeout, setTimeout } = require('internal/timers');
const { toError } = require('internal/scheduler/declared');

const failure = (error) => error ?? new Error(`${error}`);

/// Tells who wants to hear of it.
function tell(on, what, facts) {
  try {
    on?.({ what, ...facts });
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

/// One run of a task, from its start to its end: what its callback is given, and what is told of it. Nothing is made
/// for listeners that are not there, nor what few ask for: tasks run often.
///
/// What is undefined is not kept: `error`, what it failed with, and `aborts`, what aborts the signal of its callback.
class Run {
  /// `declared` is the task as it was declared, `task` its number; `pending` is why it is to start.
  constructor(settings, declared, task, id, pending, due, attempt, fence, job) {
    this.settings = settings;
    this.declared = declared;
    this.task = task;
    this.id = id;
    this.pending = pending;
    this.due = due;
    this.attempt = attempt;
    this.fence = fence;
    this.job = job;
  }

  tell(what, more) {
    const { on, node } = this.settings;
    if (on === undefined) return;
    const { id, attempt, fence } = this;
    tell(on, what, { id, attempt, fence, node, ...more });
  }

  write(text) {
    if (this.settings.log) process.stderr.write(`scheduler: ${text}\n`);
  }

  get controller() {
    this.aborts ??= new (require('internal/abort_controller').AbortController)();
    return this.aborts;
  }

  /// Calls the callback. Gives a promise if that goes on: it has ended when the promise is fulfilled. `about` is what
  /// only a run of a job is given.
  enter(due, about) {
    const run = this;
    if (this.settings.on !== undefined) this.tell('start', { reason: this.pending, due: this.due });
    const { id, pending: reason, attempt, fence } = this;
    const log = (...values) => {
      const message = format(...values);
      run.write(`${id} (run ${fence}): ${message}`);
      run.tell('log', { message });
    };
    const facts = {
      due, reason, ...about, attempt, fence, node: this.settings.node, log,
      // Few ask for it.
      get signal() { return run.controller.signal; },
    };
    const { run: callback, timeout } = this.declared;
    try {
      const work = callback(facts);
      // What is no object is nothing to wait for.
      if ((typeof work === 'object' && work !== null) || typeof work === 'function') return this.wait(work, timeout);
    } catch (error) {
      this.error = failure(error);
    }
    return undefined;
  }

  /// Waits for a callback: one that goes on after its limit is over has failed, but does not start beside itself.
  async wait(work, timeout) {
    let limit;
    let late;
    if (timeout !== undefined) {
      limit = setTimeout(() => {
        late = new DOMException(`The task did not end within ${timeout} ms`, 'TimeoutError');
        this.controller.abort(late);
        const { id, fence } = this;
        this.write(`${id} (run ${fence}) is told to stop: ${late.message}`);
        this.tell('timeout', { error: late });
      }, timeout);
    }
    try {
      await work;
      this.error = late;
    } catch (error) {
      this.error = late ?? failure(error);
    } finally {
      if (limit !== undefined) clearTimeout(limit);
    }
  }

  /// It has ended, which is durable. What becomes of one that failed is asked for then: `{ retryAt, dead }`.
  ended(next) {
    const { error } = this;
    if (error === undefined) {
      this.tell('success', undefined);
      return;
    }
    const { retryAt, dead } = next;
    const { id, attempt } = this;
    // By the time that the end of a run is told again, it may have been tried again already.
    const again = retryAt === null ? undefined : new Date(retryAt);
    const then = dead ? 'given up' : `tried again${again === undefined ? '' : ` at ${again.toISOString()}`}`;
    this.write(`${id} failed (attempt ${attempt}): ${toError(error).message}; ${then}`);
    this.tell('failure', { error, dead, retryAt: dead ? undefined : again });
  }

  /// It has ended, which does not count: its lease was lost.
  refused() {
    const { error } = this;
    const { id, fence } = this;
    this.write(`${id}: the end of run ${fence} does not count: its lease was lost`);
    this.tell('refused', { error });
  }
}

/// Says on standard error what differs from the list before.
function report({ added, removed, changed, orphaned }) {
  const words = [
    [added, 'new'], [removed, 'forgotten'], [changed.map(({ id }) => id), 'changed'], [orphaned, 'interrupted, starting again'],
  ];
  for (const [ids, word] of words) {
    if (ids.length > 0) process.stderr.write(`scheduler: ${word}: ${ids.join(', ')}\n`);
  }
}

module.exports = { Run, report, tell };
