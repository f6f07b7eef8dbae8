// EventEmitterAsyncResource: an emitter whose listeners run in the asynchronous context it was
// made in.
'use strict';

const EventEmitter = require('events');
const { AsyncResource } = require('async_hooks');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { validateString } = require('internal/validators');

class EventEmitterReferencingAsyncResource extends AsyncResource {
  #eventEmitter;

  constructor(emitter, type, options) {
    super(type, options);
    this.#eventEmitter = emitter;
  }

  get eventEmitter() {
    return this.#eventEmitter;
  }
}

class EventEmitterAsyncResource extends EventEmitter {
  #resource;

  constructor(options = undefined) {
    let name;
    if (typeof options === 'string') {
      name = options;
      options = undefined;
    } else {
      if (new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
      name = options?.name || new.target.name;
    }
    super(options);
    this.#resource = new EventEmitterReferencingAsyncResource(this, name, options);
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

  get asyncResource() {
    if (!(#resource in this)) throw new ERR_INVALID_THIS('EventEmitterAsyncResource');
    return this.#resource;
  }
}

module.exports = { EventEmitterAsyncResource };
