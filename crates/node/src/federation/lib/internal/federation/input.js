// What one member takes from another: how far it is known, and what is told of it.
'use strict';

const { START, later } = require('internal/federation/tags');
const { Lengths } = require('internal/federation/stamps');

class Input {
  /// Everything before this tag is known.
  bound = START;
  isMissing = false;
  isExpelled = false;
  latency = new Lengths();
  waits = new Lengths();
  tardiness = new Lengths();
  messages = 0;
  early = 0;
  #waitsSince = undefined;

  constructor(name, maxWait) {
    this.name = name;
    this.maxWait = maxWait;
  }

  know(bound) {
    this.bound = later(this.bound, bound);
  }

  /// The clock stands still because of it, or does not.
  holdsBack(now) {
    this.#waitsSince ??= now;
  }

  letsGo(now) {
    if (this.#waitsSince === undefined) return;
    this.waits.add(now - this.#waitsSince);
    this.#waitsSince = undefined;
  }

  told(peer, now) {
    return {
      present: peer !== undefined && !peer.left,
      missing: this.isMissing,
      expelled: this.isExpelled,
      silent: peer && now - peer.heardAt,
      messages: this.messages,
      before: this.early,
      latency: this.latency.told(),
      waits: this.waits.told(),
      waiting: this.#waitsSince === undefined ? 0 : now - this.#waitsSince,
      tardy: this.tardiness.told(),
      clock: peer?.offset.best(),
    };
  }
}

module.exports = { Input };
