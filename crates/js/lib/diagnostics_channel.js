// node:diagnostics_channel: named channels, free as long as nobody listens.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const channels = new Map();

// What a subscriber throws is nobody's business but the program's.
const report = (error) => binding.nextTick(() => { throw error; });

class Channel {
  #subscribers = [];
  #stores = new Map();

  constructor(name) {
    this.name = name;
  }

  get hasSubscribers() {
    return this.#subscribers.length > 0 || this.#stores.size > 0;
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    this.#subscribers = [...this.#subscribers, subscription];
  }

  unsubscribe(subscription) {
    const at = this.#subscribers.indexOf(subscription);
    if (at < 0) return false;
    this.#subscribers = this.#subscribers.toSpliced(at, 1);
    return true;
  }

  bindStore(store, transform) {
    this.#stores.set(store, transform);
  }

  unbindStore(store) {
    return this.#stores.delete(store);
  }

  publish(data) {
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(data, this.name);
      } catch (error) {
        report(error);
      }
    }
  }

  runStores(data, fn, thisArg, ...args) {
    let run = () => {
      this.publish(data);
      return Reflect.apply(fn, thisArg, args);
    };
    for (const [store, transform] of this.#stores) {
      const next = run;
      run = () => {
        let context = data;
        try {
          if (transform !== undefined) context = transform(data);
        } catch (error) {
          report(error);
          return next();
        }
        return store.run(context, next);
      };
    }
    return run();
  }
}

function channel(name) {
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    throw new ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  }
  let known = channels.get(name);
  if (known === undefined) channels.set(name, known = new Channel(name));
  return known;
}

const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

class TracingChannel {
  constructor(nameOrChannels) {
    for (const event of events) {
      const given = typeof nameOrChannels === 'string' ? channel(`tracing:${nameOrChannels}:${event}`) : nameOrChannels?.[event];
      if (!(given instanceof Channel)) {
        throw new ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, ['Channel'], given);
      }
      Object.defineProperty(this, event, { enumerable: true, value: given });
    }
  }

  get hasSubscribers() {
    return events.some((event) => this[event].hasSubscribers);
  }

  subscribe(handlers) {
    for (const event of events) if (handlers[event]) this[event].subscribe(handlers[event]);
  }

  unsubscribe(handlers) {
    let done = true;
    for (const event of events) if (handlers[event] && !this[event].unsubscribe(handlers[event])) done = false;
    return done;
  }

  traceSync(fn, context = {}, thisArg, ...args) {
    return this.start.runStores(context, () => {
      try {
        const result = Reflect.apply(fn, thisArg, args);
        context.result = result;
        return result;
      } catch (error) {
        context.error = error;
        this.error.publish(context);
        throw error;
      } finally {
        this.end.publish(context);
      }
    });
  }

  tracePromise(fn, context = {}, thisArg, ...args) {
    const settle = (key, value) => {
      context[key] = value;
      if (key === 'error') this.error.publish(context);
      this.asyncStart.publish(context);
      this.asyncEnd.publish(context);
    };
    return this.start.runStores(context, () => {
      try {
        let promise = Reflect.apply(fn, thisArg, args);
        if (!(promise instanceof Promise)) promise = Promise.resolve(promise);
        return promise.then((result) => {
          settle('result', result);
          return result;
        }, (error) => {
          settle('error', error);
          throw error;
        });
      } catch (error) {
        context.error = error;
        this.error.publish(context);
        throw error;
      } finally {
        this.end.publish(context);
      }
    });
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    const tracing = this;
    const callback = args.at(position);
    validateFunction(callback, 'callback');
    args.splice(position, 1, function traced(error, result) {
      if (error) {
        context.error = error;
        tracing.error.publish(context);
      } else {
        context.result = result;
      }
      return tracing.asyncStart.runStores(context, () => {
        try {
          return Reflect.apply(callback, this, arguments);
        } finally {
          tracing.asyncEnd.publish(context);
        }
      });
    });
    return this.start.runStores(context, () => {
      try {
        return Reflect.apply(fn, thisArg, args);
      } catch (error) {
        context.error = error;
        this.error.publish(context);
        throw error;
      } finally {
        this.end.publish(context);
      }
    });
  }
}

module.exports = {
  channel,
  hasSubscribers: (name) => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name, subscription) => channel(name).subscribe(subscription),
  tracingChannel: (nameOrChannels) => new TracingChannel(nameOrChannels),
  unsubscribe: (name, subscription) => channel(name).unsubscribe(subscription),
  Channel,
};
