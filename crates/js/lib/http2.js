// HTTP/2 is not there. Packages that offer it beside HTTP/1 look for the module and its names when they are
// loaded, and get them; whoever wants to use it is told.
'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');

const unavailable = (name) => ({
  [name]() {
    throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`http2.${name}`);
  },
})[name];

for (const name of ['connect', 'createServer', 'createSecureServer', 'performServerHandshake', 'getDefaultSettings', 'getPackedSettings', 'getUnpackedSettings']) {
  exports[name] = unavailable(name);
}

exports.Http2ServerRequest = class Http2ServerRequest {};
exports.Http2ServerResponse = class Http2ServerResponse {};
exports.sensitiveHeaders = Symbol('sensitiveHeaders');

exports.constants = {
  NGHTTP2_NO_ERROR: 0,
  NGHTTP2_PROTOCOL_ERROR: 1,
  NGHTTP2_INTERNAL_ERROR: 2,
  NGHTTP2_FLOW_CONTROL_ERROR: 3,
  NGHTTP2_SETTINGS_TIMEOUT: 4,
  NGHTTP2_STREAM_CLOSED: 5,
  NGHTTP2_FRAME_SIZE_ERROR: 6,
  NGHTTP2_REFUSED_STREAM: 7,
  NGHTTP2_CANCEL: 8,
  NGHTTP2_COMPRESSION_ERROR: 9,
  NGHTTP2_CONNECT_ERROR: 10,
  NGHTTP2_ENHANCE_YOUR_CALM: 11,
  NGHTTP2_INADEQUATE_SECURITY: 12,
  NGHTTP2_HTTP_1_1_REQUIRED: 13,
  HTTP2_HEADER_STATUS: ':status',
  HTTP2_HEADER_METHOD: ':method',
  HTTP2_HEADER_AUTHORITY: ':authority',
  HTTP2_HEADER_SCHEME: ':scheme',
  HTTP2_HEADER_PATH: ':path',
  HTTP2_HEADER_PROTOCOL: ':protocol',
  HTTP2_HEADER_CONTENT_LENGTH: 'content-length',
  HTTP2_HEADER_CONTENT_TYPE: 'content-type',
  HTTP2_HEADER_CONNECTION: 'connection',
  HTTP2_HEADER_UPGRADE: 'upgrade',
  HTTP2_HEADER_TE: 'te',
  HTTP2_HEADER_TRANSFER_ENCODING: 'transfer-encoding',
  HTTP2_METHOD_GET: 'GET',
  HTTP2_METHOD_HEAD: 'HEAD',
  HTTP2_METHOD_POST: 'POST',
  HTTP2_METHOD_PUT: 'PUT',
  HTTP2_METHOD_DELETE: 'DELETE',
  HTTP2_METHOD_OPTIONS: 'OPTIONS',
  HTTP2_METHOD_CONNECT: 'CONNECT',
  HTTP_STATUS_OK: 200,
  HTTP_STATUS_NOT_FOUND: 404,
  HTTP_STATUS_INTERNAL_SERVER_ERROR: 500,
};
