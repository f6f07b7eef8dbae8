// The first `Stream`: an emitter that can be piped. All streams inherit from it, and packages that
// were written before Readable and Writable still use it as it is.
'use strict';

const EventEmitter = require('events');

function Stream(opts) {
  EventEmitter.call(this, opts);
}
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

Stream.prototype.pipe = function pipe(dest, options) {
  const source = this;
  const listeners = [];
  const listen = (emitter, event, listener) => {
    listeners.push([emitter, event, listener]);
    emitter.on(event, listener);
  };
  const cleanup = () => {
    for (const [emitter, event, listener] of listeners) emitter.removeListener(event, listener);
  };

  listen(source, 'data', (chunk) => {
    if (dest.writable && dest.write(chunk) === false && source.pause) source.pause();
  });
  listen(dest, 'drain', () => {
    if (source.readable && source.resume) source.resume();
  });

  // The other side is ended at most once, however the source went.
  if (!dest._isStdio && (!options || options.end !== false)) {
    let ended = false;
    const once = (end) => () => {
      if (ended) return;
      ended = true;
      end();
    };
    listen(source, 'end', once(() => dest.end()));
    listen(source, 'close', once(() => {
      if (typeof dest.destroy === 'function') dest.destroy();
    }));
  }

  // An error that nobody listens for is thrown, as if there were no pipe.
  for (const emitter of [source, dest]) {
    const fail = (error) => {
      cleanup();
      if (EventEmitter.listenerCount(emitter, 'error') === 0) emitter.emit('error', error);
    };
    listeners.push([emitter, 'error', fail]);
    prependListener(emitter, 'error', fail);
  }

  for (const [emitter, event] of [[source, 'end'], [source, 'close'], [dest, 'close']]) listen(emitter, event, cleanup);
  dest.emit('pipe', source);
  return dest;
};

Stream.prototype.eventNames = function eventNames() {
  // A stream's table of listeners has places for its usual events from the start.
  return EventEmitter.prototype.eventNames.call(this).filter((name) => this._events[name] !== undefined);
};
Object.defineProperty(Stream.prototype, 'eventNames', { enumerable: true });

/// Adds a listener before all others, also to emitters of another make.
function prependListener(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') {
    emitter.prependListener(event, listener);
    return;
  }
  const present = emitter._events?.[event];
  if (!present) emitter.on(event, listener);
  else if (Array.isArray(present)) present.unshift(listener);
  else emitter._events[event] = [listener, present];
}

module.exports = { Stream, prependListener };
