// Where reports go: the reporters that flags name, each with its destination.
//
// From `binding`: cwd, env, fileUrl, flags, isTerminal(1), resolveImport, writeStderr(text), writeStdout(text).
'use strict';

const { publish } = require('internal/test/events');
const { valuesOf } = require('internal/flags');

const OWN = new Set(['spec', 'tap']);
const BUILT_IN = new Set(['dot', 'junit', ...OWN]);

/// The reporters that are asked for, by name, and their destinations.
function asked() {
  const names = valuesOf('--test-reporter');
  const destinations = valuesOf('--test-reporter-destination');
  if (names.length === 0 && destinations.length === 0) names.push(binding.isTerminal(1) ? 'spec' : 'tap');
  if (names.length === 1 && destinations.length === 0) destinations.push('stdout');
  if (names.length !== destinations.length) {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('--test-reporter', names, "must match the number of specified '--test-reporter-destination'");
  }
  return names.map((name, at) => ({ name, destination: destinations[at] }));
}

/// What is written is there when the call returns.
function writerTo(destination) {
  if (destination === 'stdout') return binding.writeStdout;
  if (destination === 'stderr') return binding.writeStderr;
  const fs = require('fs');
  const fd = fs.openSync(destination, 'w');
  return (text) => fs.writeSync(fd, text);
}

/// A reporter of ours that gives the text of each event at once.
class TextSink {
  #format;
  #write;
  #started = false;

  constructor(name, destination) {
    const colors = name === 'spec' && destination === 'stdout' && Boolean(binding.isTerminal(1));
    this.#format = require(`internal/test/${name}`).createReporter({ colors });
    this.#write = writerTo(destination);
  }

  take(events) {
    let text = this.#started ? '' : this.#format.start();
    this.#started = true;
    for (const { type, data } of events) text += this.#format.event(type, data);
    if (text !== '') this.#write(text);
  }

  close() {}
}

/// A reporter that takes a stream of events: a generator, or a transform.
class StreamSink {
  // Whether it has a use for what is told of tests beside their results.
  isFull = true;
  #source;
  #done;

  constructor(name, destination) {
    const { Readable } = require('stream');
    this.#source = new Readable({ objectMode: true, read() {} });
    this.#done = this.#run(name, writerTo(destination));
    // Whoever closes it hears of what went wrong.
    this.#done.catch(() => {});
  }

  async #run(name, write) {
    const reporter = await load(name);
    const isClass = typeof reporter?.prototype?.pipe === 'function';
    const made = isClass ? new reporter() : reporter;
    const pieces = typeof made === 'function' ? made(this.#source) : this.#source.compose(made);
    for await (const piece of pieces) write(typeof piece === 'string' ? piece : require('buffer').Buffer.from(piece).toString());
  }

  take(events) {
    for (const { type, data } of events) {
      if (type !== 'end') this.#source.push(publish(type, data));
    }
  }

  close() {
    this.#source.push(null);
    return this.#done;
  }
}

/// The reporter of that name: one of ours, or what a module exports.
async function load(name) {
  if (BUILT_IN.has(name)) return require('test/reporters')[name];
  const url = binding.resolveImport(name, `${binding.fileUrl(binding.cwd)}/`);
  const { default: reporter } = await import(url);
  return reporter;
}

/// How a process that runs one of many files tells of its tests: a line for each event, among whatever it prints.
class Frames {
  isFull = true;
  // The last word belongs to whoever runs the files.
  #isOver = false;

  take(events) {
    let text = '';
    for (const { type, data } of events) {
      if (type === 'diagnostic' && data.nesting === 0 && /^tests \d+$/.test(data.message)) this.#isOver = true;
      if (this.#isOver || type === 'end' || (type === 'plan' && data.nesting === 0)) continue;
      text += frame(type, data);
    }
    if (text !== '') binding.writeStdout(text);
  }

  close() {}
}

const MARK = '\u0001';

function frame(type, data) {
  const { pack } = require('internal/worker/errors');
  const error = data.error === undefined ? undefined : pack(data.error);
  return `${MARK}${require('v8').serialize([type, { ...data, error }]).toString('base64')}\n`;
}

/// The event of such a line; undefined for any other.
exports.readFrame = function readFrame(line) {
  if (line[0] !== MARK) return undefined;
  try {
    const [type, data] = require('v8').deserialize(require('buffer').Buffer.from(line.slice(1), 'base64'));
    if (data.error === undefined) delete data.error;
    else data.error = require('internal/worker/errors').unpack(data.error);
    return { type, data };
  } catch {
    return undefined;
  }
};

/// Whether somebody runs this file as one of many.
exports.isChild = () => binding.env?.NODE_TEST_CONTEXT !== undefined;

/// Where events go, by flags.
exports.sinks = () => (exports.isChild() ? [new Frames()] :
  asked().map(({ name, destination }) => new (OWN.has(name) ? TextSink : StreamSink)(name, destination)));
