// What of the process object a plain program does not use: properties that come late, its events, and the channel to
// whoever forked it.
// Uses binding.isRestricted, parentChannel, perform, workerState.
'use strict';

// Properties that are loaded when they are first asked for, by file.
const late = {
  'internal/process/facts': [
    'release', 'binding', 'config', 'features',
    'loadEnvFile', 'getBuiltinModule', 'cpuUsage', 'resourceUsage', 'memoryUsage', 'constrainedMemory', 'availableMemory',
    'kill', '_kill', 'hrtime', 'getuid', 'geteuid', 'getgid', 'getegid', 'getgroups', 'setuid', 'seteuid', 'setgid', 'setegid', 'setgroups',
    'initgroups', 'umask', 'chdir', 'assert', 'dlopen', '_rawDebug', 'pid', 'ppid',
  ],
  'internal/process/allowed_flags': ['allowedNodeEnvironmentFlags'],
  'internal/active': ['_getActiveRequests', '_getActiveHandles', 'getActiveResourcesInfo'],
  'internal/process/stdio': ['stdout', 'stderr'],
  'internal/process/stdin': ['stdin', 'openStdin'],
  'internal/process/env': ['env'],
  'internal/process/permission': ['permission'],
  'internal/process/report': ['report'],
  'internal/source_maps': ['setSourceMapsEnabled', 'sourceMapsEnabled'],
  'internal/uncaught': ['setUncaughtExceptionCaptureCallback', 'hasUncaughtExceptionCaptureCallback'],
};
const unchangeable = ['pid', 'ppid', 'report', 'stdout', 'stderr', 'stdin'];

// What only a program has that was forked.
const channelNames = ['send', 'disconnect', 'connected', 'channel', '_channel', '_send', '_disconnect'];

const methods = {
  __proto__: null,
  on: true, once: true, off: true, emit: true, addListener: true, removeListener: true, removeAllListeners: true,
  listeners: true, listenerCount: true, prependListener: true, prependOnceListener: true, eventNames: true,
  rawListeners: true, setMaxListeners: true, getMaxListeners: true,
};

/// The late parts of the process object; `last` is the end of its prototype chain, and `own` marks a getter as ours.
exports.make = function make(process, last, own) {
  let emitter = false;
  let isConnected = false;

  // Makes a late property an ordinary one.
  function settle(name) {
    for (const file of Object.keys(late)) {
      if (!late[file].includes(name)) continue;
      if (name === 'permission' && !binding.isRestricted()) return false;
      const isKnown = Object.hasOwn(process, name);
      const value = require(file)[name];
      // A file may define a property itself.
      if (!isKnown && Object.hasOwn(process, name)) return true;
      const descriptor = { __proto__: null, configurable: true, enumerable: true };
      if (unchangeable.includes(name)) Object.assign(descriptor, { get: own(() => value), set: name.endsWith('pid') ? () => {} : undefined });
      else Object.assign(descriptor, { writable: true, value });
      Object.defineProperty(process, name, descriptor);
      return true;
    }
    return false;
  }

  // Makes all of them ordinary: for those who import the module, and look at its keys.
  function settleAll() {
    for (const names of Object.values(late)) for (const name of names) if (!Object.hasOwn(process, name)) settle(name);
  }

  // Opens the channel to whoever has forked the program, when it is first needed.
  function connectParent() {
    // A worker is not the one that was forked.
    if (isConnected || binding.workerState !== undefined) return false;
    if (binding.parentChannel === undefined) return false;
    isConnected = true;
    let id;
    try {
      id = binding.perform('channel.open', []);
    } catch {
      return false; // There is no such descriptor, or no such world.
    }
    require('internal/child_process/channel').connectParent(process, id, binding.parentChannel);
    return true;
  }

  function becomeEmitter() {
    if (emitter) return;
    emitter = true;
    const EventEmitter = require('events');
    Object.setPrototypeOf(last, EventEmitter.prototype);
    EventEmitter.call(process);
    const { onWarning, isSilent } = require('internal/process/warnings');
    if (!isSilent()) process.on('warning', onWarning);
    process.on('newListener', (event) => {
      if (event === 'workerMessage') require('internal/worker/threads').listen();
      if (event === 'multipleResolves') require('internal/process/repeats').listen(process);
      if (typeof event === 'string' && event.startsWith('SIG')) require('internal/process/signals').listen(process, event);
    });
    process.on('removeListener', (event) => {
      if (event === 'multipleResolves') require('internal/process/repeats').unlisten(process);
      if (typeof event === 'string' && event.startsWith('SIG')) require('internal/process/signals').unlisten(process, event);
    });
    connectParent();
  }

  return {
    settle, settleAll, becomeEmitter,
    isEmitter: () => emitter,
    // A property that the process does not have itself.
    get(target, name, receiver) {
      if (typeof name === 'string') {
        // These are asked for all the time.
        if (methods[name]) becomeEmitter();
        else if (settle(name)) return process[name];
        else if (channelNames.includes(name) && connectParent()) return process[name];
      }
      return Reflect.get(target, name, receiver);
    },
    has(target, name) {
      if (typeof name === 'string' && settle(name)) return true;
      if (channelNames.includes(name) && connectParent()) return name in process;
      return name in target || methods[name] === true;
    },
  };
};
