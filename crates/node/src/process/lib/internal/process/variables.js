// The variables of the environment. The outside is asked for one when somebody reads it: what nobody has read takes
// no room in the engine. A replay knows only what was read, and collects garbage at the same moments nevertheless.
// Uses binding.environment, variable, noteVariable.
'use strict';

// What was read or set.
const known = {};

// The names for which the outside is not asked again: they are known, or there is no such variable any more. How
// whoever started the program reaches it is no business of the program.
const settled = new Set(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']);

// Whether all of them are known.
let isWhole = false;

function read(name) {
  if (isWhole || typeof name !== 'string' || settled.has(name)) return;
  const value = binding.variable(name);
  if (value === undefined) return;
  binding.noteVariable(name);
  set(name, value);
}

function set(name, value) {
  settled.add(name);
  known[name] = value;
}

function remove(name) {
  settled.add(name);
  return Reflect.deleteProperty(known, name);
}

/// A copy, in the order of the environment: of what is only handed on to children and workers, nothing was read.
function all() {
  if (isWhole) return { ...known };
  const copy = binding.environment();
  for (const name of settled) if (!Object.hasOwn(known, name)) delete copy[name];
  return Object.assign(copy, known);
}

/// Reads all of them, and puts them in order.
function readAll() {
  if (isWhole) return;
  const entries = Object.entries(all());
  for (const [name] of entries) if (!settled.has(name)) binding.noteVariable(name);
  for (const name of Object.keys(known)) delete known[name];
  replace(entries);
}

/// From now on there are these, and no others outside. Those that were there before keep their places.
function replace(entries) {
  isWhole = true;
  const names = new Set(entries.map(([name]) => name));
  for (const name of Object.keys(known)) if (!names.has(name)) delete known[name];
  for (const [name, value] of entries) known[name] = value;
}

/// The variables as the library reads them, which needs no permission for that.
const env = new Proxy(known, {
  __proto__: null,
  get(target, name) {
    read(name);
    return target[name];
  },
  has(target, name) {
    read(name);
    return name in target;
  },
  deleteProperty: (target, name) => remove(name),
});

module.exports = { known, env, read, set, remove, all, readAll, replace };
