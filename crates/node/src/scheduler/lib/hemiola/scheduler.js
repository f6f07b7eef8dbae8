// hemiola:scheduler: declared tasks that run when they are due, through restarts and crashes.
//
// Which task is to start is the roster's to say (natives), what is durable the store's (requests). This file
// keeps the order between them: a start is durable before the callback is entered, an end before it is
// reported, and one commit is under way at a time; what comes meanwhile goes into the next.
//
// Whoever listens to the run is told of each fact as soon as it is durable (taskFact), with the instant that
// the roster goes by.
//
// Uses binding.request, giveUpOperation, referOperation, taskClockSetBy, setTaskClock, checkTasks, registerTasks,
// startTask, taskStarted, taskWithdrawn, taskEnded, taskSettled, taskState, taskStatus, taskFact, awaitStore, nextWake,
// triggerTask, retryTask, pauseTask, enqueueTask, cancelTask, taskJobs, clearTimeout, clockLag, queueMicrotask.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const {
  SchedulerStateError, StoreError, UnknownTaskError, readTask, reject, toError,
} = require('internal/scheduler/declared');
const { isAddress } = require('internal/scheduler/address');
const { ClusterNode } = require('internal/scheduler/cluster');
const { readOptions, readPayload, shownJob, writePayload } = require('internal/scheduler/jobs');
const { Run, report } = require('internal/scheduler/run');
const { clearTimeout, guards, startLabelled } = require('internal/timers');
const { validateBoolean, validateInteger, validateObject, validateString, validateStringArray } = require('internal/validators');

// Dues come from the wall clock, by way of this clock.
const CLOCK = 'hemiola:scheduler';
const FOR_EVER = 2 ** 53;

// How long starts wait while the store cannot be written: at first, and at most.
const FIRST_WAIT = 100;
const LONGEST_WAIT = 60_000;

// For how long a node of several may be silent before others take over what it runs.
const DEFAULT_LEASE = 30_000;
const SHORTEST_LEASE = 100;

let phase = 'idle';
let callbacks;
let store;
// This process as one of several, if the store is a database that they share.
let cluster;
let settings;
let timer;
// What waits until somebody sets the clock on the wall.
let setting;
let stopping;
let initializing;
let calls = 0;
// How much is under way that `stop` waits for, and what it waits with.
let underWay = 0;
let allLeft;
// Whether it is to be looked soon what starts next.
let isWaking = false;
// While the store cannot be written: how long to wait the next time, and what ends the wait under way.
let trouble;
// Why an end of a run could not be made durable before the scheduler stopped.
let lost;
// After a stop: where the last store was.
let last;

// By how much the clock on the wall was set since the program began, as far as that was noticed; and since a list was
// given, as long as its store is being opened.
let moved = 0;
let early;

/// What time it is. Whoever asks notices whether somebody has set the clock: dues are what it shows, delays are times.
function now(begins = false) {
  let at = Date.now();
  const by = binding.taskClockSetBy(begins);
  if (by === 0) return at;
  // It may have been set in between.
  at = Date.now();
  moved += by;
  // Told also while there are no tasks yet.
  binding.setTaskClock(at, at - by);
  if (early !== undefined) early += by;
  else if (store !== undefined) keepAll();
  return at;
}

/// The present, as the clock shows it whenever this is called.
function present() {
  const at = now() - moved;
  return () => at + moved;
}

/// Lets a restart know that the clock was set.
async function keepAll() {
  underWay += 1;
  try {
    for (;;) {
      try {
        const jobs = JSON.parse(binding.taskJobs(Date.now())).map(({ number, id }) => keep(number, id));
        await commit([...callbacks.map(({ id }, task) => keep(task, id)), ...jobs]);
        return;
      } catch (error) {
        if (phase !== 'running') return;
        await troubled(error);
      }
    }
  } finally {
    left();
  }
}

/// Something is no longer under way.
function left() {
  underWay -= 1;
  if (underWay === 0) allLeft?.();
}

// While it waits for its store it starts nothing, however much it is let compute.
let awaited = 0;

function awaitStore(more) {
  awaited += more;
  binding.awaitStore(awaited > 0);
}

/// The error for what the world says about a store, or the gate.
function failure(fault) {
  if (fault.code === 'ERR_ACCESS_DENIED') return require('internal/process/permission').denied(fault);
  return new StoreError(fault.code, fault.message);
}

