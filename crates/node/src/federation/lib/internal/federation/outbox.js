// What a member is going to send: what comes together goes together, in one text, and of two states only the later one.
// For a broker and for those who listen, a text costs far more than what stands in it.
'use strict';

const wire = require('internal/federation/wire');

// A text is not longer than that, as long as no message is, so that it fits into a datagram.
const LONGEST = 8192;

class Outbox {
  #messages = [];
  #state = undefined;
  /// When the first of it was put in; undefined if there is nothing.
  since = undefined;

  addMessage(text, now) {
    this.#messages.push(text);
    this.since ??= now;
  }

  addState(text, now) {
    this.#state = text;
    this.since ??= now;
  }

  /// Gives the texts to `send`, and is empty. A state stands behind the messages that it counts.
  empty(send) {
    if (this.since === undefined) return;
    const all = this.#messages;
    const state = this.#state;
    this.#messages = [];
    this.#state = undefined;
    this.since = undefined;
    if (state !== undefined) all.push(state);
    sendTogether(all, send);
  }
}

/// Sends messages in as few texts as they fit into.
function sendTogether(all, send) {
  let begin = 0;
  let size = 0;
  for (let at = 0; at < all.length; at++) {
    size += all[at].length + 1;
    if (at > begin && size > LONGEST) {
      send(wire.together(all.slice(begin, at)));
      begin = at;
      size = all[at].length + 1;
    }
  }
  if (begin < all.length) send(wire.together(begin === 0 ? all : all.slice(begin)));
}

module.exports = { Outbox, sendTogether };
