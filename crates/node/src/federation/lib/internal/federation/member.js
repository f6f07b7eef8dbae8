// One member of a federation: what it sends and receives, how far it is, and how far its clock may go.
//
// Uses binding.now.
'use strict';

const { clearTimeout, setImmediate, setTimeout } = require('internal/timers');
const { earliestActions, gone } = require('internal/federation/bounds');
const { Domain } = require('internal/federation/domain');
const { Input } = require('internal/federation/input');
const { Log } = require('internal/federation/log');
const { Outbox, sendTogether } = require('internal/federation/outbox');
const { Peer } = require('internal/federation/peer');
const {
  END, START, compare, earlier, following, isBefore, later, shown, write: writeTag,
} = require('internal/federation/tags');
const failures = require('internal/federation/failures');
const wire = require('internal/federation/wire');

// How soon the same messages are asked for again.
const ASK_AGAIN_MS = 50;
// How often one who leaves says so, and for how long at most.
const LEAVE_AGAIN_MS = 100;
const LONGEST_LEAVE_MS = 60_000;
// For how long what is to be sent waits for an action that is about to run.
const OUTBOX_MS = 1;

class Member {
  name;
  federation;
  incarnation;
  /// The least delay of the messages that it sends.
  after;
  domain;
  inputs = new Map();
  peers = new Map();
  /// The origin in the time of clocks on the wall, once it is agreed, and who founded it in which incarnation.
  origin = undefined;
  founders = undefined;
  /// Where its clock began, and when that was.
  begun = undefined;
  begunAt = undefined;
  /// Sends a text to all others; undefined before and after.
  link = undefined;
  /// Gets what concerns those who want to join.
  founding = undefined;
  handlers = { __proto__: null };
  tardyHandlers = { __proto__: null };
  missingHandlers = [];
  /// Messages of earlier incarnations, texts that are no messages.
  stale = 0;
  unreadable = 0;
  #log = new Log();
  #outbox = new Outbox();
  /// The earliest tag of the messages that have come since a state was said.
  #news = END;
  #period;
  #liveness;
  #heartbeat;
  #wake;
  #wakeAt = Infinity;
  #isTouched = false;
  #states = 0;
  #lastSaid = undefined;
  #isOver = false;
  #leaving = undefined;

  constructor(federation, { name, incarnation, after, period, liveness, inputs }) {
    this.federation = federation;
    this.name = name;
    this.incarnation = incarnation;
    this.after = after;
    this.#period = period;
    this.#liveness = liveness;
    for (const [input, maxWait] of inputs) this.inputs.set(input, new Input(input, maxWait));
    this.domain = new Domain(`${federation}/${name}`, () => this.touch());
  }

  /// How many messages it has sent; that it leaves does not count.
  get sent() {
    return this.#log.last - (this.#leaving === undefined ? 0 : 1);
  }

  get isOpen() {
    return this.origin !== undefined && !this.#isOver && this.#leaving === undefined;
  }

  tell(kind, rest) {
    this.link?.send(wire.write(kind, this.name, this.incarnation, rest));
  }

  /// The clock begins at a tag, `base` being the origin in the machine's time.
  start(base, tag, callback) {
    this.begun = tag;
    this.begunAt = binding.now();
    this.domain.begin(base, tag, () => {
      this.#beat();
      this.touch();
      callback();
    });
  }

  // ---- Sending

  /// Sends a message from the running action, or from the present (rule FED-2).
  send(topic, value, after) {
    const from = this.domain.present;
    const tag = following(from, after);
    const number = this.#log.next;
    const text = wire.write('data', this.name, this.incarnation, {
      n: number, a: from, d: tag, t: topic, x: value, z: this.domain.physical(),
    });
    this.#log.add(tag, text);
    // It goes when what runs now has run, together with all else that is said then.
    this.#outbox.addMessage(text, binding.now());
    this.touch();
  }

