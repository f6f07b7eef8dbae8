// What callbacks belong to, for node:async_hooks: every resource has a number and the number of the one
// that made it. The host tells of them while somebody wants to know, of promises without asking here.
// Sets binding.heard, collected. Uses binding.getResource, swapResource, adoptResource, isJob, isResumed, calledOn,
// currentInvocation, setHooks, aimHook, awaitTold, hearEnds, watchEnd, takeGone, stamp, useContexts, usesFrames, writeStderr,
// setImmediateFirst, queueMicrotask, beforeExit.
'use strict';

const context = require('internal/context');

const { getResource, swapResource, adoptResource, isJob, currentInvocation, useContexts, stamp, aimHook } = binding;

const engineResolve = Promise.resolve;
const kId = Symbol('async_id_symbol');
const kTrigger = Symbol('trigger_async_id_symbol');
const kType = Symbol('type');
const kEnding = Symbol('ending');
// Of what says itself that it has ended: whether it has.
const kOver = Symbol('lasts');
const EVENTS = ['init', 'before', 'after', 'promiseResolve'];

const topLevel = {};
// What callbacks belong to that hooks do not hear of.
const nothing = {};
let tracked = false;
// The hooks that are on, in the order in which they were turned on. The list is never changed, only
// replaced: hooks may turn hooks on and off.
let hooks = [];
// The same once what is being told is told: until then hooks are those that were on when it began.
let nextHooks = hooks;
let telling = 0;
// Functions of v8.promiseHooks by event, as hooks call these.
const ofPromises = { __proto__: null, init: [], before: [], after: [], promiseResolve: [] };
// Resources whose end has not been told yet, and whether it is certain.
let ended = new Map();
let silent = false;
// What callbacks belong to that are given to the host, if not to resources of their own.
let owner;
// The type of those that are given to it, and the number of what they come from, if these are not the usual ones.
let givenType;
let givenTrigger;
// What reads a connection by itself, and asks for more by itself.
let consumer;
const CONSUMER = 'HTTPINCOMINGMESSAGE';

// From now on callbacks know what they belong to.
function track() {
  if (tracked) return;
  tracked = true;
  binding.setHooks({ __proto__: null, init: created, late, wrap, executionId: currentId, fail, told, tellGoneSoon, tellInTail }, Promise, kId, kTrigger, kEnding);
  stamp(topLevel, 0, false);
  useContexts('resources', true);
  binding.heard = ofLibrary;
}

// Whether the program has asked for a number. If values follow links, too, promises have numbers as well,
// which they have in Node as soon as there is an AsyncLocalStorage.
let asked = false;

function ask() {
  if (asked) return;
  asked = true;
  track();
  if (binding.usesFrames()) useContexts('hooks', true);
}

// Values follow links from now on.
function follow() {
  if (asked) useContexts('hooks', true);
}

// The resource of the running callback, which gets one if it began before anybody asked.
function running() {
  track();
  const resource = getResource();
  if (resource !== undefined) return resource;
  if (currentInvocation() === 1) return topLevel;
  if (isJob()) return undefined;
  const handle = binding.calledOn();
  // A timer tells whether it comes again.
  const made = late(handle === undefined ? 'CALLBACK' : '_repeat' in handle ? 'Timeout' : 'Immediate', handle, 1);
  adoptResource(made);
  return made;
}

// A callback runs that was given to the host before anybody wanted to know: hooks did not hear of it.
function late(type, object, trigger = 0) {
  const resource = object ?? {};
  if (resource[kType] === undefined) Object.defineProperty(resource, kType, { __proto__: null, value: type });
  if (resource[kId] === undefined) stamp(resource, trigger, false);
  return resource;
}

// A promise job in which hooks are turned on: they hear of its end, but it goes by no number while it runs.
let joined;

function join() {
  if (getResource() !== undefined || binding.isResumed()) return;
  joined = {};
  stamp(joined, 0, false);
  adoptResource(joined);
}

function currentId() {
  const resource = running();
  return resource === undefined || resource === joined ? 0 : resource[kId] ?? 0;
}

function executionAsyncId() {
  ask();
  return currentId();
}

function triggerAsyncId() {
  ask();
  return running()?.[kTrigger] ?? 0;
}

function executionAsyncResource() {
  ask();
  return running() ?? topLevel;
}

// Calls a function of every hook. An error of theirs ends the program: nothing could be relied on.
function emit(name, ...args) {
  telling++;
  for (const hook of hooks) {
    const callback = hook[name];
    if (callback === undefined) continue;
    try {
      Reflect.apply(callback, hook, args);
    } catch (error) {
      fail(error);
    }
  }
  telling--;
  if (hooks !== nextHooks) setHooks(nextHooks);
}

// The same for the end of a resource, of which there may be many at once.
function emitDestroy(id) {
  telling++;
  for (let at = 0; at < hooks.length; at++) {
    const hook = hooks[at];
    if (hook.destroy === undefined) continue;
    try {
      hook.destroy(id);
    } catch (error) {
      fail(error);
    }
  }
  telling--;
  if (hooks !== nextHooks) setHooks(nextHooks);
}

