// v8: values as V8 writes them, and figures about memory. The engine is another one: its flags, snapshots and
// profiles are not there.
// Uses binding.heapSizes.
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
};

exports.getHeapStatistics = function getHeapStatistics() {
  binding.install('process', binding);
  const [taken, used] = binding.heapSizes();
  return {
    total_heap_size: taken,
    total_heap_size_executable: 0,
    total_physical_size: taken,
    total_available_size: 0,
    used_heap_size: used,
    heap_size_limit: 0,
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

for (const name of ['getHeapSnapshot', 'writeHeapSnapshot', 'getHeapSpaceStatistics', 'getHeapCodeStatistics', 'queryObjects']) {
  exports[name] = ({
    [name]() {
      throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`v8.${name}`);
    },
  })[name];
}
for (const name of ['takeCoverage', 'stopCoverage', 'setHeapSnapshotNearHeapLimit']) exports[name] = ({ [name]() {} })[name];
