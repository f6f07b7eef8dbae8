// A run of a task: its callback, its limit, and who is told of it.
'use strict';

const { format } = require('internal/util/inspect');
const { clearTimeout, setTimeout } = require('internal/timers');
const { toError } = require('internal/scheduler/declared');

/// Calls a callback, and gives undefined or the error that it failed with, when it has ended: one that goes on after
/// its limit is over has failed, but does not start beside itself. `isLate` is called when the limit is over.
async function enter({ run: callback, timeout }, facts, controller, isLate) {
  let limit;
  let late;
  try {
    const work = callback(facts);
    if (timeout !== undefined) {
      limit = setTimeout(() => {
        late = new DOMException(`The task did not end within ${timeout} ms`, 'TimeoutError');
        controller.abort(late);
        isLate(late);
      }, timeout);
    }
    await work;
    return late;
  } catch (error) {
    return late ?? error ?? new Error(`${error}`);
  } finally {
    if (limit !== undefined) clearTimeout(limit);
  }
}

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
/// for listeners that are not there: tasks run often.
class Run {
  #settings;
  #facts;
  controller = new AbortController();

  /// `facts` are id, attempt, fence, due and why it is to start, `pending`.
  constructor(settings, facts) {
    this.#settings = settings;
    this.#facts = facts;
    if (settings.on !== undefined) this.#tell('start', { reason: facts.pending, due: facts.due });
  }

  #tell(what, more) {
    const { on, node } = this.#settings;
    if (on === undefined) return;
    const { id, attempt, fence } = this.#facts;
    tell(on, what, { id, attempt, fence, node, ...more });
  }

  #write(text) {
    if (this.#settings.log) process.stderr.write(`scheduler: ${text}\n`);
  }

  /// Calls the callback, and gives undefined or its error. `facts` are for it alone, and get what every run has.
  enter(task, facts) {
    const { id, attempt, fence } = this.#facts;
    facts.attempt = attempt;
    facts.fence = fence;
    facts.node = this.#settings.node;
    const log = (...values) => {
      const message = format(...values);
      this.#write(`${id} (run ${fence}): ${message}`);
      this.#tell('log', { message });
    };
    facts.log = log;
    facts.signal = this.controller.signal;
    const isLate = task.timeout === undefined ? undefined : (error) => {
      this.#write(`${id} (run ${fence}) is told to stop: ${error.message}`);
      this.#tell('timeout', { error });
    };
    return enter(task, facts, this.controller, isLate);
  }

  /// It has ended, which is durable. What becomes of one that failed is asked for then: `{ retryAt, dead }`.
  ended(error, next) {
    if (error === undefined) {
      this.#tell('success', undefined);
      return;
    }
    const { retryAt, dead } = next;
    const { id, attempt } = this.#facts;
    // By the time that the end of a run is told again, it may have been tried again already.
    const again = retryAt === null ? undefined : new Date(retryAt);
    const then = dead ? 'given up' : `tried again${again === undefined ? '' : ` at ${again.toISOString()}`}`;
    this.#write(`${id} failed (attempt ${attempt}): ${toError(error).message}; ${then}`);
    this.#tell('failure', { error, dead, retryAt: dead ? undefined : again });
  }

  /// It has ended, which does not count: its lease was lost.
  refused(error) {
    const { id, fence } = this.#facts;
    this.#write(`${id}: the end of run ${fence} does not count: its lease was lost`);
    this.#tell('refused', { error });
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
