// `diagnostics_channel`: named channels on which a library tells what it does, to whoever listens.
//
// Uses binding.nextTick.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

// What a subscriber throws is not the publisher's fault.
function throwLater(error) {
  binding.nextTick(() => { throw error; });
}

/// A channel nobody listens to, which costs nothing to publish on. It becomes an ActiveChannel, and
/// back, by changing its prototype: those who publish keep hold of the object.
class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    channels.set(name, this);
  }

  static [Symbol.hasInstance](it) {
    const prototype = Object.getPrototypeOf(it);
    return prototype === Channel.prototype || prototype === ActiveChannel.prototype;
  }

  subscribe(subscription) {
    activate(this);
    this.subscribe(subscription);
  }

  unsubscribe() {
    return false;
  }

  bindStore(store, transform) {
    activate(this);
    this.bindStore(store, transform);
  }

  unbindStore() {
    return false;
  }

  get hasSubscribers() {
    return false;
  }

  publish() {}

  runStores(data, fn, thisArg, ...args) {
    return Reflect.apply(fn, thisArg, args);
  }
}

class ActiveChannel {
  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    this._subscribers = [...this._subscribers, subscription];
  }

  unsubscribe(subscription) {
    const at = this._subscribers.indexOf(subscription);
    if (at < 0) return false;
    this._subscribers = this._subscribers.toSpliced(at, 1);
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

  publish(data) {
    for (const subscriber of this._subscribers) {
      try {
        subscriber(data, this.name);
      } catch (error) {
        throwLater(error);
      }
    }
  }

  /// Publishes and calls the function with each store set to what it makes of the data.
  runStores(data, fn, thisArg, ...args) {
    let run = () => {
      this.publish(data);
      return Reflect.apply(fn, thisArg, args);
    };
    for (const [store, transform] of this._stores.entries()) run = within(store, transform, data, run);
    return run();
  }
}

function within(store, transform, data, next) {
  return () => {
    let value = data;
    if (transform) {
      try {
        value = transform(data);
      } catch (error) {
        throwLater(error);
        return next();
      }
    }
    return store.run(value, next);
  };
}

function activate(channel) {
  Object.setPrototypeOf(channel, ActiveChannel.prototype);
  channel._subscribers = [];
  channel._stores = new Map();
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
  const known = channels.get(name);
  if (known !== undefined) return known;
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    throw new ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  }
  return new Channel(name);
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

// What is told of a call, in five channels.

const traceEvents = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

class TracingChannel {
  constructor(nameOrChannels) {
    for (const event of traceEvents) {
      Object.defineProperty(this, event, { value: channelFor(nameOrChannels, event) });
    }
  }

  get hasSubscribers() {
    return traceEvents.some((event) => this[event].hasSubscribers);
  }

  subscribe(handlers) {
    for (const event of traceEvents) if (handlers[event]) this[event].subscribe(handlers[event]);
  }

  unsubscribe(handlers) {
    let all = true;
    for (const event of traceEvents) {
      if (handlers[event] && !this[event].unsubscribe(handlers[event])) all = false;
    }
    return all;
  }

  traceSync(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const { start, end, error } = this;
    return start.runStores(context, () => {
      try {
        const result = Reflect.apply(fn, thisArg, args);
        context.result = result;
        return result;
      } catch (thrown) {
        context.error = thrown;
        error.publish(context);
        throw thrown;
      } finally {
        end.publish(context);
      }
    });
  }

  tracePromise(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const { start, end, asyncStart, asyncEnd, error } = this;
    const settled = () => {
      asyncStart.publish(context);
      asyncEnd.publish(context);
    };
    return start.runStores(context, () => {
      try {
        let promise = Reflect.apply(fn, thisArg, args);
        if (!(promise instanceof Promise)) promise = Promise.resolve(promise);
        return promise.then((result) => {
          context.result = result;
          settled();
          return result;
        }, (reason) => {
          context.error = reason;
          error.publish(context);
          settled();
          return Promise.reject(reason);
        });
      } catch (thrown) {
        context.error = thrown;
        error.publish(context);
        throw thrown;
      } finally {
        end.publish(context);
      }
    });
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const { start, end, asyncStart, asyncEnd, error } = this;
    const callback = args.at(position);
    validateFunction(callback, 'callback');
    function traced(reason, result) {
      if (reason) {
        context.error = reason;
        error.publish(context);
      } else {
        context.result = result;
      }
      asyncStart.runStores(context, () => {
        try {
          return Reflect.apply(callback, this, arguments);
        } finally {
          asyncEnd.publish(context);
        }
      });
    }
    args.splice(position, 1, traced);
    return start.runStores(context, () => {
      try {
        return Reflect.apply(fn, thisArg, args);
      } catch (thrown) {
        context.error = thrown;
        error.publish(context);
        throw thrown;
      } finally {
        end.publish(context);
      }
    });
  }
}

function channelFor(nameOrChannels, event) {
  if (typeof nameOrChannels === 'string') return channel(`tracing:${nameOrChannels}:${event}`);
  if (typeof nameOrChannels === 'object' && nameOrChannels !== null) {
    const given = nameOrChannels[event];
    if (!(given instanceof Channel)) throw new ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, 'Channel', given);
    return given;
  }
  throw new ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', 'TracingChannel'], nameOrChannels);
}

function tracingChannel(nameOrChannels) {
  return new TracingChannel(nameOrChannels);
}

module.exports = { channel, hasSubscribers, subscribe, tracingChannel, unsubscribe, Channel };