// Hooks are others from now on, or as soon as what is being told is told.
function setHooks(those) {
  nextHooks = those;
  if (telling > 0 || binding.awaitTold()) return;
  hooks = those;
  aim();
  if (hooks.length > 0 || hearsPromises()) {
    useContexts('hooks', true);
  } else if (!(asked && binding.usesFrames())) {
    useContexts('hooks', false);
    context.v = plain;
  }
}

// The host has told an event, within which hooks were turned on or off.
function told() {
  if (hooks !== nextHooks) setHooks(nextHooks);
}

const hearsPromises = () => Object.keys(ofPromises).some((name) => ofPromises[name].length > 0);

// Tells of a promise, or of what stands for one where a function waits. An error is as one that nobody caught.
function emitOfPromise(name, ...args) {
  for (const callback of ofPromises[name]) {
    try {
      callback(...args);
    } catch (error) {
      require('internal/uncaught').handle(error);
    }
  }
}

// What the host has to tell goes to hooks, and to those who listen to promises only.
function dispatch(name, args) {
  if (name === 'init') {
    emit(name, ...args.slice(0, 4));
    emitOfPromise(name, args[3], args[4]);
  } else {
    emit(name, args[0]);
    if (args[1][kType] === undefined) emitOfPromise(name, args[1]);
  }
}

// Adds a function for promises; gives what removes it.
function hearPromises(name, callback) {
  track();
  ofPromises[name] = [...ofPromises[name], callback];
  setHooks(nextHooks);
  return function stop() {
    ofPromises[name] = ofPromises[name].filter((other) => other !== callback);
    setHooks(nextHooks);
  };
}

function fail(error) {
  const { stack } = Object(error);
  binding.writeStderr(`${typeof stack === 'string' ? stack : new Error(String(error)).stack}\n`);
  if (require('internal/uncaught').aborts()) require('internal/process').abort();
  require('internal/process').exit(1);
}

// Lets the host call a hook itself if there is one for an event, and `emit` if there are several.
function aim() {
  for (const name of EVENTS) {
    const those = hooks.filter((hook) => hook[name] !== undefined);
    if (those.length > 1 || ofPromises[name].length > 0) aimHook(name, (...args) => dispatch(name, args), undefined);
    else aimHook(name, those[0]?.[name], those[0]);
  }
  const areEndsHeard = hearsEnds();
  aimHook('ended', areEndsHeard ? end : undefined, undefined);
  binding.hearEnds(areEndsHeard);
  if (areEndsHeard) binding.collected = tellGoneSoon;
}

const hearsEnds = () => hooks.some((hook) => hook.destroy !== undefined);

// Gives a resource its number and tells hooks of it.
function init(resource, type, trigger, visible = false) {
  track();
  const id = stamp(resource, trigger, visible);
  if (hooks.length > 0) emit('init', id, type, trigger, resource);
}

// What a resource comes from that is made now.
const currentTrigger = () => givenTrigger ?? currentId();

// A callback is given to the host. A timer that begins anew is the one that it was.
function created(type, object) {
  if (silent) return nothing;
  if (owner !== undefined) return owner;
  if (type === CONSUMER) {
    const reading = consumer ?? getResource();
    if (reading?.[kType] === CONSUMER) return reading;
  }
  const resource = object ?? {};
  if (resource[kId] === undefined) {
    if (hooks.length > 0 || hearsPromises()) Object.defineProperty(resource, kType, { __proto__: null, value: givenType ?? type });
    init(resource, givenType ?? type, currentTrigger());
  }
  return resource;
}

// Does something while these hold.
function holding(values, act) {
  const before = [owner, givenType, givenTrigger, silent];
  [owner, givenType, givenTrigger, silent] = values;
  try {
    return act();
  } finally {
    [owner, givenType, givenTrigger, silent] = before;
  }
}

// What stays until it says that it has ended: nobody heard that it was made if that was before anybody listened.
function lasting(resource, type) {
  if (resource[kOver] === undefined) Object.defineProperty(resource, kOver, { __proto__: null, value: false, writable: true });
  // What was made quietly stays so.
  return resource[kOver] === true && resource[kId] === undefined ? nothing : late(type, resource, 0);
}

const numberOf = (maker) => (maker === undefined ? currentTrigger() : lasting(maker, maker[kType] ?? 'UNKNOWN')[kId] ?? 0);

