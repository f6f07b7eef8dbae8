// What instrumented programs call: `$a`. Each function tells of an access and gives an argument back.
// Uses binding.firstOf, numberScope, secondOf, startAccesses, tellCall, tellCalling, tellChanged, tellKey, tellLate,
// tellObject, tellProperty, tellVariable, tellWhole.
'use strict';

const { tellVariable, tellWhole, numberScope } = binding;
const { getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
const { isArray } = Array;
const { then } = Promise.prototype;
const { apply } = Reflect;
const { forEach: forEachEntry } = Map.prototype;
const { forEach: forEachMember } = Set.prototype;

binding.startAccesses(new WeakMap(), WeakMap.prototype.get, WeakMap.prototype.set, Map.prototype.has, Set.prototype.has);

exports.p = binding.tellProperty;
exports.q = binding.tellObject;
exports.k = binding.tellKey;
exports.v = tellVariable;
exports.i = tellWhole;
exports.w = binding.tellChanged;
exports.j = binding.tellLate;
exports.z = binding.tellCall;
exports.c = binding.tellCalling;
exports.n = numberScope;
exports.o = binding.firstOf;
exports.b = binding.secondOf;
// Where a cut chain keeps what it is about.
exports.T = undefined;

// How far a function that looks at everything is followed.
const DEPTH = 4;
const WIDTH = 500;

function isProxy(value) {
  return require('internal/util/types').isProxy(value);
}

function look(value, site, depth, seen) {
  if (typeof value !== 'object' || value === null || seen.has(value) || seen.size > WIDTH || isProxy(value)) return;
  seen.add(value);
  tellWhole(value, site);
  if (depth === 0 || ArrayBuffer.isView(value)) return;
  if (value instanceof Map) {
    apply(forEachEntry, value, [(entry, key) => { look(key, site, depth - 1, seen); look(entry, site, depth - 1, seen); }]);
  } else if (value instanceof Set) {
    apply(forEachMember, value, [(member) => look(member, site, depth - 1, seen)]);
  }
  const names = getOwnPropertyNames(value);
  for (let index = 0; index < names.length && index < WIDTH; index++) {
    // Getters are the program's to call.
    const property = getOwnPropertyDescriptor(value, names[index]);
    if (property !== undefined && typeof property.value === 'object') look(property.value, site, depth - 1, seen);
  }
}

// A value goes to a function that looks at everything.
exports.e = (value, site) => {
  if (typeof value === 'object' && value !== null) look(value, site, DEPTH, new Set());
  return value;
};

// What a loop goes through whose body is suspended: each round is a read.
exports.f = (iterable, site) => {
  tellWhole(iterable, site);
  if (!isArray(iterable) && !(iterable instanceof Map) && !(iterable instanceof Set)) return iterable;
  return {
    [Symbol.iterator]() {
      const iterator = iterable[Symbol.iterator]();
      return {
        next() {
          tellWhole(iterable, site);
          return iterator.next();
        },
      };
    },
  };
};

// The function that a promise is made with: who settles it first decides.
exports.x = (executor, site) => {
  if (typeof executor !== 'function') return executor;
  return (resolve, reject) => {
    const outcome = numberScope(1);
    executor(
      (value) => { tellVariable(0, site, outcome); resolve(value); },
      (reason) => { tellVariable(0, site, outcome); reject(reason); },
    );
  };
};

// Promises of which the first to be settled decides.
exports.y = (promises, site) => {
  tellWhole(promises, site);
  if (!isArray(promises)) return promises;
  const outcome = numberScope(1);
  const tell = () => { tellVariable(0, site, outcome); };
  for (let index = 0; index < promises.length; index++) {
    const one = promises[index];
    if (one instanceof Promise && one.then === then) apply(then, one, [tell, tell]);
  }
  return promises;
};
