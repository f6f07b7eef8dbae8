// What callbacks belong to, for node:async_hooks: every resource has a number and the number of the one
// that made it. The host tells of them while somebody wants to know.
// Uses binding.getResource, swapResource, adoptResource, isJob, currentInvocation, setHooks, useContexts,
// getPromiseDetails, writeStderr, setImmediate.
'use strict';

const context = require('internal/context');

const { getResource, swapResource, adoptResource, isJob, currentInvocation, useContexts } = binding;

const REJECTED = 2;
const engineResolve = Promise.resolve;
const topLevel = {};
// By resource: its number, the number of who made it, its type.
const known = new WeakMap([[topLevel, { id: 1, trigger: 0, type: 'Bootstrap' }]]);
let lastId = 1;
let tracked = false;
// The hooks that are on, in the order in which they were turned on. The list is never changed, only
// replaced: hooks may turn hooks on and off.
let hooks = [];
// Resources whose end has not been told yet.
let ended = [];

const ENDS_WITH_CALLBACK = new Set(['Immediate', 'TickObject', 'Microtask', 'FSREQCALLBACK', 'GETADDRINFOREQWRAP']);

// From now on callbacks know what they belong to.
function track() {
  if (tracked) return;
  tracked = true;
  binding.setHooks({ __proto__: null, init: created, before, after, promiseInit, promiseResolve, awaitInit });
  useContexts('resources', true);
}

function infoOf(resource) {
  return known.get(resource);
}

// The resource of the running callback, which gets one if it began before anybody asked.
function running() {
  track();
  const resource = getResource();
  if (resource !== undefined) return resource;
  if (currentInvocation() === 1) return topLevel;
  if (isJob()) return undefined;
  const made = {};
  known.set(made, { id: ++lastId, trigger: 1, type: 'Unknown' });
  adoptResource(made);
  return made;
}

function executionAsyncId() {
  const resource = running();
  return resource === undefined ? 0 : infoOf(resource)?.id ?? 0;
}

function triggerAsyncId() {
  const resource = running();
  return resource === undefined ? 0 : infoOf(resource)?.trigger ?? 0;
}

function executionAsyncResource() {
  return running() ?? topLevel;
}

// Calls a function of every hook. An error of theirs ends the program: nothing could be relied on.
function emit(name, ...args) {
  for (const hook of hooks) {
    const callback = hook[name];
    if (callback === undefined) continue;
    try {
      Reflect.apply(callback, hook, args);
    } catch (error) {
      fail(error);
    }
  }
}

function fail(error) {
  const { stack } = Object(error);
  binding.writeStderr(`${typeof stack === 'string' ? stack : String(error)}\n`);
  require('internal/process').exit(1);
}

// Gives a resource its number and tells hooks of it.
function init(resource, type, trigger) {
  const info = { id: ++lastId, trigger, type };
  known.set(resource, info);
  if (hooks.length > 0) emit('init', info.id, type, trigger, resource);
  return info;
}

// A callback is given to the host. A timer that begins anew is the one that it was.
function created(type, object) {
  const resource = object ?? {};
  if (!known.has(resource)) init(resource, type, executionAsyncId());
  return resource;
}

function promiseInit(promise, parent) {
  const trigger = parent === undefined ? undefined : infoOf(parent)?.id;
  init(promise, 'PROMISE', trigger ?? executionAsyncId());
}

function promiseResolve(promise) {
  const info = infoOf(promise);
  if (info === undefined || info.resolved) return;
  info.resolved = true;
  emit('promiseResolve', info.id);
}

// A function is about to wait. Hooks see two promises: that of the value, and that of going on.
function awaitInit(...awaited) {
  if (awaited.length === 0) {
    // The engine waits for something of its own.
    const resource = {};
    init(resource, 'PROMISE', executionAsyncId()).awaits = true;
    return resource;
  }
  const promise = Reflect.apply(engineResolve, Promise, awaited);
  context.v = () => {
    context.v = plain;
    return promise;
  };
  const resource = {};
  const info = init(resource, 'PROMISE', infoOf(promise)?.id ?? executionAsyncId());
  info.awaits = true;
  return resource;
}
const plain = context.v;

function before(resource) {
  const info = infoOf(resource);
  if (info === undefined) return;
  if (info.type !== 'PROMISE' && info.type !== 'TickObject' && info.type !== 'Microtask') tellEnded();
  if (hooks.length > 0) emit('before', info.id);
}

function after(resource) {
  const info = infoOf(resource);
  if (info === undefined) return;
  if (hooks.length > 0) {
    if (info.type === 'PROMISE' && (info.awaits || binding.getPromiseDetails(resource)[0] === REJECTED)) promiseResolve(resource);
    emit('after', info.id);
    if (ENDS_WITH_CALLBACK.has(info.type) || (info.type === 'Timeout' && resource._repeat === null)) ended.push(info.id);
  }
}

function tellEnded() {
  while (ended.length > 0) {
    const ids = ended;
    ended = [];
    for (const id of ids) emit('destroy', id);
  }
}

// Tells hooks of a resource's end, later.
function destroy(id) {
  if (hooks.length === 0) return;
  if (ended.length === 0) binding.setImmediate(tellEnded).unref();
  ended.push(id);
}

// Calls a function as if the resource's callback were running.
function runIn(resource, callback, self, args) {
  const info = infoOf(resource);
  const outer = getResource();
  swapResource(resource);
  try {
    if (hooks.length > 0) emit('before', info.id);
    return Reflect.apply(callback, self, args);
  } finally {
    if (hooks.length > 0) emit('after', info.id);
    swapResource(outer);
  }
}

function enable(hook) {
  if (hooks.includes(hook)) return;
  track();
  hooks = [...hooks, hook];
  useContexts('hooks', true);
}

function disable(hook) {
  if (!hooks.includes(hook)) return;
  hooks = hooks.filter((other) => other !== hook);
  if (hooks.length === 0) {
    useContexts('hooks', false);
    context.v = plain;
  }
}

module.exports = {
  executionAsyncId, triggerAsyncId, executionAsyncResource, init, infoOf, destroy, runIn, enable, disable, track,
  hasHooks: () => hooks.length > 0,
};
