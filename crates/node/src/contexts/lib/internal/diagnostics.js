// How the library tells those who subscribed to one of its channels of `diagnostics_channel`.
'use strict';

const channels = { __proto__: null };

/// The channel of that name, if somebody listens to it.
function listening(name) {
  const channel = channels[name] ??= require('diagnostics_channel').channel(name);
  return channel.hasSubscribers ? channel : undefined;
}

exports.listening = listening;
exports.tell = (name, message) => listening(name)?.publish(message);

/// Requests of whom others tell.
exports.untold = new WeakSet();
