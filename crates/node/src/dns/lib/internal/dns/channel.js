// Asks servers: over datagrams, and over a connection when the answer is too large for one.
// Uses binding.perform, random.
'use strict';

const { parseServers, show } = require('internal/dns/servers');

const TIMEOUT_MS = 2000;
const TRIES = 4;
// No wait for one server is longer.
const LONGEST_MS = 0x7fffffff;

const STATUS = ['', 'EFORMERR', 'ESERVFAIL', 'ENOTFOUND', 'ENOTIMP', 'EREFUSED'];
// What a server says beyond these numbers means nothing.
const LAST_STATUS = 11;

/// What a resolver asks through.
class ChannelWrap {
  #servers = undefined;
  #timeout;
  #tries;
  #local = [undefined, undefined];
  // What is being asked: functions that give it up.
  #pending = new Set();

  constructor(timeout = -1, tries = TRIES) {
    this.#timeout = timeout > 0 ? timeout : TIMEOUT_MS;
    this.#tries = tries;
  }

  get #list() {
    this.#servers ??= parseServers(binding.perform('dns.servers', []));
    return this.#servers;
  }

  getServers() {
    return this.#list.map(show);
  }

  /// Gives why that cannot be, if it cannot.
  setServers(servers) {
    if (this.#pending.size > 0) return 'There are pending queries.';
    this.#servers = servers;
    return undefined;
  }

  setLocalAddress(version4, version6) {
    this.#local = [version4, version6];
  }

  cancel() {
    for (const giveUp of [...this.#pending]) giveUp();
  }

  /// Asks for records of a type. `done(problem, records)`, with a code or an error if there is a problem,
  /// comes later.
  query(name, type, done) {
    const { setImmediate } = require('timers');
    const { askedBy, question } = require('internal/dns/message');
    const id = Math.floor(binding.random() * 0x10000);
    const message = question(id, name, type);
    let code;
    if (message === undefined) code = 'EBADNAME';
    // Nobody outside of their network knows these names (RFC 7686).
    else if (/(?:^|\.)onion\.?$/i.test(name)) code = 'ENOTFOUND';
    else if (this.#list.length === 0) code = 'UNKNOWN_ARES_ERROR';
    if (code !== undefined) {
      setImmediate(done, code);
      return;
    }
    const state = { id, message, asked: askedBy(message), attempt: 0, overTcp: false };
    let stop = () => {};
    const finish = (problem, records) => {
      this.#pending.delete(giveUp);
      done(problem, records);
    };
    const giveUp = () => {
      stop();
      this.#pending.delete(giveUp);
      setImmediate(done, 'ECANCELLED');
    };
    const next = () => {
      stop = this.#exchange(state, (problem, reply) => {
        stop = () => {};
        if (problem !== null) {
          state.attempt++;
          const isLast = state.attempt >= this.#tries * this.#list.length;
          // What the program may not do does not get better by trying.
          if (typeof problem !== 'string' || isLast) finish(problem);
          else next();
        } else if (reply.isTruncated && !state.overTcp) {
          state.overTcp = true;
          next();
        } else if (reply.status > 0 && reply.status < STATUS.length) {
          finish(STATUS[reply.status]);
        } else if (reply.status > LAST_STATUS) {
          finish('ESERVFAIL');
        } else if (!reply.isFine) {
          finish('EFORMERR');
        } else {
          finish(null, reply.records);
        }
      });
    };
    this.#pending.add(giveUp);
    next();
  }

  // Asks one server once; gives a function that stops that. `done` is called once, and not at once.
  #exchange(state, done) {
    const { clearTimeout, guards: { setTimeout } } = require('internal/timers');
    const { Malformed, reply } = require('internal/dns/message');
    const server = this.#list[state.attempt % this.#list.length];
    const round = Math.floor(state.attempt / this.#list.length);
    const transport = state.overTcp ? require('internal/dns/transport').overTcp : require('internal/dns/transport').overUdp;
    let close = () => {};
    const stop = () => {
      clearTimeout(timer);
      close();
    };
    const end = (problem, answer) => {
      stop();
      done(problem, answer);
    };
    const timer = setTimeout(() => end('ETIMEOUT'), Math.min(this.#timeout * 2 ** round, LONGEST_MS));
    close = transport(server, this.#local, state.message, (problem, bytes) => {
      if (problem !== null) {
        end(problem);
        return;
      }
      let answer;
      try {
        answer = reply(bytes);
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        end('EBADRESP');
        return;
      }
      // Whoever answers something else may be somebody else.
      if (answer.id === state.id && answer.asked === state.asked) end(null, answer);
    });
    return stop;
  }
}

module.exports = { ChannelWrap };
