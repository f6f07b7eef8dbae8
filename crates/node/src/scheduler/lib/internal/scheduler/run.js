// A run of a task: its callback, its limit, and who is told of it.
'use strict';

const { clearTimeout, setTimeout } = require('internal/timers');

/// Calls a callback, and gives undefined or the error that it failed with.
async function enter({ run: callback, timeout }, facts, controller = new AbortController()) {
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

/// Says on standard error what differs from the list before.
function report({ added, removed, changed, orphaned }) {
  const words = [
    [added, 'new'], [removed, 'forgotten'], [changed.map(({ id }) => id), 'changed'], [orphaned, 'interrupted, starting again'],
  ];
  for (const [ids, word] of words) {
    if (ids.length > 0) process.stderr.write(`scheduler: ${word}: ${ids.join(', ')}\n`);
  }
}

module.exports = { enter, report, tell };
