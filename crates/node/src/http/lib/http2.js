// http2: only what packages need in order to be loaded that can do without it. Whoever asks for a session or
// a server is told that there is none.
'use strict';

const { constants } = require('internal/http2/constants');

function absent(name) {
  return {
    [name]() {
      const error = new Error(`http2.${name}() is not there: Hemiola speaks HTTP/1.1, by node:http and node:https`);
      error.code = 'ERR_METHOD_NOT_IMPLEMENTED';
      throw error;
    },
  }[name];
}

function getDefaultSettings() {
  return {
    headerTableSize: constants.DEFAULT_SETTINGS_HEADER_TABLE_SIZE,
    enablePush: true,
    initialWindowSize: constants.DEFAULT_SETTINGS_INITIAL_WINDOW_SIZE,
    maxFrameSize: constants.DEFAULT_SETTINGS_MAX_FRAME_SIZE,
    maxConcurrentStreams: constants.DEFAULT_SETTINGS_MAX_CONCURRENT_STREAMS,
    maxHeaderListSize: constants.DEFAULT_SETTINGS_MAX_HEADER_LIST_SIZE,
    maxHeaderSize: constants.DEFAULT_SETTINGS_MAX_HEADER_LIST_SIZE,
    enableConnectProtocol: false,
  };
}

// For those who ask whether a request or response is one of them.
class Http2ServerRequest extends require('stream').Readable {}
class Http2ServerResponse extends require('stream').Stream {}

module.exports = {
  connect: absent('connect'),
  constants,
  createServer: absent('createServer'),
  createSecureServer: absent('createSecureServer'),
  getDefaultSettings,
  getPackedSettings: absent('getPackedSettings'),
  getUnpackedSettings: absent('getUnpackedSettings'),
  performServerHandshake: absent('performServerHandshake'),
  sensitiveHeaders: Symbol('sensitiveHeaders'),
  Http2ServerRequest,
  Http2ServerResponse,
};
