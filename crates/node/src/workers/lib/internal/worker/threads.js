// Messages from any thread to any other: `postMessageToThread`, and the event `workerMessage` of a process.
//
// Takes from `binding`: perform, workerInfo.
//
// A thread that listens is the one member of a group that is named after it; a message carries a port by
// which the sender hears what became of it.
'use strict';

const process = require('internal/process');
const { codes } = require('internal/errors');
const { validateNumber } = require('internal/validators');

const groupOf = (thread) => `\0thread ${thread}`;
let isListening = false;

// Promises of workers of this thread that have not begun yet, by their number.
const started = new Map();

/// Takes messages for this thread from now on.
function listen() {
  if (isListening) return;
  isListening = true;
  const { Link, read } = require('internal/messaging/remote');
  const inbox = {
    put(message) {
      const { value: [value, source, port] } = read(message.raw);
      let result = 'failed';
      try {
        if (process._listens('workerMessage')) {
          process.emit('workerMessage', value, source);
          result = 'ok';
        }
      } catch {
        result = 'errored';
      }
      port.postMessage(result);
      port.close();
    },
  };
  new Link(inbox, binding.perform('port.join', [groupOf(binding.workerInfo().thread)]));
}

async function postMessageToThread(threadId, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) {
    timeout = transferList;
    transferList = [];
  }
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  const own = binding.workerInfo().thread;
  if (threadId === own) throw new codes.ERR_WORKER_MESSAGING_SAME_THREAD();
  const { MessageChannel } = require('internal/messaging/port');
  const { cloneAndTransfer } = require('internal/structured_clone');
  const { write } = require('internal/messaging/remote');
  const { port1, port2 } = new MessageChannel();
  const message = cloneAndTransfer([value, own, port2], [...(transferList ?? []), port2]);
  // One that has just been started cannot listen yet.
  await started.get(threadId);
  const group = binding.perform('port.join', [groupOf(threadId)]);
  const isHeard = binding.perform('port.post', [group, ...write(message.value)]);
  binding.perform('port.close', [group]);
  if (!isHeard) {
    port1.close();
    throw new codes.ERR_WORKER_MESSAGING_FAILED();
  }
  const result = await new Promise((resolve) => {
    port1.on('message', resolve);
    port1.on('close', () => resolve('failed'));
    if (timeout !== undefined) require('internal/timers').setTimeout(() => resolve('late'), timeout).unref();
  });
  port1.close();
  if (result === 'failed') throw new codes.ERR_WORKER_MESSAGING_FAILED();
  if (result === 'errored') throw new codes.ERR_WORKER_MESSAGING_ERRORED();
  if (result === 'late') throw new codes.ERR_WORKER_MESSAGING_TIMEOUT();
}

module.exports = { listen, postMessageToThread, started };
