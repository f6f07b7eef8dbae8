// hemiola:federation: one labelled clock in several processes, on several computers (rules FED-1 to FED-8).
// Uses binding.now, wallClock, random, getFrame, swapFrame.
'use strict';

const {
  AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { validateAbortSignal, validateFunction, validateInteger, validateNumber, validateObject, validateString } =
  require('internal/validators');
const { clock } = require('hemiola/clock');
const { ownerOf, toLabel } = require('internal/timers');
const { Founding } = require('internal/federation/founding');
const { Member } = require('internal/federation/member');
const { memory, mqtt, nats } = require('internal/federation/transports');
const { unsent } = require('internal/federation/wire');
const failures = require('internal/federation/failures');

const none = Object.freeze({ __proto__: null });

const PERIOD_MS = 1000;
const LIVENESS_MS = 5000;

function validateName(value, name) {
  validateString(value, name);
  if (value === '') throw new ERR_INVALID_ARG_VALUE(name, value, 'must not be empty');
  if (!value.isWellFormed()) throw new ERR_INVALID_ARG_VALUE(name, value, 'must be well-formed text');
}

function validateWait(value, name, least) {
  validateNumber(value, name);
  if (!(value >= least)) throw new ERR_OUT_OF_RANGE(name, `>= ${least}`, value);
}

// The inputs with how long each is waited for; a list of names waits for ever.
function readInputs(inputs, self) {
  const read = new Map();
  if (inputs === undefined) return read;
  const names = Array.isArray(inputs) ? inputs : Object.keys(Object(inputs));
  if (!Array.isArray(inputs)) validateObject(inputs, 'options.inputs');
  for (const name of names) {
    validateName(name, 'options.inputs');
    if (name === self) throw new ERR_INVALID_ARG_VALUE('options.inputs', name, 'is the member itself');
    const options = Array.isArray(inputs) ? none : inputs[name];
    validateObject(options, `options.inputs.${name}`);
    const { maxWait = Infinity } = options;
    validateWait(maxWait, `options.inputs.${name}.maxWait`, 0);
    read.set(name, maxWait);
  }
  return read;
}

function readFounders(founders, self, inputs) {
  if (founders === undefined) return [self, ...inputs.keys()];
  if (!Array.isArray(founders)) throw new ERR_INVALID_ARG_TYPE('options.founders', 'Array', founders);
  for (const name of founders) validateName(name, 'options.founders');
  return founders.includes(self) ? founders : [self, ...founders];
}

class Federation {
  #member;
  #clock;
  #left = undefined;

  constructor(member) {
    this.#member = member;
    Object.defineProperty(this, 'name', { __proto__: null, value: member.federation, enumerable: true });
    Object.defineProperty(this, 'as', { __proto__: null, value: member.name, enumerable: true });
    this.#clock = clock(`${member.federation}/${member.name}`);
  }

  get clock() {
    return this.#clock;
  }

  send(topic, value, options = none) {
    validateName(topic, 'topic');
    validateObject(options, 'options');
    const { after = this.#member.after } = options;
    validateInteger(after, 'options.after', 0);
    if (after < this.#member.after) {
      throw new ERR_OUT_OF_RANGE('options.after', `>= ${this.#member.after}, which the member has promised`, after);
    }
    const wrong = unsent(value);
    if (wrong !== undefined) throw new ERR_INVALID_ARG_VALUE(wrong, value, 'cannot be sent as JSON');
    this.#checkOpen();
    this.#member.send(topic, value, after);
  }

  on(topic, handler) {
    validateName(topic, 'topic');
    validateFunction(handler, 'handler');
    this.#checkOpen();
    const one = { handler: bound(handler), isRemoved: false };
    const { handlers } = this.#member;
    (handlers[topic] ??= []).push(one);
    return disposable(() => {
      one.isRemoved = true;
      handlers[topic] = handlers[topic].filter((other) => other !== one);
    });
  }

  tardy(topic, handler) {
    validateName(topic, 'topic');
    validateFunction(handler, 'handler');
    this.#checkOpen();
    const { tardyHandlers } = this.#member;
    const mine = bound(handler);
    tardyHandlers[topic] = mine;
    return disposable(() => {
      if (tardyHandlers[topic] === mine) delete tardyHandlers[topic];
    });
  }

  missing(handler) {
    validateFunction(handler, 'handler');
    this.#checkOpen();
    const { missingHandlers } = this.#member;
    const mine = bound(handler);
    missingHandlers.push(mine);
    return disposable(() => {
      const at = missingHandlers.indexOf(mine);
      if (at >= 0) missingHandlers.splice(at, 1);
    });
  }

  expel(name) {
    validateName(name, 'name');
    this.#checkOpen();
    const input = this.#member.inputs.get(name);
    if (input === undefined) throw new ERR_INVALID_ARG_VALUE('name', name, 'is not an input of this member');
    this.#member.expel(input);
  }

  report() {
    return this.#member.report();
  }

  leave() {
    this.#left ??= this.#leave();
    return this.#left;
  }

  async #leave() {
    this.#clock.close();
    await this.#member.leave();
  }

  [Symbol.asyncDispose]() {
    return this.leave();
  }

  #checkOpen() {
    if (this.#left !== undefined) throw new ERR_INVALID_STATE(`'${this.as}' has left the federation '${this.name}'`);
    if (!this.#member.isOpen) throw failures.closed(this.name);
  }
}

// A handler is called in the context in which it was set, whoever's message came.
function bound(handler) {
  const frame = binding.getFrame();
  return (...args) => {
    const before = binding.swapFrame(frame);
    try {
      handler(...args);
    } finally {
      binding.swapFrame(before);
    }
  };
}

function disposable(remove) {
  return { remove, [Symbol.dispose]: remove };
}

async function join(name, options) {
  validateName(name, 'name');
  validateObject(options, 'options');
  const { as, transport, after = 0, period = PERIOD_MS, liveness = LIVENESS_MS, signal } = options;
  validateName(as, 'options.as');
  validateObject(transport, 'options.transport');
  validateFunction(transport.connect, 'options.transport.connect');
  validateInteger(after, 'options.after', 0);
  validateInteger(period, 'options.period', 1);
  validateWait(liveness, 'options.liveness', 1);
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const inputs = readInputs(options.inputs, as);
  const founders = readFounders(options.founders, as, inputs);

  if (ownerOf(toLabel(`${name}/${as}`)) !== undefined) throw failures.nameTaken(name, as);
  const wall = binding.wallClock();
  // Later lives of a member have higher numbers; of those that begin at the same instant, one has.
  const incarnation = wall * 1024 + Math.floor(binding.random() * 1024);
  const member = new Member(name, { name: as, incarnation, after, period, liveness, inputs });
  const founding = new Founding(member, founders, wall, binding.now(), signal);
  member.founding = founding;
  try {
    member.link = await transport.connect(name, {
      receive: (text) => member.receive(text),
      failed: (cause) => member.fail(failures.closed(name, cause)),
    });
  } catch (error) {
    member.close();
    throw error;
  }
  await founding.join();
  return new Federation(member);
}

module.exports = { join, memory, mqtt, nats };
