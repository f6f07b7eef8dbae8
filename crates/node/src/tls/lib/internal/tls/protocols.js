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

function convertALPNProtocols(protocols, out) {
  const { Buffer } = require('buffer');
  if (Array.isArray(protocols)) out.ALPNProtocols = wireForm(protocols);
  else if (protocols instanceof Uint8Array) out.ALPNProtocols = Buffer.from(protocols);
  else if (ArrayBuffer.isView(protocols)) {
    out.ALPNProtocols = Buffer.from(protocols.buffer.slice(protocols.byteOffset, protocols.byteOffset + protocols.byteLength));
  }
}

/// The names in what is sent.
function list(wire) {
  const names = [];
  for (let at = 0; at < wire.length; at += wire[at] + 1) names.push(new Uint8Array(wire.subarray(at + 1, at + 1 + wire[at])));
  return names;
}

module.exports = { convertALPNProtocols, list };
