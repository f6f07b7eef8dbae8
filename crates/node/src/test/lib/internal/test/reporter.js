// What tests tell, as events, and their way to the output. The text is written between the program's
// callbacks, so that what a test prints itself comes before the report about it.
//
// From `binding`: nextTick(fn), setExitCode(code), writeStderr(text), testSettings().
'use strict';

// Where it was declared is found out if somebody wants to know.
const about = (test) => ({ nesting: test.nesting, name: test.name, get location() { return test.loc; } });

class Reporter {
  #sinks;
  #isDriven;
  // Where one command runs many files, it reports.
  #suite = binding.testSettings?.() === undefined ? undefined : require('internal/suite/from_node');
  #queue = [];
  #scheduled = false;

  constructor(isDriven) {
    this.#isDriven = isDriven;
    if (isDriven || this.#suite !== undefined) return;
    this.#sinks = require('internal/test/sinks').sinks();
    // Tests that need no time of their own print before the report begins, as in Node.
    this.#scheduled = true;
    binding.nextTick(() => Promise.resolve().then(() => binding.nextTick(() => this.flush())));
  }

  #push(type, data) {
    if (this.#isDriven) return;
    if (this.#suite !== undefined) {
      this.#suite.event(type, data);
      return;
    }
    this.#queue.push({ type, data });
    this.#schedule();
  }

  #schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    binding.nextTick(() => this.flush());
  }

  flush() {
    if (this.#isDriven || this.#suite !== undefined) return;
    this.#scheduled = false;
    const events = this.#queue.splice(0);
    for (const sink of this.#sinks) sink.take(events);
  }

  /// Tells the rest; gives a promise if a reporter takes its time.
  close() {
    this.flush();
    const closing = (this.#sinks ?? []).map((sink) => sink.close()).filter((promise) => promise !== undefined);
    return closing.length === 0 ? undefined : Promise.all(closing);
  }

  // What nobody but a stream of events has a use for.
  #pushFull(type, make) {
    if (this.#sinks?.some((sink) => sink.isFull)) this.#push(type, make());
  }

  enqueue(test) {
    this.#pushFull('enqueue', () => about(test));
  }

  dequeue(test) {
    this.#pushFull('dequeue', () => about(test));
  }

  complete(make) {
    this.#pushFull('complete', make);
  }

  start(test) {
    this.#push('start', about(test));
  }

  plan(nesting, count, test) {
    this.#push('plan', { nesting, count, get location() { return test?.loc; } });
  }

  diagnostic(nesting, message) {
    this.#push('diagnostic', { nesting, message });
  }

  pass(data) {
    this.#push('pass', data);
  }

  fail(data) {
    if (data.todo === undefined || data.todo === false) binding.setExitCode(1);
    if (this.#isDriven) this.#tell(data.error);
    this.#push('fail', data);
  }

  // Whoever reports about the test hears of the error as of one that nobody caught.
  #tell(error) {
    if (error?.failureType === 'subtestsFailed') return;
    const cause = error?.code === 'ERR_TEST_FAILURE' ? error.cause ?? error : error;
    const { inspect } = require('internal/util/inspect');
    binding.writeStderr(`${cause?.stack ?? inspect(cause)}\n`);
  }

  end() {
    this.#push('end', {});
  }
}

module.exports = { Reporter };
