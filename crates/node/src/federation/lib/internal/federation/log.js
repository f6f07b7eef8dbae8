// What a member has sent, until everybody who listens has it.
'use strict';

const { END, earlier } = require('internal/federation/tags');

// So many messages are kept for those who do not answer.
const KEPT = 10_000;

class Log {
  #entries = [];
  // The number of the last message that is not kept any more, and the earliest tag of those that were given up unseen.
  forgotten = 0;
  #lost = END;
  // How far those who listen have seen.
  #seen = new Map();

  get last() {
    return this.forgotten + this.#entries.length;
  }

  get next() {
    return this.last + 1;
  }

  add(tag, text) {
    this.#entries.push({ tag, text });
    if (this.#entries.length <= KEPT) return;
    this.#lost = earlier(this.#lost, this.#entries.shift().tag);
    this.forgotten++;
  }

  /// Somebody has said up to where it has seen, and whether it listens at all; `isComplete` if everybody has said so.
  seenBy(peer, number, listens, isComplete) {
    if (listens) this.#seen.set(peer.name, number);
    else this.#seen.delete(peer.name);
    if (!isComplete) return;
    let all = Infinity;
    for (const one of this.#seen.values()) all = Math.min(all, one);
    if (all === Infinity) return;
    while (this.forgotten < all && this.#entries.length > 0) {
      this.#entries.shift();
      this.forgotten++;
    }
  }

  isSeenByAll(peers) {
    for (const [name, number] of this.#seen) {
      const peer = peers.get(name);
      if (peer !== undefined && !peer.left && number < this.last) return false;
    }
    return true;
  }

  between(first, last) {
    return this.#entries.slice(Math.max(first - this.forgotten - 1, 0), Math.max(last - this.forgotten, 0)).map((entry) => entry.text);
  }

  /// The earliest tag of the messages behind that number.
  earliestAfter(number) {
    let earliest = number < this.forgotten ? this.#lost : END;
    for (let at = Math.max(number - this.forgotten, 0); at < this.#entries.length; at++) {
      earliest = earlier(earliest, this.#entries[at].tag);
    }
    return earliest;
  }
}

module.exports = { Log };
