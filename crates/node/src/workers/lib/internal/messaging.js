// Messages within this program: channels of two ports, and broadcast channels.
'use strict';

const { MessageEvent } = require('internal/messaging/message_event');
const { MessagePort, MessageChannel, isMessagePort, inboxOfPort } = require('internal/messaging/port');
const { nativeError } = require('internal/structured_clone');

/// Takes the next message that waits at a port, without an event.
function receiveMessageOnPort(port) {
  const { isBroadcastChannel, inboxOfChannel } = require('internal/messaging/broadcast');
  const here = require('internal/messaging/moved').portOf(port) ?? port;
  let inbox;
  if (isMessagePort(here)) {
    inbox = inboxOfPort(here);
  } else if (isBroadcastChannel(port)) {
    inbox = inboxOfChannel(port);
  } else {
    throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
  }
  const message = inbox?.takeNow();
  return message === undefined ? undefined : { message: message.value };
}

module.exports = {
  MessageChannel, MessagePort, MessageEvent, receiveMessageOnPort,
  get BroadcastChannel() { return require('internal/messaging/broadcast').BroadcastChannel; },
};
