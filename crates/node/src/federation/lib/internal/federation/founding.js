// How a member comes into a federation (rule FED-1).
//
// Founders tell each other when they came, by their clocks on the wall; the latest of that is the origin. Who finds a
// federation that has begun takes over its origin and begins at the present.
//
// Uses binding.now, wallClock.
'use strict';

const { AbortError } = require('internal/errors');
const { clearTimeout, setTimeout } = require('internal/timers');
const { START, later } = require('internal/federation/tags');
const failures = require('internal/federation/failures');

// How often somebody who wants to join says so, how long a founder that waits for nobody looks for others first, how
// long one who comes late waits for the welcome of its inputs, and after how long a founder says whom it waits for.
const AGAIN_MS = 200;
const LOOK_MS = 300;
const WELCOMES_MS = 1000;
const PATIENCE_MS = 5000;

class Founding {
  #member;
  #names;
  #proposal;
  #lookedAt;
  /// Proposals of others who want to join: [incarnation, time].
  #proposals = new Map();
  /// The welcomes of those who have joined; the first came then.
  #welcomes = new Map();
  #welcomedAt = undefined;
  /// Where the origin would be in the machine's time by the clock of who is ahead, and how wrong that may be.
  #present = undefined;
  #timer;
  #saysWhom = true;
  #resolve;
  #reject;
  #failure = undefined;
  #signal;
  #abort = () => this.fail(new AbortError(undefined, { cause: this.#signal.reason }));

  constructor(member, names, proposal, at, signal) {
    this.#member = member;
    this.#names = names;
    this.#proposal = proposal;
    this.#lookedAt = at;
    this.#signal = signal;
  }

