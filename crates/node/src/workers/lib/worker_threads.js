// Workers, and messages between them.
//
// Takes from `binding`: workerInfo, and in a worker workerState.
'use strict';

const { Worker, SHARE_ENV, setEnvironmentData, getEnvironmentData } = require('internal/worker');
const { MessagePort, MessageChannel, receiveMessageOnPort, BroadcastChannel } = require('internal/messaging');
const { markAsUntransferable, nativeError } = require('internal/structured_clone');
const { isClosed, isMessagePort } = require('internal/messaging/port');

const state = binding.workerState;

/// There are no contexts but the one of the program.
function moveMessagePortToContext(port, context) {
  if (!isMessagePort(port)) {
    throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
  }
  if (isClosed(port)) throw nativeError(Error, 'ERR_CLOSED_MESSAGE_PORT', 'Cannot send data on closed MessagePort');
  throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'Invalid context argument');
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
