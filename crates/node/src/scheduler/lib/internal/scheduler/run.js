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
    const work = callback({ ...facts, signal: controller.signal });
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
    clearTimeout(limit);
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

/// One run of a task, from its start to its end: what its callback is given, and what is told of it.
class Run {
  #settings;
  #facts;
  controller = new AbortController();

  constructor(settings, { id, attempt, fence, reason, due }) {
    this.#settings = settings;
    this.#facts = { id, attempt, fence, node: settings.node };
    this.#tell('start', { reason, due });
  }

  #tell(what, more) {
    tell(this.#settings.on, what, { ...this.#facts, ...more });
  }

  #write(text) {
    if (this.#settings.log) process.stderr.write(`scheduler: ${text}\n`);
  }

  /// Calls the callback, and gives undefined or its error.
  enter(task, facts) {
    const { id, attempt, fence, node } = this.#facts;
    const log = (...values) => {
      const message = format(...values);
      this.#write(`${id} (run ${fence}): ${message}`);
      this.#tell('log', { message });
    };
    return enter(task, { ...facts, attempt, fence, node, log }, this.controller, (error) => {
      this.#write(`${id} (run ${fence}) is told to stop: ${error.message}`);
      this.#tell('timeout', { error });
    });
  }

  /// It has ended, which is durable.
  ended(error, { retryAt, dead }) {
    if (error === undefined) {
      this.#tell('success', {});
      return;
    }
    const { id, attempt } = this.#facts;
    // By the time that the end of a run is told again, it may have been tried again already.
    const again = retryAt === null ? undefined : new Date(retryAt);
    const next = dead ? 'given up' : `tried again${again === undefined ? '' : ` at ${again.toISOString()}`}`;
    this.#write(`${id} failed (attempt ${attempt}): ${toError(error).message}; ${next}`);
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