  /// Is made good when the clock begins.
  join() {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      if (this.#failure !== undefined) {
        // The transport has failed while it connected.
        reject(this.#failure);
        return;
      }
      this.#signal?.addEventListener('abort', this.#abort);
      this.#look();
    });
  }

  #look() {
    this.#sayHello();
    this.#timer = setTimeout(() => {
      this.#tryToBegin();
      if (this.#member.origin !== undefined) return;
      this.#sayWhom();
      this.#look();
    }, AGAIN_MS);
  }

  /// Says once who is missing, if that takes long.
  #sayWhom() {
    const { federation, name } = this.#member;
    if (!this.#saysWhom || this.#welcomes.size > 0 || binding.now() - this.#lookedAt < PATIENCE_MS) return;
    this.#saysWhom = false;
    const missing = this.#names.filter((one) => one !== name && !this.#proposals.has(one));
    process.emitWarning(`the federation ${federation}: ${name} waits for ${missing.join(', ')}, who found it too`, 'FederationWarning');
  }

  #sayHello() {
    this.#member.tell('hello', { p: this.#proposal, m: this.#names, z: binding.now() });
  }

  /// Gives up joining.
  fail(error) {
    if (this.#member.origin !== undefined) return;
    this.end();
    this.#member.close();
    this.#reject?.(error);
    this.#failure = error;
  }

  end() {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  /// Hears what concerns those who want to join.
  hear(message) {
    const member = this.#member;
    if (message.k === 'taken') {
      if (message.to !== member.incarnation || member.origin !== undefined) return;
      // An earlier life of ours went by a clock that was ahead.
      if (message.known >= member.incarnation) member.incarnation = message.known + 1;
      else this.fail(failures.nameTaken(member.federation, member.name));
      return;
    }
    if (message.k === 'hello') this.#meet(message);
    else if (message.to === member.name && message.ti === member.incarnation && member.origin === undefined) {
      const now = binding.now();
      this.#welcomes.set(message.f, message);
      this.#welcomedAt ??= now;
      // Then the other's time was `z`, and it may have been on its way for as long as hello and welcome took together.
      const latest = now - message.z;
      if (this.#present === undefined || latest < this.#present.latest) this.#present = { latest, took: now - message.h };
    }
    if (member.origin === undefined) this.#tryToBegin();
  }

  /// Somebody wants to join.
  #meet({ f: name, i: incarnation, p: proposal, z: stamp }) {
    const member = this.#member;
    if (name === member.name) {
      // Of two who come at the same time, the one that came first stays.
      const isOurs = member.origin !== undefined || member.incarnation < incarnation;
      if (isOurs) member.tell('taken', { to: incarnation, known: 0 });
      else this.fail(failures.nameTaken(member.federation, name));
      return;
    }
    const known = member.peers.get(name)?.incarnation ?? 0;
    if (known > incarnation) {
      member.tell('taken', { to: incarnation, known });
      return;
    }
    if (member.origin === undefined) {
      const isNew = this.#proposals.get(name)?.[0] !== incarnation;
      if ((this.#proposals.get(name)?.[0] ?? 0) > incarnation) return;
      this.#proposals.set(name, [incarnation, proposal, stamp]);
      // It may have come after we said it.
      if (isNew) this.#sayHello();
      return;
    }
    const input = member.inputs.get(name);
    member.meet(name, incarnation, 0);
    const left = { __proto__: null };
    for (const peer of member.peers.values()) if (peer.left) left[peer.name] = peer.incarnation;
    member.tell('welcome', {
      to: name, ti: incarnation, o: member.origin, m: member.founders, n: member.sent, b: finite(input?.bound ?? START), g: left, h: stamp,
      z: member.domain.physical(),
    });
  }

  #tryToBegin() {
    const member = this.#member;
    for (const { m: founders, o: origin } of this.#welcomes.values()) {
      // We are one of the founders, and were the last to know.
      if (founders[member.name] === member.incarnation) {
        this.#begin(origin, founders, [0, 0]);
        return;
      }
    }
    if (this.#welcomes.size > 0) {
      this.#beginLate();
      return;
    }
    const others = this.#names.filter((name) => name !== member.name);
    if (!others.every((name) => this.#proposals.has(name))) return;
    if (others.length === 0 && binding.now() - this.#lookedAt < LOOK_MS) return;
    const founders = { __proto__: null, [member.name]: member.incarnation };
    let origin = this.#proposal;
    for (const name of others) {
      const [incarnation, proposal] = this.#proposals.get(name);
      founders[name] = incarnation;
      origin = Math.max(origin, proposal);
    }
    this.#begin(origin, founders, [0, 0]);
  }

  #beginLate() {
    const member = this.#member;
    const isWelcome = [...member.inputs.keys()].every((name) => this.#welcomes.has(name));
    if (!isWelcome && binding.now() - this.#welcomedAt < WELCOMES_MS) return;
    let [origin, founders] = [undefined, undefined];
    let known = START;
    for (const welcome of this.#welcomes.values()) {
      if (origin !== undefined && welcome.o !== origin) {
        this.fail(failures.twoOrigins(member.federation, welcome.f));
        return;
      }
      ({ o: origin, m: founders } = welcome);
      known = later(known, welcome.b ?? START);
      member.meet(welcome.f, welcome.i, welcome.n);
    }
    // Nobody waits for who has left before it came.
    for (const { g: left } of this.#welcomes.values()) {
      for (const name of Object.keys(left)) {
        const peer = member.meet(name, left[name], 0);
        if (peer.incarnation === left[name] && !this.#welcomes.has(name)) peer.leave();
      }
    }
    // Our clock on the wall may have been set since the others founded it: then theirs counts.
    const { latest, took } = this.#present;
    const base = Math.min(Math.max(this.#base(origin), latest - took), latest);
    const present = Math.ceil(binding.now() - base);
    this.#begin(origin, founders, [Math.max(present, known[0] + 1, 0), 0], base);
  }

  /// The origin in the machine's time: the clock on the wall was looked at when we came, and never again.
  #base(origin) {
    return this.#lookedAt + origin - this.#proposal;
  }

  #begin(origin, founders, tag, base = this.#base(origin)) {
    const member = this.#member;
    this.end();
    member.origin = origin;
    member.founders = founders;
    for (const [name, [incarnation]] of this.#proposals) {
      if (founders[name] === incarnation || !Object.hasOwn(founders, name)) member.meet(name, incarnation, 0);
    }
    member.start(base, tag, () => this.#resolve());
    // Those who are still waiting hear of it from us.
    for (const [name, [incarnation, proposal, stamp]] of this.#proposals) {
      if (!Object.hasOwn(founders, name)) this.#meet({ f: name, i: incarnation, p: proposal, z: stamp });
    }
  }
}

const finite = (tag) => (Number.isFinite(tag[0]) ? tag : null);

module.exports = { Founding };
