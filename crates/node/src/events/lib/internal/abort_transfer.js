// Signals that change hands: the new one hears of the abort of the old one through a port.
'use strict';

const { AbortSignal, abortSignal, kMake } = require('internal/abort_controller');
const { DOMException } = require('internal/domexception');
const { kTransfer, kWire } = require('internal/transfer');
const { loudAndOnce } = require('internal/events/abort_listener');

const hidden = (value) => ({ __proto__: null, value, writable: true, configurable: true, enumerable: false });

/// Lets a signal be transferred.
function markTransferable(signal) {
  Object.defineProperty(signal, kTransfer, hidden(transfer));
  return signal;
}

function transfer() {
  const { MessageChannel } = require('internal/messaging/port');
  const { port1, port2 } = new MessageChannel();
  const { aborted } = this;
  const value = revive({ aborted, reason: packed(this.reason), port: port2 });
  const commit = () => {
    port1.unref();
    if (!aborted) this.addEventListener('abort', () => tell(port1, this.reason), loudAndOnce());
  };
  return { value, commit };
}

function tell(port, reason) {
  try {
    port.postMessage(packed(reason));
  } catch {
    // Of a reason that cannot be copied only the abort is told.
    port.postMessage({});
  }
  port.close();
}

/// The reason of an abort, and as what it was made: the language cannot copy what most are.
function packed(reason) {
  return reason instanceof DOMException ? { message: reason.message, name: reason.name } : { value: reason };
}

function unpacked({ value, message, name }) {
  return name === undefined ? value : new DOMException(message, name);
}

/// A signal that is aborted by what comes through a port.
function revive({ aborted, reason, port }) {
  const signal = new AbortSignal(kMake, aborted, aborted ? unpacked(reason) : undefined);
  Object.defineProperty(signal, kWire, hidden(() => ['AbortSignal', { aborted, reason, port }]));
  if (!aborted) {
    port.on('message', (told) => {
      port.close();
      abortSignal(signal, unpacked(told));
    });
    port.unref();
  }
  return markTransferable(signal);
}

module.exports = { markTransferable, packed, revive, unpacked };
