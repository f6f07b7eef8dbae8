// EventEmitterAsyncResource: an emitter whose listeners run in the asynchronous context it was
// made in (EVENT-18).
'use strict';

const EventEmitter = require('events');
const { AsyncResource } = require('async_hooks');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { validateString } = require('internal/validators');

const emitters = new WeakMap();

class EventEmitterReferencingAsyncResource extends AsyncResource {
  get eventEmitter() {
    if (!emitters.has(this)) throw new ERR_INVALID_THIS('EventEmitterReferencingAsyncResource');
    return emitters.get(this);
  }
}

class EventEmitterAsyncResource extends EventEmitter {
  #resource;

  constructor(options = undefined) {
    const own = new.target === EventEmitterAsyncResource;
    let name = typeof options === 'string' ? options : options?.name;
    if (own) validateString(name, 'options.name');
    else if (typeof options !== 'string') name ||= new.target.name;
    super(options);
    this.#resource = new EventEmitterReferencingAsyncResource(name, options);
    emitters.set(this.#resource, this);
  }

  static #of(emitter) {
    if (#resource in emitter) return emitter.#resource;
    throw new ERR_INVALID_THIS('EventEmitterAsyncResource');
  }

  get asyncResource() {
    return EventEmitterAsyncResource.#of(this);
  }

  get asyncId() {
    return EventEmitterAsyncResource.#of(this).asyncId();
  }

  get triggerAsyncId() {
    return EventEmitterAsyncResource.#of(this).triggerAsyncId();
  }

  emit(event, ...args) {
    return EventEmitterAsyncResource.#of(this).runInAsyncScope(super.emit, this, event, ...args);
  }

  emitDestroy() {
    EventEmitterAsyncResource.#of(this).emitDestroy();
  }
}

module.exports = { EventEmitterAsyncResource };