const request = (kind, ...args) => new Promise((resolve, fail) => {
  try {
    binding.request(`store.${kind}`, args, (fault, value) => {
      awaitStore(-1);
      if (fault) fail(failure(fault));
      else resolve(value);
    });
  } catch (fault) {
    // What is not granted is refused before the store is asked.
    fail(failure(fault));
    return;
  }
  awaitStore(1);
});

// Commits, one after the other.
let gathered;
let committing = false;

/// Makes changes durable. Those that come while others are being written are written together.
function commit(changes) {
  // Without a store nothing is written.
  if (store === undefined && !committing) return Promise.resolve();
  gathered ??= { changes: [], ...Promise.withResolvers() };
  gathered.changes.push(...changes);
  const { promise } = gathered;
  if (!committing) writeOn();
  return promise;
}

async function writeOn() {
  committing = true;
  while (gathered !== undefined) {
    const { changes, resolve, reject: fail } = gathered;
    gathered = undefined;
    try {
      if (store !== undefined) await request('commit', store, changes, settings.history);
      const past = trouble;
      trouble = undefined;
      past?.over?.();
      resolve();
    } catch (error) {
      fail(error);
    }
  }
  committing = false;
}

// A task as it is with whatever is written before this: an end that is on its way is not undone.
function keep(task, id) {
  // Without a store nothing is written.
  if (store === undefined) return undefined;
  const state = binding.taskState(task);
  // A job that is done leaves nothing behind.
  return state === undefined ? ['forget', id] : ['task', id, state];
}

/// Waits until the store may be tried again: longer each time, and at most until the scheduler stops. It is
/// told once, and nothing starts meanwhile.
function troubled(error) {
  if (trouble === undefined) {
    trouble = { delay: FIRST_WAIT };
    binding.taskFact('Supernatural', now(), `store: ${error.code}`);
    process.emitWarning(`the scheduler's store: ${error.message}; tasks wait until it can be written`, 'SchedulerWarning');
  }
  if (trouble.over === undefined) {
    const mine = trouble;
    awaitStore(1);
    const { promise, resolve } = Promise.withResolvers();
    const limit = guards.setTimeout(() => mine.over(), mine.delay);
    mine.delay = Math.min(mine.delay * 2, LONGEST_WAIT);
    mine.wait = promise;
    mine.over = () => {
      clearTimeout(limit);
      mine.over = undefined;
      awaitStore(-1);
      resolve();
      wakeUp();
    };
  }
  return trouble.wait;
}

/// Makes durable what must not be lost; false if the scheduler stops before the store takes it.
async function persist(changes) {
  for (;;) {
    try {
      await commit(changes());
      return true;
    } catch (error) {
      if (phase === 'stopping') {
        lost ??= error;
        return false;
      }
      await troubled(error);
    }
  }
}

/// Starts what is to start now, and sets the timer for what comes next.
function wakeUp() {
  if (timer !== undefined) binding.clearTimeout(timer);
  timer = undefined;
  if (phase !== 'running' || trouble?.over !== undefined) return;
  followClock();
  const at = now();
  for (let found = binding.startTask(at); found !== undefined; found = binding.startTask(at)) {
    underWay += 1;
    const run = toRun(found);
    if (store === undefined) binding.queueMicrotask(() => enter(run));
    else startDurably(run);
  }
  const next = binding.nextWake();
  if (next === undefined) return;
  // A delay counts from the logical time of the clock, which may be behind.
  const delay = Math.max(0, next - Date.now()) + Math.ceil(binding.clockLag(CLOCK) ?? 0);
  timer = startLabelled(wakeUp, Math.min(delay, FOR_EVER), false, [], CLOCK);
}

/// Looks again when somebody sets the clock: the timer waits for a time, and dues are what the clock shows.
function followClock() {
  if (setting !== undefined) return;
  setting = binding.request('signal.clock', [], (fault) => {
    setting = undefined;
    // A system that does not tell is not asked again.
    if (fault === null) wakeUp();
    else setting = null;
  });
  binding.referOperation(setting, false);
}

function toRun(found) {
  const job = found[6];
  const read = job === undefined ? null : JSON.parse(job);
  const task = found[0];
  const declared = callbacks[read?.parent ?? task];
  return new Run(settings, declared, task, found[1], found[2], found[3] ?? null, found[4], found[5], read);
}

