// `diagnostics_channel`: named channels on which a library tells what it does, to whoever listens.
// The rules are in docs/library/diagnostics_channel.md.
//
// Uses binding.nextTick.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const { apply, defineProperty } = Reflect;

/// What a subscriber throws is not the publisher's fault (CHANNEL-3).
function throwLater(error) {
  binding.nextTick(() => { throw error; });
}

/// A channel that nobody listens to: to publish on it costs a call and nothing else.
class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    defineProperty(this, '_isWalked', { __proto__: null, value: false, writable: true });
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    activated(this).subscribe(subscription);
  }

  unsubscribe() {
    return false;
  }

  bindStore(store, transform) {
    activated(this).bindStore(store, transform);
  }

  unbindStore() {
    return false;
  }

  get hasSubscribers() {
    return false;
  }

  publish() {}

  runStores(data, fn, thisArg, ...args) {
    return apply(fn, thisArg, args);
  }
}

/// What a channel is while it has subscribers or stores (CHANNEL-1). A list that may be walked is replaced when
/// it changes, so that whoever walks it is not disturbed.
class ActiveChannel extends Channel {
  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    if (this._isWalked) own(this);
    this._subscribers.push(subscription);
  }

  unsubscribe(subscription) {
    const at = this._subscribers.indexOf(subscription);
    if (at < 0) return false;
    if (this._isWalked) own(this);
    if (at === 0) this._subscribers.shift();
    else if (at === this._subscribers.length - 1) this._subscribers.pop();
    else this._subscribers = this._subscribers.toSpliced(at, 1);
    deactivateIfIdle(this);
    return true;
  }

  bindStore(store, transform) {
    this._stores.set(store, transform);
  }

  unbindStore(store) {
    if (!this._stores.delete(store)) return false;
    deactivateIfIdle(this);
    return true;
  }

  get hasSubscribers() {
    return true;
  }

  /// CHANNEL-2
  publish(data) {
    const { name, _subscribers: subscribers } = this;
    this._isWalked = true;
    for (const subscriber of subscribers) {
      try {
        subscriber(data, name);
      } catch (error) {
        throwLater(error);
      }
    }
  }

  runStores(data, fn, thisArg, ...args) {
    return enter([...this._stores], data, () => {
      this.publish(data);
      return apply(fn, thisArg, args);
    });
  }
}

/// Gives a channel a list of subscribers that nobody walks.
function own(channel) {
  channel._subscribers = channel._subscribers.slice();
  channel._isWalked = false;
}

/// Calls a function within stores, of which the last is entered first (CHANNEL-4).
function enter(stores, data, inside) {
  const bound = stores.pop();
  if (bound === undefined) return inside();
  const [store, transform] = bound;
  let value = data;
  try {
    if (transform) value = transform(data);
  } catch (error) {
    throwLater(error);
    return enter(stores, data, inside);
  }
  return store.run(value, () => enter(stores, data, inside));
}

function activated(channel) {
  Object.setPrototypeOf(channel, ActiveChannel.prototype);
  return Object.assign(channel, { _subscribers: [], _stores: new Map() });
}

function deactivateIfIdle(channel) {
  if (channel._subscribers.length > 0 || channel._stores.size > 0) return;
  Object.setPrototypeOf(channel, Channel.prototype);
  channel._subscribers = undefined;
  channel._stores = undefined;
}

/// All channels by name. Programs have few of them, and hold them as long as they run.
const channels = new Map();

function channel(name) {
  let known = channels.get(name);
  if (known === undefined) {
    const kind = typeof name;
    if (kind !== 'string' && kind !== 'symbol') throw new ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
    channels.set(name, known = new Channel(name));
  }
  return known;
}

function hasSubscribers(name) {
  return channels.get(name)?.hasSubscribers ?? false;
}

function subscribe(name, subscription) {
  channel(name).subscribe(subscription);
}

function unsubscribe(name, subscription) {
  return channel(name).unsubscribe(subscription);
}

// What is told of a call, in five channels (CHANNEL-5).

const traceEvents = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

class TracingChannel {
  constructor(nameOrChannels) {
    for (const event of traceEvents) {
      Object.defineProperty(this, event, { value: channelFor(nameOrChannels, event) });
    }
  }

  get hasSubscribers() {
    for (let at = 0; at < traceEvents.length; at++) if (this[traceEvents[at]].hasSubscribers) return true;
    return false;
  }

  subscribe(handlers) {
    for (const event of traceEvents) if (handlers[event]) this[event].subscribe(handlers[event]);
  }

  unsubscribe(handlers) {
    const failed = traceEvents.filter((event) => handlers[event] && !this[event].unsubscribe(handlers[event]));
    return failed.length === 0;
  }

  traceSync(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return apply(fn, thisArg, args);
    return this.#call(context, () => context.result = apply(fn, thisArg, args));
  }

  tracePromise(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return apply(fn, thisArg, args);
    const fulfilled = (value) => {
      this.#settle(context, 'result', value);
      return value;
    };
    const rejected = (reason) => {
      this.#settle(context, 'error', reason);
      return Promise.reject(reason);
    };
    return this.#call(context, () => {
      const returned = apply(fn, thisArg, args);
      const promise = returned instanceof Promise ? returned : Promise.resolve(returned);
      return promise.then(fulfilled, rejected);
    });
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return apply(fn, thisArg, args);
    const callback = args.at(position);
    validateFunction(callback, 'callback');
    const tracing = this;
    args.splice(position, 1, function(...results) {
      return tracing.#callBack(context, () => apply(callback, this, results), results);
    });
    return this.#call(context, () => apply(fn, thisArg, args));
  }

  /// Notes how a call ended.
  #note(context, key, value) {
    context[key] = value;
    if (key === 'error') this.error.publish(context);
  }

  /// CHANNEL-6
  #call(context, traced) {
    const inside = () => {
      try {
        return traced();
      } catch (reason) {
        this.#note(context, 'error', reason);
        throw reason;
      } finally {
        this.end.publish(context);
      }
    };
    return this.start.runStores(context, inside);
  }

  /// CHANNEL-7
  #settle(context, key, value) {
    this.#note(context, key, value);
    this.asyncStart.publish(context);
    this.asyncEnd.publish(context);
  }

  /// CHANNEL-8
  #callBack(context, callback, [reason, result]) {
    if (reason) this.#note(context, 'error', reason);
    else this.#note(context, 'result', result);
    return this.asyncStart.runStores(context, () => {
      try {
        return callback();
      } finally {
        this.asyncEnd.publish(context);
      }
    });
  }
}

function channelFor(nameOrChannels, event) {
  if (typeof nameOrChannels === 'string') return channel(`tracing:${nameOrChannels}:${event}`);
  if (typeof nameOrChannels !== 'object' || nameOrChannels === null) {
    throw new ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'TracingChannel', 'Object'], nameOrChannels);
  }
  const given = nameOrChannels[event];
  if (given instanceof Channel) return given;
  if (given === undefined || given === null) throw new TypeError('Cannot convert undefined or null to object');
  throw new ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, 'Channel', given);
}

function tracingChannel(nameOrChannels) {
  return new TracingChannel(nameOrChannels);
}

module.exports = { channel, hasSubscribers, subscribe, tracingChannel, unsubscribe, Channel };
