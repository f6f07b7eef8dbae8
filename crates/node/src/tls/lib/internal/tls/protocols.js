// Names of protocols that two sides may agree on, as they are sent: each after its length.
'use strict';

function wireForm(protocols) {
  const { Buffer } = require('buffer');
  const pieces = [];
  protocols.forEach((protocol, index) => {
    const name = typeof protocol === 'string' ? Buffer.from(protocol) : protocol;
    if (name.length > 255) {
      const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
      throw new ERR_OUT_OF_RANGE(
        `The byte length of the protocol at index ${index} exceeds the maximum length.`, '<= 255', name.length, true);
    }
    pieces.push(Buffer.from([name.length]), name);
  });
  return Buffer.concat(pieces);
}

/// Puts protocols in the form in which they are sent into `out`: a list, or bytes that are in it already.
function convertALPNProtocols(protocols, out) {
  const isBytes = ArrayBuffer.isView(protocols);
  if (!isBytes && !Array.isArray(protocols)) return;
  const bytes = isBytes ? new Uint8Array(protocols.buffer, protocols.byteOffset, protocols.byteLength) : wireForm(protocols);
  out.ALPNProtocols = require('buffer').Buffer.from(bytes);
}

/// The names in what is sent.
function list(wire) {
  const names = [];
  for (let at = 0; at < wire.length; at += wire[at] + 1) names.push(new Uint8Array(wire.subarray(at + 1, at + 1 + wire[at])));
  return names;
}

module.exports = { convertALPNProtocols, list };