/// A callback is entered when its start is durable.
async function startDurably(run) {
  const { task, id } = run;
  try {
    await commit([keep(task, id)]);
  } catch (error) {
    // Without a durable start nothing is entered: it stays owed.
    binding.taskWithdrawn(task, now());
    if (phase === 'running') troubled(error);
    over();
    return;
  }
  enter(run);
}

function enter(run) {
  const { task, due, job } = run;
  if (phase !== 'running') {
    withdraw(run);
    return;
  }
  const at = now();
  run.at = at;
  binding.taskStarted(task, at);
  const about = job === null ? undefined : { job: run.id, key: job.key ?? undefined, payload: readPayload(job.payload) };
  const work = run.enter(new Date(due ?? at), about);
  if (work === undefined) binding.queueMicrotask(() => end(run));
  else endAfter(work, run);
}

/// It is not entered: nothing starts any more.
async function withdraw({ task, id }) {
  binding.taskWithdrawn(task, now());
  await commit([keep(task, id)]).catch(failed);
  over();
}

async function endAfter(work, run) {
  await work;
  end(run);
}

/// The callback of a run has ended.
function end(run) {
  if (store !== undefined) {
    endDurably(run);
    return;
  }
  try {
    const at = now();
    const message = returned(run, at);
    if (settings.history > 0) remember(run, at, message);
    settle(run, at);
  } finally {
    over();
  }
}

/// Tells the roster that a callback ended at that time. Gives the message of its error.
function returned({ task, error }, at) {
  const message = error === undefined ? undefined : toError(error).message;
  binding.taskEnded(task, at, message);
  return message;
}

async function endDurably(run) {
  try {
    const ended = present();
    const at = ended();
    const message = returned(run, at);
    const { task, id, due, attempt, fence, job, declared: { id: owner } } = run;
    const facts = { due, attempt, node: settings.node, fence, job: job === null ? undefined : id };
    const changes = () => {
      const kept = job === null ? [keep(task, id)] : [keep(task, id), keep(job.parent, owner)];
      return [...kept, ['run', owner, run.at, at, message, JSON.stringify(facts)]];
    };
    // What is not durable has not ended: the task starts again with the next `initialize`.
    if (await persist(changes)) settle(run, ended());
  } finally {
    over();
  }
}

/// Its end is durable.
function settle(run, at) {
  const settled = binding.taskSettled(run.task, at, run.error === undefined);
  run.ended(settled === undefined ? undefined : JSON.parse(settled));
}

/// A run is over, and others may start. Many end in the same microtasks: what starts next is looked for once for all.
function over() {
  left();
  if (isWaking) return;
  isWaking = true;
  binding.queueMicrotask(() => {
    isWaking = false;
    wakeUp();
  });
}

/// Without a store the newest runs are kept with their task, until the next list is given: the oldest first, and at
/// times as many again as are asked for.
function remember({ declared, id, at, due, attempt, fence, job }, end, message) {
  declared.past ??= [];
  const { past } = declared;
  past.push([at, end, message, due, attempt, fence, job === null ? undefined : id]);
  if (past.length >= 2 * settings.history) past.splice(0, past.length - settings.history);
}

// The newest of them first.
function recalled(id) {
  const past = callbacks?.find((declared) => declared.id === id)?.past ?? [];
  return past.slice(-settings.history).reverse().map(([start, end, error, due, attempt, fence, job]) => {
    return [start, end, error, { due, attempt, node: settings.node, fence, job }];
  });
}

// What can be made up for by the next start is only told.
function failed(error) {
  process.emitWarning(`the scheduler's store: ${error.message}`, 'SchedulerWarning');
}

/// The name of this node: one that no other has, if there may be several.
function nodeName(isShared) {
  const { hostname } = require('os');
  return isShared ? `${hostname()}-${process.pid}-${require('crypto').randomUUID().slice(0, 8)}` : hostname();
}

