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

  get asyncResource() {
    if (#resource in this) return this.#resource;
    throw new ERR_INVALID_THIS('EventEmitterAsyncResource');
  }

  emit(event, ...args) {
    return this.asyncResource.runInAsyncScope(super.emit, this, event, ...args);
  }

  emitDestroy() {
    this.asyncResource.emitDestroy();
  }

  get asyncId() {
    return this.asyncResource.asyncId();
  }

  get triggerAsyncId() {
    return this.asyncResource.triggerAsyncId();
  }
}

module.exports = { EventEmitterAsyncResource };