  #sendAll() {
    this.#outbox.empty((text, options) => this.link?.send(text, options));
  }

  // ---- Receiving

  receive(text) {
    if (this.#isOver) return;
    const messages = wire.read(text);
    if (messages === undefined) {
      this.unreadable++;
      return;
    }
    for (const message of messages) if (!this.#isOver) this.#receive(message);
  }

  #receive(message) {
    if (message.f === this.name) {
      this.#namesake(message);
      return;
    }
    if (message.k === 'hello' || message.k === 'welcome' || message.k === 'taken') {
      this.founding?.hear(message);
      return;
    }
    if (message.k === 'again') {
      if (message.of === this.name) this.#sendAgain(message);
      return;
    }
    if (this.origin === undefined) return;
    const peer = this.#peerOf(message);
    if (peer === undefined) return;
    this.#heard(peer);
    switch (message.k) {
      case 'data':
      case 'bye':
        if (message.k === 'data' && message.n > peer.received) {
          this.inputs.get(peer.name)?.latency.add(this.domain.physical() - message.z);
        }
        this.#read(peer, peer.take(message));
        break;
      case 'state':
        if (message.o !== this.origin) {
          this.fail(failures.twoOrigins(this.federation, peer.name));
          return;
        }
        if (message.s > (peer.stamps?.[2] ?? -1)) peer.stamps = [message.z, this.domain.physical(), message.s];
        this.#exchange(peer, message);
        this.#understand(peer, peer.hear(message));
        break;
      case 'lost': {
        const first = peer.received + 1;
        const isNews = message.u >= first;
        if (isNews) this.#news = START;
        this.#read(peer, peer.skip(message.u));
        if (isNews && this.inputs.has(peer.name)) this.raise(failures.lost(peer.name, first, message.u));
        break;
      }
    }
    this.#askForMissing(peer);
    this.touch();
  }

  /// Reads messages that have come in order, and what was said after them.
  #read(peer, messages) {
    const input = this.inputs.get(peer.name);
    for (const message of messages) {
      if (input !== undefined) this.#news = earlier(this.#news, message.d);
      if (message.k === 'data') this.#accept(peer, input, message);
      else this.#takeLeave(peer);
    }
    this.#understand(peer, peer.due());
  }

  /// Somebody else has our name, or had it.
  #namesake(message) {
    if (message.i === this.incarnation) return;
    if (message.k === 'hello' || message.k === 'welcome' || message.k === 'taken') this.founding?.hear(message);
    else if (message.i > this.incarnation && this.origin !== undefined) this.fail(failures.replaced(this.federation, this.name));
  }

  /// The incarnation that says something; undefined for one that a later one has replaced (rule FED-8).
  #peerOf(message) {
    const known = this.peers.get(message.f);
    if (known !== undefined && message.i === known.incarnation) return known;
    if (known !== undefined && message.i < known.incarnation) {
      this.stale++;
      return undefined;
    }
    // A founder is heard from its first message on, by founders; others come in where it is.
    const isCofounder = this.founders[message.f] === message.i && this.founders[this.name] === this.incarnation;
    const received = isCofounder ? 0 : message.k === 'data' ? message.n - 1 : message.n ?? message.u ?? 0;
    return this.meet(message.f, message.i, received);
  }

  /// Gets to know an incarnation that has sent that many messages so far.
  meet(name, incarnation, received) {
    const known = this.peers.get(name);
    if (known !== undefined && known.incarnation >= incarnation) return known;
    const peer = new Peer(name, incarnation, received, binding.now());
    this.peers.set(name, peer);
    if (known !== undefined) {
      this.stale += this.domain.schedule.remove((entry) => entry.from === name).length;
      const input = this.inputs.get(name);
      if (input !== undefined) input.isExpelled = false;
    }
    return peer;
  }

  #heard(peer) {
    peer.heardAt = binding.now();
    const input = this.inputs.get(peer.name);
    if (input !== undefined) input.isMissing = false;
  }

  /// A message of an input becomes an action at its tag (rule FED-3), or is tardy (rule FED-5).
  #accept(peer, input, { n: number, d: tag, t: topic, x: value }) {
    if (input === undefined) return;
    if (input.isExpelled) {
      this.stale++;
      return;
    }
    input.messages++;
    if (!isBefore(this.begun, tag)) {
      // It is for a time in which we were not there, or for the action with which we came: that waits for nobody.
      input.early++;
    } else if (!isBefore(tag, this.domain.closed)) {
      this.domain.schedule.add({ tag, from: peer.name, number, topic, value });
    } else {
      this.#tardy(input, { tag, from: peer.name, topic, value });
    }
  }

  #takeLeave(peer) {
    peer.leave();
    // Who leaves waits until all was seen.
    this.#sayNow();
  }

  #tardy(input, { tag, from, topic, value }) {
    const { closed } = this.domain;
    const late = closed[0] - tag[0];
    input.tardiness.add(late);
    this.domain.act(() => {
      const { present } = this.domain;
      const info = { from, topic, tag: shown(tag), late, clock: shown(present) };
      const handler = this.tardyHandlers[topic];
      if (handler === undefined) throw failures.tardy(info);
      handler(value, info);
    });
  }

  #understand(peer, state) {
    if (state === undefined) return;
    peer.bound = later(peer.bound, state.b ?? END);
    const listens = Object.hasOwn(state.q, this.name);
    const [incarnation, number] = listens ? state.q[this.name] : [];
    this.#log.seenBy(peer, incarnation === this.incarnation ? number : 0, listens, this.#haveAllSpoken());
    this.#leaving?.();
  }

  #haveAllSpoken() {
    for (const name of Object.keys(this.founders)) {
      const peer = this.peers.get(name);
      if (name !== this.name && peer?.said === undefined && !peer?.left) return false;
    }
    return true;
  }

  #exchange(peer, { z: answered, e: echoes }) {
    const echo = echoes[this.name];
    if (echo !== undefined) peer.offset.exchanged(echo[0], echo[1], answered, this.domain.physical());
  }

  #askForMissing(peer) {
    const { told } = peer;
    if (told <= peer.received) return;
    const now = binding.now();
    if (now - peer.askedAt < ASK_AGAIN_MS) return;
    peer.askedAt = now;
    this.tell('again', { of: peer.name, n: peer.received + 1, u: told });
  }

  #sendAgain({ n: first, u: last }) {
    if (first <= this.#log.forgotten) this.tell('lost', { u: Math.min(this.#log.forgotten, last) });
    sendTogether(this.#log.between(first, last), (text) => this.link?.send(text));
  }

  // ---- How far it is

  /// What others wait for that our clock has come to, or will have with the delay of our messages.
  #wanted(physical) {
    let wanted = START;
    for (const { said, left } of this.peers.values()) {
      const want = said?.w;
      if (left || !want) continue;
      const ripe = this.#neededFor(want)[0];
      if (ripe <= physical) wanted = later(wanted, want);
      else this.#wakeBy(ripe);
    }
    return wanted;
  }

  /// How far we have to be so that no message of ours can be for that tag any more.
  #neededFor(want) {
    return this.after > 0 ? [want[0] - this.after + 1, 0] : want;
  }

  /// Unless a message comes that we have not seen, we do nothing before this tag.
  #reach(physical, wanted, head) {
    let reach = later(this.domain.promised, [physical, 0]);
    if (wanted[0] <= physical) reach = later(reach, wanted);
    return head === undefined ? reach : earlier(reach, head);
  }

  /// Finds out how far inputs are known (rule FED-4).
  #lookAround(reach) {
    if (this.inputs.size === 0) return;
    const members = new Map();
    const add = (name) => {
      if (members.has(name)) return;
      if (name === this.name) {
        const inputs = [...this.inputs.values()].filter((input) => !input.isExpelled).map((input) => input.name);
        members.set(name, {
          closed: this.domain.closed, reach, after: this.after, inputs,
          // What we have not seen is not known here.
          unseen: () => END,
        });
        inputs.forEach((input) => add(input));
        return;
      }
      const peer = this.peers.get(name);
      if (peer?.left) members.set(name, gone);
      if (peer?.said === undefined || peer.left) return;
      const { c: closed, r: to, l: after, q: seen } = peer.said;
      const inputs = Object.keys(seen);
      members.set(name, {
        closed: closed ?? START, reach: to ?? END, after, inputs,
        unseen: (input) => this.#earliestUnseen(input, seen[input]),
      });
      inputs.forEach((input) => add(input));
    };
    add(this.name);
    const earliest = earliestActions(members);
    for (const input of this.inputs.values()) {
      const sender = members.get(input.name);
      const peer = this.peers.get(input.name);
      if (peer !== undefined) input.know(peer.bound);
      if (sender !== undefined) input.know(following(earliest.get(input.name), sender.after));
    }
  }

  #earliestUnseen(name, [incarnation, number]) {
    if (name === this.name) return incarnation === this.incarnation ? this.#log.earliestAfter(number) : this.#log.earliestAfter(0);
    const peer = this.peers.get(name);
    if (peer === undefined) return START;
    return peer.earliestAfter(incarnation === peer.incarnation ? number : 0);
  }

  /// The inputs that keep the clock from a tag, at that physical time.
  #missingFor(tag, physical) {
    const missing = [];
    for (const input of this.inputs.values()) {
      if (input.isExpelled || isBefore(tag, input.bound) || physical >= tag[0] + input.maxWait) continue;
      missing.push(input);
    }
    return missing;
  }

  // ---- Going on

  /// Something has changed: looks what may happen, when everything that runs now has run.
  touch() {
    if (this.#isTouched || this.#isOver) return;
    this.#isTouched = true;
    setImmediate(() => {
      this.#isTouched = false;
      this.#goOn();
    });
  }

  #goOn() {
    if (this.#isOver || this.origin === undefined || this.domain.isRunning || this.begun === undefined) return;
    const now = this.domain.physical();
    const physical = Math.floor(now);
    this.#wakeAt = Infinity;
    const head = this.#leaving === undefined ? this.domain.next() : undefined;
    const wanted = this.#wanted(physical);
    const reach = this.#reach(physical, wanted, head);
    this.domain.promised = later(this.domain.promised, reach);
    this.#lookAround(reach);
    let waitsFor = [];
    if (head !== undefined) {
      waitsFor = this.#missingFor(head, physical);
      if (head[0] > physical) {
        this.#wakeBy(head[0]);
      } else if (waitsFor.length === 0) {
        for (const input of this.inputs.values()) input.letsGo(now);
        // Also one who is always behind says how far it is.
        this.#sayIfOfUse(physical, reach, wanted, undefined);
        // What the action sends goes with it, if it does not take long to come to it.
        if (binding.now() - this.#outbox.since >= OUTBOX_MS) this.#sendAll();
        this.domain.run(head, () => this.#deliver(head), () => this.#goOn());
        return;
      } else {
        for (const input of waitsFor) {
          input.holdsBack(now);
          this.#wakeBy(head[0] + input.maxWait);
        }
      }
    }
    for (const input of this.inputs.values()) if (!waitsFor.includes(input)) input.letsGo(now);
    this.#sayIfOfUse(physical, reach, wanted, waitsFor.length > 0 ? head : undefined);
    this.#sendAll();
    this.#setWake(now);
  }

  /// Calls the handlers of the messages for a tag (rule FED-3).
  #deliver(tag) {
    for (;;) {
      const { head } = this.domain.schedule;
      if (head === undefined || head.timer !== undefined || compare(head.tag, tag) !== 0) return;
      const { from, topic, value } = this.domain.schedule.take();
      // A handler that is removed by one before it is not called.
      for (const one of [...this.handlers[topic] ?? []]) {
        if (!one.isRemoved) this.attempt(() => one.handler(value, { from, tag: shown(tag) }));
      }
    }
  }

  /// Calls something of the program; what it throws ends no more than itself (rule TIME-10).
  attempt(callback) {
    try {
      callback();
    } catch (error) {
      this.raise(error);
    }
  }

  raise(error) {
    require('internal/uncaught').handle(error);
  }

  /// Nothing that we have not sent yet is for a tag before this. Where somebody waits, and we would not wait for an input
  /// any longer, the clock moves on without it.
  #bound(physical, reach, wanted) {
    let earliest = reach;
    let gaveUp = false;
    for (const input of this.inputs.values()) {
      if (input.isExpelled || !isBefore(input.bound, earliest)) continue;
      if (wanted[0] + input.maxWait <= physical && isBefore(input.bound, wanted)) {
        gaveUp = true;
        earliest = earlier(earliest, following(wanted, 0));
      } else {
        earliest = earlier(earliest, input.bound);
      }
    }
    earliest = later(earliest, this.domain.closed);
    if (gaveUp) this.domain.closed = earliest;
    this.domain.promised = later(this.domain.promised, earliest);
    return following(earliest, this.after);
  }

  /// Says how far we are, if somebody waits for it and it is new, or if we wait for others (rule FED-6).
  ///
  /// That our bound has grown because those of our inputs have is nothing new: who waits hears them, too. That we went on
  /// without one is.
  #sayIfOfUse(physical, reach, wanted, want) {
    const bound = this.#bound(physical, reach, wanted);
    const { closed } = this.domain;
    const last = this.#lastSaid;
    const needed = this.#neededFor(wanted);
    const isOfUse = compare(wanted, START) > 0 && (last === undefined || !isBefore(wanted, last.bound)) &&
      (last === undefined || compare(earlier(reach, needed), earlier(last.reach, needed)) !== 0 ||
        compare(earlier(closed, following(wanted, 0)), earlier(last.closed, following(wanted, 0))) !== 0 ||
        !isBefore(wanted, this.#news));
    const hasSent = last !== undefined && this.#log.last > last.sent;
    const isNewWant = want !== undefined && (last?.want === undefined || compare(want, last.want) !== 0);
    if (isOfUse || isNewWant || hasSent || last === undefined) this.#say(reach, bound, want);
  }

  #say(reach, bound, want) {
    this.#lastSaid = { reach, bound, closed: this.domain.closed, want, sent: this.#log.last };
    this.#news = END;
    const seen = { __proto__: null };
    for (const input of this.inputs.values()) {
      const peer = this.peers.get(input.name);
      if (!input.isExpelled) seen[input.name] = [peer?.incarnation ?? 0, peer?.received ?? 0];
    }
    const echoes = { __proto__: null };
    for (const { name, stamps } of this.peers.values()) if (stamps !== undefined) echoes[name] = [stamps[0], stamps[1]];
    this.#outbox.addState(wire.write('state', this.name, this.incarnation, {
      s: ++this.#states, n: this.#log.last, o: this.origin, c: writeTag(this.domain.closed), r: writeTag(reach),
      b: writeTag(bound), l: this.after, q: seen, w: want === undefined ? null : want, z: this.domain.physical(), e: echoes,
    }), binding.now());
  }

  /// Says how far we are at the next opportunity, whoever waits.
  #sayNow() {
    this.#lastSaid = undefined;
    this.touch();
  }

  // ---- Time

  #wakeBy(time) {
    this.#wakeAt = Math.min(this.#wakeAt, time);
  }

  #setWake(now) {
    clearTimeout(this.#wake);
    this.#wake = undefined;
    if (this.#wakeAt === Infinity) return;
    this.#wake = setTimeout(() => this.#goOn(), Math.max(Math.ceil(this.#wakeAt - Math.floor(now)), 0));
  }

  /// Once in a period: says how far we are, asks for what is missing, and looks who is silent (rules FED-6 and FED-8).
  #beat() {
    this.#heartbeat = setTimeout(() => {
      if (this.#isOver) return;
      this.#beat();
      this.#sayNow();
      const now = binding.now();
      for (const peer of this.peers.values()) if (!peer.left) this.#askForMissing(peer);
      for (const input of this.inputs.values()) {
        const peer = this.peers.get(input.name);
        if (peer?.left || input.isExpelled || input.isMissing) continue;
        const silent = now - (peer?.heardAt ?? this.begunAt);
        if (silent <= this.#liveness) continue;
        input.isMissing = true;
        for (const handler of [...this.missingHandlers]) this.attempt(() => handler(input.name, { silent }));
      }
    }, this.#period);
  }

  expel(input) {
    input.isExpelled = true;
    this.stale += this.domain.schedule.remove((entry) => entry.from === input.name).length;
    this.#sayNow();
  }

  report() {
    const inputs = { __proto__: null };
    const now = binding.now();
    for (const [name, input] of this.inputs) inputs[name] = input.told(this.peers.get(name), now);
    return {
      federation: this.federation,
      member: this.name,
      time: this.domain.now(),
      physical: this.domain.physical(),
      sent: this.sent,
      stale: this.stale,
      unreadable: this.unreadable,
      inputs,
    };
  }

  // ---- The end

  /// Says that we leave, and waits until everybody who listens has heard it, unless it is silent for too long.
  leave() {
    return new Promise((resolve) => {
      this.domain.close();
      const tag = [Number.MAX_SAFE_INTEGER, 0];
      const text = wire.write('bye', this.name, this.incarnation, { n: this.#log.next, d: tag });
      this.#log.add(tag, text);
      this.#outbox.addMessage(text, binding.now());
      this.#sendAll();
      const until = binding.now() + Math.min(this.#liveness, LONGEST_LEAVE_MS);
      const end = () => {
        clearTimeout(timer);
        this.close();
        resolve();
      };
      // Who has not heard it learns from what we say that there is more.
      const again = () => {
        if (this.#isOver || binding.now() >= until) {
          end();
          return;
        }
        this.#sayNow();
        timer = setTimeout(again, LEAVE_AGAIN_MS);
      };
      let timer = setTimeout(again, LEAVE_AGAIN_MS);
      this.#leaving = () => {
        if (this.#haveAllSpoken() && this.#log.isSeenByAll(this.peers)) end();
      };
      this.#leaving();
    });
  }

  close() {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#heartbeat);
    clearTimeout(this.#wake);
    this.domain.close();
    this.founding?.end();
    const { link } = this;
    this.link = undefined;
    link?.close();
  }

  fail(error) {
    if (this.#isOver) return;
    if (this.origin === undefined) {
      this.founding.fail(error);
      return;
    }
    this.close();
    this.raise(error);
  }
}

module.exports = { Member };
