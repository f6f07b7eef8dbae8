// v8: values as V8 writes them, and figures about memory. The engine is another one: its flags, snapshots and
// profiles are not there.
// Uses binding.heapSizes, heapLimit, takeCoverage, stopCoverage.
'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');
const { Serializer, Deserializer, DefaultSerializer, DefaultDeserializer, write, read } = require('internal/serializer');
const { validateString } = require('internal/validators');

Object.assign(exports, { Serializer, Deserializer, DefaultSerializer, DefaultDeserializer });
exports.serialize = function serialize(value) {
  return write(new DefaultSerializer(), value);
};
exports.deserialize = function deserialize(buffer) {
  return read(new DefaultDeserializer(buffer));
};

exports.setFlagsFromString = function setFlagsFromString(flags) {
  validateString(flags, 'flags');
  // Programs ask for `gc` this way, and look for it in another context or here.
  if (/^--expose[-_]gc$/.test(flags)) globalThis.gc ??= require('internal/flags/apply').gc;
  const [, limit] = /^--stack[-_]trace[-_]limit=(\d+)$/.exec(flags) ?? [];
  if (limit !== undefined) Error.stackTraceLimit = Number(limit);
};

exports.getHeapStatistics = function getHeapStatistics() {
  const [taken, used] = binding.heapSizes();
  const limit = binding.heapLimit();
  return {
    total_heap_size: taken,
    total_heap_size_executable: 0,
    total_physical_size: taken,
    total_available_size: Math.max(limit - used, 0),
    used_heap_size: used,
    heap_size_limit: limit,
    malloced_memory: taken,
    peak_malloced_memory: taken,
    does_zap_garbage: 0,
    number_of_native_contexts: 1,
    number_of_detached_contexts: 0,
    total_global_handles_size: 0,
    used_global_handles_size: 0,
    external_memory: 0,
  };
};

exports.startupSnapshot = {
  isBuildingSnapshot: () => false,
  addSerializeCallback() {},
  addDeserializeCallback() {},
  setDeserializeMainFunction() {},
};

// All of the heap is one space here, and code is no part of it that could be told apart.
const spaces = [
  'read_only_space', 'new_space', 'old_space', 'code_space', 'shared_space', 'new_large_object_space', 'large_object_space',
  'code_large_object_space', 'shared_large_object_space',
];
exports.getHeapSpaceStatistics = function getHeapSpaceStatistics() {
  const [taken, used] = binding.heapSizes();
  // There are no spaces here; programs that add up those of V8 get the right sums.
  return spaces.map((name) => {
    const [size, inUse] = name === 'old_space' ? [taken, used] : [0, 0];
    return { space_name: name, space_size: size, space_used_size: inUse, space_available_size: size - inUse, physical_space_size: size };
  });
};
exports.getHeapCodeStatistics = function getHeapCodeStatistics() {
  return { code_and_metadata_size: 0, bytecode_and_metadata_size: 0, external_script_source_size: 0, cpu_profiler_metadata_size: 0 };
};

for (const name of ['getHeapSnapshot', 'writeHeapSnapshot', 'queryObjects']) {
  exports[name] = ({
    [name]() {
      throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`v8.${name}`);
    },
  })[name];
}
exports.takeCoverage = function takeCoverage() {
  binding.takeCoverage();
};
exports.stopCoverage = function stopCoverage() {
  binding.stopCoverage();
};
exports.setHeapSnapshotNearHeapLimit = function setHeapSnapshotNearHeapLimit() {};

// Hooks that hear of promises only, with the promises themselves.
function hear(name, event, callback) {
  const { isAsyncFunction } = require('internal/util/types');
  if (typeof callback !== 'function' || isAsyncFunction(callback)) {
    const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_TYPE(`${name}Hook`, 'function', callback);
  }
  return require('internal/async_resources').hearPromises(event, callback);
}
const PROMISE_EVENTS = [['init', 'init'], ['before', 'before'], ['after', 'after'], ['settled', 'promiseResolve']];
exports.promiseHooks = {
  createHook(hooks = {}) {
    const stops = [];
    for (const [name, event] of PROMISE_EVENTS) if (hooks[name] !== undefined) stops.push(hear(name, event, hooks[name]));
    return function stop() {
      for (const one of stops) one();
    };
  },
  onInit(init) { return hear('init', 'init', init); },
  onBefore(before) { return hear('before', 'before', before); },
  onAfter(after) { return hear('after', 'after', after); },
  onSettled(settled) { return hear('settled', 'promiseResolve', settled); },
};
