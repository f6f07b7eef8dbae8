// process.allowedNodeEnvironmentFlags: which flags NODE_OPTIONS may have.
// Uses binding.allowedFlags.
'use strict';

/// A set that nobody can change, not even with the methods of other sets: what those put into it is not looked at.
class NodeEnvironmentFlagsSet extends Set {
  #flags;

  constructor(flags) {
    super();
    this.#flags = new Set(flags);
  }

  add() {
    return this;
  }

  delete() {
    return false;
  }

  clear() {}

  /// A flag may come without its dashes, with underscores in their place, and with a value.
  has(flag) {
    if (typeof flag !== 'string') return false;
    const name = flag.replace(/(?!^)_/g, '-');
    if (!name.startsWith('-')) return this.#flags.has(`--${name}`) || this.#flags.has(`-${name}`);
    return this.#flags.has(name.replace(/=.*$/s, ''));
  }

  entries() {
    return this.#flags.entries();
  }

  forEach(callback, thisArg = undefined) {
    for (const flag of this.#flags) Reflect.apply(callback, thisArg, [flag, flag, this]);
  }

  get size() {
    return this.#flags.size;
  }

  values() {
    return this.#flags.values();
  }
}

// The keys of a set are its values.
const { prototype } = NodeEnvironmentFlagsSet;
for (const name of ['keys', Symbol.iterator]) {
  Object.defineProperty(prototype, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value: prototype.values });
}
Object.freeze(NodeEnvironmentFlagsSet);
Object.freeze(prototype);

module.exports = { allowedNodeEnvironmentFlags: Object.freeze(new NodeEnvironmentFlagsSet(binding.allowedFlags())) };
