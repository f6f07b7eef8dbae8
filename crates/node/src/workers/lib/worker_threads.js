// Workers, and messages between them.
//
// Takes from `binding`: workerInfo, and in a worker workerState.
'use strict';

const { Worker, SHARE_ENV, setEnvironmentData, getEnvironmentData } = require('internal/worker');
const { MessagePort, MessageChannel, receiveMessageOnPort, BroadcastChannel } = require('internal/messaging');
const { markAsUntransferable, nativeError } = require('internal/structured_clone');
const { isClosed, isMessagePort } = require('internal/messaging/port');

const state = binding.workerState;

/// Gives a port to a context of vm, which gets another one for it.
function moveMessagePortToContext(port, context) {
  const { move, portOf } = require('internal/messaging/moved');
  const moving = portOf(port) ?? port;
  if (!isMessagePort(moving)) {
    throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
  }
  if (isClosed(moving)) throw nativeError(Error, 'ERR_CLOSED_MESSAGE_PORT', 'Cannot send data on closed MessagePort');
  if (!require('internal/vm/contexts').has(context)) {
    throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'Invalid context argument');
  }
  return move(moving);
}

module.exports = {
  isMainThread: state === undefined,
  MessagePort,
  MessageChannel,
  markAsUntransferable,
  moveMessagePortToContext,
  receiveMessageOnPort,
  resourceLimits: state?.resourceLimits ?? {},
  postMessageToThread: require('internal/worker/threads').postMessageToThread,
  threadId: binding.workerInfo().thread,
  SHARE_ENV,
  Worker,
  parentPort: state?.publicPort ?? null,
  workerData: state === undefined ? null : state.workerData,
  BroadcastChannel,
  setEnvironmentData,
  getEnvironmentData,
};
