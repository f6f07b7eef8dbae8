// Another member, as one member knows it: what it has sent, in order, and how far it says it is.
'use strict';

const { END, START, earlier } = require('internal/federation/tags');
const { Offset } = require('internal/federation/stamps');

// So many messages are remembered for those who have not seen them yet; of older ones, the earliest tag.
const REMEMBERED = 4096;

/// One incarnation of a member (rule FED-8).
class Peer {
  /// The messages up to this number have come, in order.
  received;
  /// What came out of order, by number.
  #early = new Map();
  /// What it has said last of itself, and what it says once all messages before that have come.
  said = undefined;
  #saidEarly = undefined;
  /// Nothing that it has not sent yet is for a tag before this.
  bound = START;
  /// Whether it has left, and all of its messages have come.
  left = false;
  /// When we heard of it last, and its stamp and ours of the latest state.
  heardAt;
  stamps = undefined;
  offset = new Offset();
  askedAt = -Infinity;
  /// Numbers and tags of its messages: somebody may not have seen them.
  #sent = [];
  #forgotten;

  constructor(name, incarnation, received, now) {
    this.name = name;
    this.incarnation = incarnation;
    this.received = received;
    // What was sent before we came, we do not know.
    this.#forgotten = { number: received, tag: START };
    this.heardAt = now;
  }

  /// Takes a message with a number; gives those that can be read now, in order. Doubled ones are dropped.
  take(message) {
    if (message.n <= this.received) return [];
    this.#early.set(message.n, message);
    return this.#ready();
  }

  #ready() {
    const ready = [];
    for (;;) {
      const next = this.#early.get(this.received + 1);
      if (next === undefined) return ready;
      this.#early.delete(++this.received);
      this.#remember(next.n, next.d);
      ready.push(next);
    }
  }

  /// Takes what it says of itself; gives it if all messages before it have come, else it is kept until then.
  hear(state) {
    const known = this.#saidEarly ?? this.said;
    if (known !== undefined && state.s <= known.s) return this.due();
    this.#saidEarly = state;
    return this.due();
  }

  due() {
    const state = this.#saidEarly;
    if (state === undefined || state.n > this.received) return undefined;
    this.#saidEarly = undefined;
    this.said = state;
    return state;
  }

  /// How many messages it is known to have sent.
  get told() {
    let most = Math.max(this.received, this.#saidEarly?.n ?? 0);
    for (const number of this.#early.keys()) most = Math.max(most, number);
    return most;
  }

  /// Gives up messages that nobody has any more. Who listens has seen them, or has not: we do not know for which tags
  /// they were. Gives those behind them that can be read now.
  skip(upTo) {
    if (upTo <= this.received) return [];
    this.received = upTo;
    this.#forgotten = { number: upTo, tag: START };
    for (const number of this.#early.keys()) if (number <= upTo) this.#early.delete(number);
    return this.#ready();
  }

  /// Nothing comes any more.
  leave() {
    this.left = true;
    this.bound = END;
  }

  #remember(number, tag) {
    this.#sent.push([number, tag]);
    if (this.#sent.length <= REMEMBERED) return;
    const [forgotten, earliest] = this.#sent.shift();
    this.#forgotten = { number: forgotten, tag: earlier(this.#forgotten.tag, earliest) };
  }

  /// The earliest tag of its messages behind that number.
  earliestAfter(number) {
    let earliest = number < this.#forgotten.number ? this.#forgotten.tag : END;
    for (let at = this.#sent.length - 1; at >= 0 && this.#sent[at][0] > number; at--) {
      earliest = earlier(earliest, this.#sent[at][1]);
    }
    return earliest;
  }
}

module.exports = { Peer };
