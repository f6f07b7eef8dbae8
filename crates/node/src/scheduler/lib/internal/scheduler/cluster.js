// A node of a scheduler that several processes are together (rules CLUS-1 to CLUS-7): its tables are in a database.
//
// Every decision is the database's (requests): which task starts, and whether an end counts. A node asks when
// something may be due, keeps its lease, and stops what it runs before its lease can have run out. Its own clocks only
// say when to ask.
//
// Uses binding.request, giveUpOperation, referOperation, taskFact, now.
'use strict';

const { LeaseLostError, StoreError, UnknownTaskError, toError } = require('internal/scheduler/declared');
const { readAddress } = require('internal/scheduler/address');
const { Heard } = require('internal/scheduler/heard');
const { readPayload } = require('internal/scheduler/jobs');
const { Run, report, tell } = require('internal/scheduler/run');
const { clearTimeout, setTimeout } = require('internal/timers');

// A lease is renewed so many times while it lasts, and ends for the node when this part of it is over.
const RENEWALS = 3;
const SAFE_PART = 0.9;
// How long to wait while the database cannot be asked: at first, and at most; in parts of the lease.
const FIRST_WAIT = 1 / 100;
const LONGEST_WAIT = 1 / 6;
// No timer waits longer: what is due later is asked for again.
const LONGEST_TIMER = 86_400_000;
// So much is started by one question.
const MOST_STARTS = 1000;
// So many jobs are shown.
const MOST_JOBS = 100_000;
// And so much is ended.
const MOST_ENDS = 1000;
// Who is late by more, or waits longer for an answer, stood still or had no database meanwhile; so many milliseconds.
const SLACK = 1000;

/// The error for what the world says about a database, or the gate.
function failure(fault) {
  if (fault.code === 'ERR_ACCESS_DENIED') return require('internal/process/permission').denied(fault);
  return new StoreError(fault.code, fault.message);
}