// For what of the library are resources.
const ofLibrary = {
  __proto__: null,
  hears: () => hooks.length > 0,
  // What runs now belongs to nothing.
  leave: () => swapResource(nothing),
  made(type, resource, maker) {
    if (silent) {
      Object.defineProperty(resource, kOver, { __proto__: null, value: true, writable: true });
      return;
    }
    Object.defineProperty(resource, kType, { __proto__: null, value: type });
    Object.defineProperty(resource, kOver, { __proto__: null, value: false, writable: true });
    init(resource, type, numberOf(maker));
  },
  run: (resource, callback, self, args) => runIn(lasting(resource, 'UNKNOWN'), callback, self, args),
  ended(resource) {
    if (resource[kOver] !== false) return;
    resource[kOver] = true;
    destroy(resource);
  },
  endsAsGarbage(resource) {
    if (resource[kId] !== undefined) watch(resource);
  },
  within: (resource, type, act) => holding([lasting(resource, type), undefined, undefined, false], act),
  named: (type, maker, act) => holding([undefined, type, numberOf(maker), false], act),
  madeBy: (maker, act) => holding([undefined, undefined, numberOf(maker), silent], act),
  quietly: (act) => holding([undefined, undefined, undefined, true], act),
  consumed(resource, act) {
    const before = consumer;
    consumer = lasting(resource, CONSUMER);
    try {
      act();
    } finally {
      consumer = before;
    }
  },
  once(type, maker, callback) {
    const resource = {};
    ofLibrary.made(type, resource, maker);
    return (...args) => {
      try {
        return runIn(resource, callback, undefined, args);
      } finally {
        ofLibrary.ended(resource);
      }
    };
  },
};

// A function awaits something that is no promise of the engine's: what the engine would make of it.
function wrap(value) {
  wrapped = Reflect.apply(engineResolve, Promise, [value]);
  context.v = unwrap;
  return wrapped;
}
const plain = context.v;
let wrapped;
function unwrap() {
  const promise = wrapped;
  context.v = plain;
  wrapped = undefined;
  return promise;
}

// The callback of a resource is over, or was cleared.
function end(resource, cleared) {
  if (resource === joined || resource[kId] === undefined || resource[kOver] !== undefined) return;
  // What began before there were hooks has no type.
  const type = resource[kType] ?? ('_repeat' in resource ? 'Timeout' : 'CALLBACK');
  if (type === 'Timeout' && !cleared && resource._repeat !== null) return;
  later(resource, cleared || type !== 'Timeout');
}

// With so many ends the next microtask tells them.
const MANY = 16384;

// Notes that a resource has ended, or, if it is not certain, may have: a timer can begin anew.
function later(resource, isCertain) {
  if (ended.size === 0) {
    // Nobody hears of this one.
    silent = true;
    binding.setImmediateFirst(tellEnded);
    silent = false;
    binding.beforeExit = tellEnded;
  }
  ended.set(resource, isCertain || ended.get(resource) === true);
  if (ended.size === MANY) tellInTail();
}

// Promises, and the program's own resources, of whose end hooks hear when they are gone without having said so. Garbage is
// collected all the time here, in Node now and then: hooks hear of it when the program asks for that, and when there is much.
// What has said so since it was made.
const saidSo = new Set();

// Hooks hear of the end of a resource when it is gone.
function watch(resource) {
  if (hearsEnds()) binding.watchEnd(resource, resource[kId]);
}

// This is before all immediates, when ends are told.
function tellGoneSoon() {
  silent = true;
  binding.setImmediateFirst(tellGone);
  silent = false;
}

function tellGone() {
  const gone = binding.takeGone();
  for (let at = 0; at < gone.length; at++) {
    if (saidSo.size === 0 || !saidSo.delete(gone[at])) emitDestroy(gone[at]);
  }
}

// A tail that goes on for long must not fill the memory: of whatever there is much, all is told. Nobody hears of this
// microtask.
function tellInTail() {
  silent = true;
  binding.queueMicrotask(() => {
    tellEnded();
    tellGone();
  });
  silent = false;
}

function tellEnded() {
  const those = ended;
  ended = new Map();
  for (const [resource, isCertain] of those) {
    if (isCertain || resource._destroyed) emitDestroy(resource[kId]);
  }
}

// Tells hooks of the end of a resource that the program ends itself, as often as it says so.
function destroy(resource) {
  if (resource[kEnding] !== undefined) saidSo.add(resource[kId]);
  if (hearsEnds()) later({ [kId]: resource[kId] }, true);
}

// Calls a function as if the resource's callback were running.
function runIn(resource, callback, self, args) {
  const outer = getResource();
  swapResource(resource);
  try {
    if (hooks.length > 0 && resource !== nothing) emit('before', resource[kId]);
    return Reflect.apply(callback, self, args);
  } finally {
    if (hooks.length > 0 && resource !== nothing) emit('after', resource[kId]);
    swapResource(outer);
  }
}

function enable(hook) {
  if (nextHooks.includes(hook)) return;
  track();
  if (isJob()) join();
  else running();
  setHooks([...nextHooks, hook]);
}

function disable(hook) {
  if (nextHooks.includes(hook)) setHooks(nextHooks.filter((other) => other !== hook));
}

module.exports = {
  kId, kTrigger, currentId, executionAsyncId, triggerAsyncId, executionAsyncResource, follow, init, watch, destroy, runIn, enable, disable,
  hearPromises,
  hasHooks: () => hooks.length > 0,
};
