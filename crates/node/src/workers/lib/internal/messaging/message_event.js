// MessageEvent: what a port or a channel received.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS } } = require('internal/errors');
const { Event, finishClass } = require('internal/event_target');

class MessageEvent extends Event {
  #data;
  #origin;
  #lastEventId;
  #source;
  #ports;

  constructor(type, { data = null, origin = '', lastEventId = '', source = null, ports = [] } = {}) {
    super(type);
    this.#data = data;
    this.#origin = `${origin}`;
    this.#lastEventId = `${lastEventId}`;
    this.#source = source;
    if (typeof ports?.[Symbol.iterator] !== 'function') throw new TypeError('ports is not iterable');
    this.#ports = [...ports];
    if (source !== null) checkPort(source, 'init.source');
    for (const [i, port] of this.#ports.entries()) checkPort(port, `init.ports[${i}]`);
  }

  static #check(value) {
    if (!(#ports in Object(value))) throw new ERR_INVALID_THIS('MessageEvent');
    return value;
  }

  get data() { return MessageEvent.#check(this).#data; }
  get origin() { return MessageEvent.#check(this).#origin; }
  get lastEventId() { return MessageEvent.#check(this).#lastEventId; }
  get source() { return MessageEvent.#check(this).#source; }
  get ports() { return MessageEvent.#check(this).#ports; }
}

function checkPort(value, name) {
  // Required here, as the ports' file requires this one.
  const { isMessagePort } = require('internal/messaging/port');
  if (!isMessagePort(value)) throw new ERR_INVALID_ARG_TYPE(name, 'MessagePort', value);
}

finishClass(MessageEvent, ['data', 'origin', 'lastEventId', 'source', 'ports']);

module.exports = { MessageEvent };