function readSettings(options) {
  validateObject(options, 'options');
  const { store: path, concurrency = Infinity, history = 100, log = true, on } = options;
  const { jobs = concurrency } = options;
  const { name = 'default', lease = DEFAULT_LEASE, generation, node } = options;
  if (path !== undefined) validateString(path, 'options.store');
  const { labels = [], spread = false, cron = {} } = options;
  validateString(name, 'options.name');
  validateStringArray(labels, 'options.labels');
  validateBoolean(spread, 'options.spread');
  validateObject(cron, 'options.cron');
  const { seconds = false } = cron;
  validateBoolean(seconds, 'options.cron.seconds');
  validateInteger(lease, 'options.lease', SHORTEST_LEASE);
  if (generation !== undefined) validateInteger(generation, 'options.generation', 1);
  if (node !== undefined) validateString(node, 'options.node');
  if (concurrency !== Infinity) validateInteger(concurrency, 'options.concurrency', 1);
  if (jobs !== Infinity) validateInteger(jobs, 'options.jobs', 0);
  validateInteger(history, 'options.history', 0);
  if (on !== undefined && typeof on !== 'function') throw new ERR_INVALID_ARG_TYPE('options.on', 'Function', on);
  return {
    path, name, lease, generation, node: node ?? nodeName(path !== undefined && isAddress(path)),
    concurrency: concurrency === Infinity ? FOR_EVER : concurrency, jobs: jobs === Infinity ? FOR_EVER : jobs, history, log, on,
    labels, spread, seconds,
  };
}

exports.initialize = async function initialize(list, options = {}) {
  const given = readSettings(options);
  if (!Array.isArray(list)) throw new ERR_INVALID_ARG_TYPE('list', 'Array', list);
  const isShared = given.path !== undefined && isAddress(given.path);
  const call = calls += 1;
  let tasks;
  let text;
  let wrong;
  try {
    tasks = list.map((task, entry) => readTask(task, entry, isShared ? undefined : given.labels));
    text = JSON.stringify(tasks.map(({ run: _, timeout: __, ...declared }) => declared));
  } catch (error) {
    wrong = error;
  }
  // Nobody has looked at the clock while there was no scheduler.
  const begins = phase === 'idle' && stopping === undefined;
  const fact = isShared ? () => {} : binding.taskFact;
  fact('InitStart', now(begins), call, text, given.concurrency);
  if (!begins) {
    wrong = new SchedulerStateError('initialize', stopping === undefined ? phase : 'stopping');
  }
  const rejected = wrong === undefined ? binding.checkTasks(text, given.seconds) : undefined;
  if (rejected !== undefined) wrong = reject(JSON.parse(rejected), tasks);
  if (wrong !== undefined) {
    fact('InitFailure', now(), call);
    throw wrong;
  }
  phase = 'initializing';
  early = isShared ? undefined : 0;
  initializing = isShared ? join(tasks, text, given) : begin(call, tasks, text, given);
  try {
    return await initializing;
  } finally {
    initializing = undefined;
  }
};

async function begin(call, tasks, text, given) {
  const path = given.path === undefined ? undefined : require('path').resolve(given.path);
  let opened;
  try {
    opened = path === undefined ? { tasks: [] } : await request('open', path);
    // From this instant on the list counts, once it is durable.
    const taken = present();
    const setBy = early;
    early = undefined;
    const stored = JSON.stringify(opened.tasks);
    const { differences, interrupted } = register(path, text, stored, [given.concurrency, given.jobs], taken(), setBy);
    [callbacks, settings, store] = [tasks, given, opened.store];
    last = { path };
    await commit([
      ...interrupted.map(({ task, start, ...facts }) => {
        return ['run', task, start ?? taken(), taken(), undefined, JSON.stringify({ ...facts, interrupted: true })];
      }),
      ...differences.removed.map((id) => ['forget', id]),
      ...tasks.map(({ id }, task) => keep(task, id)),
    ]);
    binding.taskFact('InitSuccess', taken(), call);
    // Whoever stopped meanwhile finds nothing started.
    if (phase === 'initializing') phase = 'running';
    if (settings.log && store !== undefined) report(differences);
    wakeUp();
    return differences;
  } catch (error) {
    if (opened?.store !== undefined) await request('close', opened.store).catch(() => {});
    [store, early] = [undefined, undefined];
    if (phase === 'initializing') phase = 'idle';
    binding.taskFact('InitFailure', now(), call, true);
    throw error;
  }
}

/// Becomes a node of several.
async function join(tasks, text, given) {
  const node = new ClusterNode(tasks, JSON.parse(text), given);
  try {
    const differences = await node.open();
    [cluster, settings, last] = [node, given, { shared: given }];
    if (phase === 'initializing') {
      phase = 'running';
      node.begin();
    }
    return differences;
  } catch (error) {
    if (phase === 'initializing') phase = 'idle';
    throw error;
  }
}