function request(kind, ...args) {
  const { promise, resolve, reject } = Promise.withResolvers();
  let number;
  try {
    number = binding.request(`cluster.${kind}`, args, (fault, value) => (fault ? reject(failure(fault)) : resolve(value)));
  } catch (fault) {
    // What is not granted is refused before the database is asked.
    reject(failure(fault));
  }
  return { promise, number };
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

class ClusterNode {
  #settings;
  #tasks;
  #list;
  #label;
  // Whether it has all labels that its tasks want.
  #fitsAll;
  // The number of the open cluster, and of this node in it; none without a lease.
  #cluster;
  #me;
  #generation;
  // When the lease ends for this node, by its own clock.
  #safeUntil = 0;
  // Runs under way, by fence. Those whose lease is lost are zombies until they end.
  #running = new Map();
  #ends = new Set();
  // Ends that the database does not know of yet.
  #over = [];
  #isEnding = false;
  #timers = { __proto__: null };
  #listening;
  #isClaiming = false;
  #claimsAgain = false;
  // Whether an answer was lost: the database may know of starts that this node does not.
  #isUnsure = false;
  #isStopping = false;
  #standsBy = false;
  // Since when the database answers and this node could start something, by both clocks.
  #served;
  // What was told on.
  #heard = new Heard();
  // How long to wait after the next failure, and whether it was told.
  #wait;
  #lost;

  constructor(tasks, list, settings) {
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    this.#list = list;
    this.#settings = settings;
    this.#fitsAll = tasks.every(({ where = [] }) => where.every((label) => settings.labels.includes(label)));
  }

  /// Joins the cluster. Gives what the list differs in from the one that was in force, if it is in force now.
  async open() {
    await this.#connect();
    try {
      this.#generation = this.#settings.generation;
      const { differences } = await this.#join();
      if (this.#settings.log) report(differences);
      return differences;
    } catch (error) {
      await request('close', this.#cluster).promise.catch(() => {});
      throw error;
    }
  }

  async #connect() {
    const { path, name, lease } = this.#settings;
    const { place, options, password, label } = readAddress(path);
    this.#label = label;
    this.#cluster = await request('open', place, { ...options, name, lease }, password).promise;
  }

  /// The newest runs of a task, for somebody who is no node any more.
  async historyOnce(id, most) {
    await this.#connect();
    try {
      return await this.history(id, most);
    } finally {
      await request('close', this.#cluster).promise.catch(() => {});
    }
  }

  /// Begins to start what is to start.
  begin() {
    this.#listen();
    this.#claim();
  }

  async #ask(op, facts) {
    const sent = binding.now();
    const question = this.#heard.ask();
    let reply;
    try {
      reply = JSON.parse(await request('ask', this.#cluster, JSON.stringify({ op, ...facts })).promise);
    } catch (error) {
      this.#served = undefined;
      this.#heard.lost(question);
      throw error;
    }
    this.#wait = undefined;
    // Before anything comes of them.
    for (const fact of reply.facts ?? []) this.#tell(fact);
    this.#heard.answered(question, reply.n);
    if (reply.n !== undefined) this.#serve(sent, reply);
    return reply;
  }

  #tell(fact) {
    binding.taskFact('Cluster', fact.at, this.#settings.name, JSON.stringify(fact));
  }

  /// Tells since when this node could have started what is to start (rule CLUS-7): the loop did not stand still, the
  /// database answered and its clock went on, the list was in force and there was room.
  #serve(sent, { n, now, lost }) {
    const [at, before] = [binding.now(), this.#served];
    const isFree = this.#room().most > 0 && [...this.#running.values()].every((run) => !run.isZombie);
    // Nor does it say so of what it has not the labels for.
    const isAble = this.#me !== undefined && !lost && this.#fitsAll && !this.#standsBy && !this.#isStopping && isFree && at - sent < SLACK;
    this.#served = isAble ? { at, now } : undefined;
    if (before === undefined || !isAble || Math.abs(now - before.now - (at - before.at)) > SLACK) return;
    this.#tell({ n, at: now, fact: 'served', me: this.#me, since: before.now });
  }

  async #join() {
    const sent = binding.now();
    const { node, lease, labels } = this.#settings;
    const joined = await this.#ask('join', { node, lease, labels, list: this.#list, generation: this.#generation });
    // Who joins again comes with the same list: it is no younger than it was.
    [this.#me, this.#generation] = [joined.me, joined.generation];
    this.#holdSince(sent);
    this.#inForce(joined.force);
    return joined;
  }

  #set(name, ms, act) {
    clearTimeout(this.#timers[name]);
    const delay = Math.min(Math.max(ms, 0), LONGEST_TIMER);
    const planned = binding.now() + delay;
    this.#timers[name] = setTimeout(() => {
      this.#timers[name] = undefined;
      if (binding.now() - planned > SLACK) this.#served = undefined;
      act();
    }, delay);
  }

  #clear(name) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = undefined;
  }

  /// The lease counts from when it was asked for: the database got to know of it later.
  #holdSince(sent) {
    const { lease } = this.#settings;
    this.#safeUntil = sent + lease * SAFE_PART;
    this.#set('lease', this.#safeUntil - binding.now(), () => this.#lose());
    this.#set('renew', lease / RENEWALS, () => this.#renew());
  }

  /// How long to wait before the database is asked again. It is told once.
  #troubled(error) {
    const { lease, name } = this.#settings;
    if (this.#wait === undefined) {
      this.#wait = lease * FIRST_WAIT;
      process.emitWarning(`the scheduler's cluster ${name}: ${error.message}; tasks wait until it can be asked`, 'SchedulerWarning');
      tell(this.#settings.on, 'trouble', { error });
    }
    const wait = this.#wait;
    this.#wait = Math.min(wait * 2, lease * LONGEST_WAIT);
    return wait;
  }

  async #renew() {
    const [sent, me] = [binding.now(), this.#me];
    if (me === undefined) return;
    let reply;
    try {
      reply = await this.#ask('renew', { me, heard: this.#heard.range });
    } catch (error) {
      if (this.#me === me) this.#set('renew', this.#troubled(error), () => this.#renew());
      return;
    }
    if (this.#me !== me) return;
    if (reply.lost) {
      this.#lose();
      return;
    }
    this.#holdSince(sent);
    this.#inForce(reply.force);
    this.#arm(reply);
  }

  /// The lease is over, or may be: what runs here may run elsewhere (rule CLUS-5).
  #lose() {
    if (this.#me === undefined) return;
    this.#me = this.#served = undefined;
    for (const name of ['lease', 'renew', 'claim']) this.#clear(name);
    for (const run of this.#running.values()) {
      if (run.isZombie) continue;
      run.isZombie = true;
      run.entered.controller.abort(new LeaseLostError(run.id, run.fence));
    }
    process.emitWarning(`the scheduler's cluster ${this.#settings.name}: this node lost its lease; what it ran starts again elsewhere`, 'SchedulerWarning');
    tell(this.#settings.on, 'lost', {});
    this.#return();
  }

  /// Joins again, as often as it takes.
  async #return() {
    if (this.#isStopping || this.#me !== undefined) return;
    try {
      await this.#join();
    } catch (error) {
      this.#set('renew', this.#troubled(error), () => this.#return());
      return;
    }
    if (this.#settings.log) process.stderr.write(`scheduler: node ${this.#settings.node} has joined again\n`);
    this.#isUnsure = false;
    this.#claim();
  }

  #inForce({ mine, generation, by }) {
    if (this.#standsBy === !mine) return;
    this.#standsBy = !mine;
    this.#served = undefined;
    tell(this.#settings.on, mine ? 'in-force' : 'stands-by', { generation, by });
    if (!this.#settings.log) return;
    const why = mine ? 'its list is in force again' : `stands by: a younger list is in force, generation ${generation}, given by ${by}`;
    process.stderr.write(`scheduler: node ${this.#settings.node}: ${why}\n`);
  }

  /// Asks again when something may be due.
  #arm({ next, now }) {
    const { most, jobs } = this.#room();
    // Whoever may hold what it does not run asks at once: the database waits for its end as long as the lease is renewed.
    if (this.#isUnsure && !this.#isStopping) this.#set('claim', 0, () => this.#claim());
    else if (this.#isStopping || next === null || this.#standsBy || most + jobs === 0) this.#clear('claim');
    else this.#set('claim', next - now, () => this.#claim());
  }

  #listen() {
    const { promise, number } = request('listen', this.#cluster);
    this.#listening = number;
    // The lease keeps the program alive.
    if (number !== undefined) binding.referOperation(number, false);
    promise.then(() => {
      if (this.#isStopping) return;
      this.#claim();
      this.#listen();
    }, () => {
      // Without it changes are noticed when the lease is renewed.
    });
  }

  /// How many tasks may start, and how many jobs.
  #room() {
    const active = { tasks: 0, jobs: 0 };
    for (const { isZombie, isJob } of this.#running.values()) active[isJob ? 'jobs' : 'tasks'] += isZombie ? 0 : 1;
    const left = (most, running) => Math.max(0, Math.min(most - running, MOST_STARTS));
    const { concurrency, jobs } = this.#settings;
    return { most: left(concurrency, active.tasks), jobs: left(jobs, active.jobs) };
  }

  /// Starts what is to start now, one question at a time.
  async #claim() {
    if (this.#isClaiming) {
      this.#claimsAgain = true;
      return;
    }
    this.#isClaiming = true;
    try {
      do {
        this.#claimsAgain = false;
        await this.#claimOnce();
      } while (this.#claimsAgain);
    } finally {
      this.#isClaiming = false;
    }
  }

  async #claimOnce() {
    const me = this.#me;
    const { most, jobs } = this.#room();
    if (me === undefined || most + jobs === 0 || this.#isStopping) return;
    // What ignores that its lease is lost does not start beside itself.
    const but = [];
    const holds = [];
    for (const { id, fence, isZombie } of this.#running.values()) {
      if (isZombie) but.push(id);
      else holds.push(fence);
    }
    let reply;
    try {
      reply = await this.#ask('claim', { me, most, jobs, but, holds: this.#isUnsure ? holds : null, spread: this.#settings.spread, heard: this.#heard.range });
    } catch (error) {
      this.#isUnsure = true;
      if (this.#me === me) this.#set('claim', this.#troubled(error), () => this.#claim());
      return;
    }
    // What was given to a node that is no more is given to another.
    if (this.#me !== me) return;
    if (reply.lost) {
      this.#lose();
      return;
    }
    this.#isUnsure = false;
    this.#inForce(reply.force);
    for (const start of reply.starts) {
      const end = this.#run(me, start).finally(() => this.#ends.delete(end));
      this.#ends.add(end);
    }
    this.#arm(reply);
  }

  async #run(me, { id, pending, due, attempt, fence, job }) {
    // The process may have stood still since the answer came.
    if (binding.now() >= this.#safeUntil) {
      this.#lose();
      return;
    }
    if (this.#isStopping) {
      // What cannot be given back by itself goes with the node, which then has to say that it leaves.
      await this.#ask('give-back', { me, id, fence }).catch(() => {
        this.#isUnsure = true;
      });
      return;
    }
    const task = this.#tasks.get(job?.task ?? id);
    const entered = new Run(this.#settings, task, undefined, id, pending, due, attempt, fence, job);
    const run = { id, fence, entered, isZombie: false, isJob: job !== undefined };
    this.#running.set(fence, run);
    if (this.#room().most === 0) this.#served = undefined;
    const about = job === undefined ? undefined : { job: id, key: job.key ?? undefined, payload: readPayload(job.payload) };
    await entered.enter(new Date(due ?? Date.now()), about);
    const { error } = entered;
    const message = error === undefined ? undefined : toError(error).message;
    const ended = await this.#end(me, id, fence, message);
    this.#running.delete(fence);
    if (ended === undefined) return;
    if (ended.accepted) entered.ended(ended);
    else entered.refused();
    this.#claim();
  }

  /// Makes an end durable, and says what comes of it; nothing if the scheduler stops before it is known.
  #end(me, id, fence, error) {
    const { promise, resolve } = Promise.withResolvers();
    this.#over.push({ me, end: { id, fence, error: error ?? null }, resolve });
    if (!this.#isEnding) this.#endAll();
    return promise;
  }

  /// Asks for what has ended, one question at a time: what ends meanwhile goes with the next.
  async #endAll() {
    this.#isEnding = true;
    while (this.#over.length > 0) {
      const [{ me }] = this.#over;
      const others = this.#over.findIndex((over) => over.me !== me);
      const asked = this.#over.slice(0, Math.min(others === -1 ? MOST_ENDS : others, MOST_ENDS));
      try {
        const ends = asked.map(({ end }) => end);
        const { ended } = await this.#ask('ends', { me, ends, keep: this.#settings.history, heard: this.#heard.range });
        this.#over.splice(0, asked.length);
        asked.forEach(({ resolve }, at) => resolve(ended[at]));
      } catch (failed) {
        if (!this.#mayWait(me, failed)) {
          this.#lost ??= failed;
          this.#over.splice(0).forEach(({ resolve }) => resolve(undefined));
          break;
        }
        await pause(this.#troubled(failed));
      }
    }
    this.#isEnding = false;
  }

  /// Whether to wait for a database that does not answer: whoever stops waits as long as its lease lasts, because what
  /// it does not say by then others take for lost.
  #mayWait(me, failed) {
    if (!this.#isStopping) return true;
    return failed.code !== 'ERR_ACCESS_DENIED' && this.#me === me && binding.now() < this.#safeUntil;
  }

  /// Says that this node is no more. If it may hold what it does not run, it tries until its lease is over; else
  /// nobody misses anything.
  async #leave(me) {
    for (;;) {
      try {
        await this.#ask('leave', { me });
        return;
      } catch (failed) {
        if (!this.#isUnsure || !this.#mayWait(me, failed)) return;
        await pause(this.#troubled(failed));
      }
    }
  }

  /// Starts nothing any more, waits for what runs, and leaves.
  async close() {
    this.#isStopping = true;
    this.#clear('claim');
    if (this.#listening !== undefined) binding.giveUpOperation(this.#listening);
    // A start that is on its way is given back, and the lease is kept until all is said.
    while (this.#isClaiming || this.#ends.size > 0) {
      if (this.#ends.size > 0) await Promise.allSettled(this.#ends);
      else await pause(1);
    }
    for (const name of ['renew', 'claim']) this.#clear(name);
    if (this.#me !== undefined) await this.#leave(this.#me);
    this.#me = undefined;
    for (const name of ['lease', 'renew', 'claim']) this.#clear(name);
    await request('close', this.#cluster).promise.catch(() => {});
    if (this.#lost !== undefined) throw this.#lost;
  }

  /// How the tasks stand, on all nodes.
  async status() {
    return (await this.#ask('status', {})).tasks;
  }

  async history(id, most) {
    return (await this.#ask('runs', { id, most })).runs;
  }

  /// Who has joined.
  async nodes() {
    return (await this.#ask('nodes', {})).nodes;
  }

  async jobs(id) {
    return (await this.#ask('jobs', { id, most: MOST_JOBS })).jobs;
  }

  async enqueue(facts) {
    const { found, job, added } = await this.#ask('enqueue', facts);
    if (!found) throw new UnknownTaskError(facts.id);
    this.#claim();
    return { job, added };
  }

  async change(op, facts) {
    const { found, changed } = await this.#ask(op, facts);
    if (!found) throw new UnknownTaskError(facts.id);
    this.#claim();
    return changed;
  }

  get label() {
    return this.#label;
  }
}

module.exports = { ClusterNode };