/// Takes a list. A state that cannot be read is one of a store from before its rows had checksums.
function register(path, ...rest) {
  try {
    return JSON.parse(binding.registerTasks(...rest, path));
  } catch (error) {
    const help = 'put back a copy, or move it away to begin with an empty store';
    throw new StoreError('ERR_STORE_DAMAGED', `${path} is damaged (${error.message}): ${help}`);
  }
}

/// Starts nothing any more, waits for what runs, and gives up the store.
exports.stop = function stop() {
  if (stopping !== undefined) return stopping;
  if (cluster === undefined) binding.taskFact('StopStart', now());
  return stopping = cluster === undefined ? stopAll() : leave();
};

async function leave() {
  phase = 'stopping';
  try {
    await cluster.close();
  } finally {
    [phase, cluster, stopping] = ['idle', undefined, undefined];
  }
}

async function stopAll() {
  if (phase !== 'idle') phase = 'stopping';
  if (timer !== undefined) binding.clearTimeout(timer);
  timer = undefined;
  if (typeof setting === 'number') binding.giveUpOperation(setting);
  setting = undefined;
  trouble?.over?.();
  // One who initialises goes on until it is durable.
  await initializing?.catch(() => {});
  // It may have become a node of several meanwhile.
  await cluster?.close();
  cluster = undefined;
  while (underWay > 0) {
    await new Promise((resolve) => {
      allLeft = resolve;
    });
  }
  allLeft = undefined;
  if (store !== undefined) await request('close', store).catch(failed);
  const error = lost;
  [phase, store, stopping, trouble, lost] = ['idle', undefined, undefined, undefined, undefined];
  binding.taskFact(error === undefined ? 'StopEnd' : 'StopFailure', now());
  if (error !== undefined) throw error;
}

const date = (ms) => (ms === null ? undefined : new Date(ms));

const shown = (task) => ({
  id: task.id,
  state: task.running ? 'running' : task.paused ? 'paused' : task.dead ? 'dead' : 'waiting',
  pending: task.pending ?? undefined,
  nextDue: date(task.nextDue),
  retryAt: date(task.retryAt),
  failures: task.failures,
  lastStart: date(task.lastStart),
  lastEnd: date(task.lastEnd),
  lastResult: task.lastEnd === null ? undefined : task.lastError === null ? 'success' : 'failure',
  lastError: task.lastError ?? undefined,
  dead: task.dead === null ? undefined : { ...task.dead, at: date(task.dead.at), due: date(task.dead.due) },
});

/// How the tasks stand; a promise, if several nodes share them.
exports.status = function status() {
  if (phase === 'idle') return [];
  if (cluster === undefined) return JSON.parse(binding.taskStatus(Date.now())).map(shown);
  return cluster.status().then((tasks) => tasks.map((task) => ({
    ...shown(task), node: task.node ?? undefined, fence: task.fence ?? undefined,
  })));
};

/// The newest runs of a task, newest first.
exports.history = async function history(id, limit = 100) {
  validateString(id, 'id');
  validateInteger(limit, 'limit', 0);
  if (!id.isWellFormed()) return [];
  // After a stop the store is opened to look at it.
  const shared = cluster ?? (last?.shared === undefined ? undefined : new ClusterNode([], [], last.shared));
  if (shared !== undefined) {
    const most = Math.min(limit, 2 ** 31);
    return (await (cluster === undefined ? shared.historyOnce(id, most) : shared.history(id, most))).map(shownRun);
  }
  if (last?.path === undefined) return recalled(id).slice(0, limit).map(pastRun);
  if (store !== undefined) return (await request('runs', store, id, limit)).map(storedRun);
  const { store: opened } = await request('open', last.path);
  try {
    return (await request('runs', opened, id, limit)).map(storedRun);
  } finally {
    await request('close', opened);
  }
};

const storedRun = ([start, end, error, facts]) => pastRun([start, end, error, facts === undefined ? {} : JSON.parse(facts)]);

function pastRun([start, end, error, { due = null, attempt, node, fence, job, interrupted = false }]) {
  return {
    start: new Date(start), end: new Date(end), result: interrupted ? 'interrupted' : error === undefined ? 'success' : 'failure',
    error, due: date(due), attempt, node, fence, job: job ?? undefined,
  };
}

const shownRun = ({ start, end, outcome, error, due, attempt, node, fence, job }) => ({
  start: date(start), end: date(end), result: outcome, error: error ?? undefined, due: date(due), attempt, node, fence, job: job ?? undefined,
});

/// The nodes that share the tasks; none if there is only this process.
exports.nodes = async () => (cluster === undefined ? [] : (await cluster.nodes()).map((node) => ({
  ...node, joined: date(node.joined), until: date(node.until),
})));

function change(name, id, fact, act) {
  validateString(id, 'id');
  if (phase !== 'running') throw new SchedulerStateError(name, phase);
  if (cluster !== undefined) {
    if (!id.isWellFormed()) throw new UnknownTaskError(id);
    return name === 'trigger' || name === 'retry'
      ? cluster.change(name, { id }) : cluster.change('pause', { id, paused: name === 'pause' });
  }
  const asked = present();
  const task = id.isWellFormed() ? act(asked()) : undefined;
  if (task === undefined) throw new UnknownTaskError(id);
  if (task < 0) return false;
  // Told before what comes of it: that is durable only later. What the store does not take is lost with the process.
  // The theory knows no jobs.
  const told = id.startsWith('@') ? () => {} : () => binding.taskFact(fact, asked(), id);
  const durable = commit([keep(task, id)]).then(told, (error) => {
    binding.taskFact('Supernatural', now(), `store: ${error.code}`);
    told();
    throw error;
  });
  wakeUp();
  return durable.then(() => true);
}

/// Runs a task as if it were due now.
exports.trigger = async (id) => {
  await change('trigger', id, 'Triggered', (at) => binding.triggerTask(id, at));
};

/// Tries a task again now that was given up, or waits to be tried again; whether it is such a one.
exports.retry = async (id) => change('retry', id, 'Triggered', (at) => binding.retryTask(id, at));

/// Runs a task once with a payload, at a time or after a delay; not if there is a job of the task with that key.
exports.enqueue = async function enqueue(id, payload = undefined, options = {}) {
  validateString(id, 'id');
  const { at, delay, key } = readOptions(options);
  const text = writePayload(payload);
  if (phase !== 'running') throw new SchedulerStateError('enqueue', phase);
  if (!id.isWellFormed()) throw new UnknownTaskError(id);
  if (cluster !== undefined) return cluster.enqueue({ id, payload: text, key, at, delay });
  const asked = now();
  const found = binding.enqueueTask(id, at ?? asked + (delay ?? 0), text, key, asked);
  if (found === undefined) throw new UnknownTaskError(id);
  const { task, id: job, added } = JSON.parse(found);
  try {
    // Also if it was there before: it may be on its way to the store.
    await commit(added ? [keep(task, job)] : []);
  } catch (error) {
    if (added) binding.cancelTask(job);
    throw error;
  }
  wakeUp();
  return { job, added };
};

/// Forgets a job that does not run; whether it is forgotten.
exports.cancel = async function cancel(job) {
  validateString(job, 'job');
  if (phase !== 'running') throw new SchedulerStateError('cancel', phase);
  if (!job.isWellFormed()) throw new UnknownTaskError(job);
  if (cluster !== undefined) return cluster.change('cancel', { id: job });
  const isCancelled = binding.cancelTask(job);
  if (isCancelled === undefined) throw new UnknownTaskError(job);
  if (isCancelled) await commit([['forget', job]]);
  return isCancelled;
};

/// The jobs of a task, or of all, by id.
exports.jobs = async function jobs(id = undefined) {
  if (id !== undefined) validateString(id, 'id');
  if (phase === 'idle') return [];
  if (cluster !== undefined) return (await cluster.jobs(id ?? null)).map(shownJob);
  const all = JSON.parse(binding.taskJobs(Date.now())).filter(({ task }) => id === undefined || task === id);
  return all.sort((a, b) => (a.id < b.id ? -1 : 1)).map(shownJob);
};

/// Lets a task start nothing, or again what it owes.
exports.pause = async (id) => {
  await change('pause', id, 'Paused', (at) => binding.pauseTask(id, true, at));
};
exports.resume = async (id) => {
  await change('resume', id, 'Resumed', (at) => binding.pauseTask(id, false, at));
};

Object.assign(exports, require('internal/scheduler/declared').errors);
