// Values that follow the links between callbacks: what AsyncLocalStorage and AsyncContext are made of.
// A frame is an entry: an array of a variable, its value and the next entry. Each variable is there once, and a frame
// is never changed. Programs have few variables and make many frames: an array is made in a third of the time that
// an object takes, a map in a multiple.
// Uses binding.getFrame, swapFrame, runWith, useContexts, captureScope, runWithin.
'use strict';

const { apply } = require('internal/kept');
const { validateFunction } = require('internal/validators');

// `runWith(variable, value, callback, args, isSet, extend, keep)` calls a function while a variable has a value. Where it has
// that value and `isSet` says so, nothing changes, and nothing is undone.
const { getFrame, swapFrame, captureScope, runWith, runWithin } = binding;

let inUse = false;

function use() {
  inUse = true;
  binding.useContexts('frames', true);
  require('internal/async_resources').follow();
}

// As many entries are looked through one by one; the native `runWith` counts them too.
const LONG = 16;

// The entry of a variable.
function find(frame, variable) {
  if (isTree(frame)) return inTree(frame, variable);
  let entry = frame;
  while (entry !== undefined && entry[0] !== variable) entry = entry[2];
  return entry;
}

// The frame with another value for a variable.
function extend(frame, variable, value) {
  if (isTree(frame)) {
    const known = inTree(frame, variable);
    return known !== undefined && Object.is(known[1], value) ? frame : planted(frame, variable, [variable, value]);
  }
  const rest = without(frame, variable);
  return isLong(rest) ? planted(treeOf(rest), variable, [variable, value]) : [variable, value, rest];
}

// The frame without a variable.
function without(frame, variable) {
  if (isTree(frame)) return planted(frame, variable, undefined);
  const found = find(frame, variable);
  if (found === undefined) return frame;
  let rest = found[2];
  for (let entry = frame; entry !== found; entry = entry[2]) rest = [entry[0], entry[1], rest];
  return rest;
}

function isLong(frame) {
  let count = 0;
  for (let entry = frame; entry !== undefined; entry = entry[2]) count++;
  return count >= LONG;
}

// Trees: a variable has a number, of which each digit says where to go on, from the highest to the lowest.

const DIGIT = 4;
const HIGHEST = 24;
const BARE = [undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined,
  undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined];

class Given {
  constructor(variable) {
    return variable;
  }
}

// Gives objects of programs a number that only we see.
class Numbered extends Given {
  static #last = 0;
  #number = ++Numbered.#last;

  static of(variable) {
    if (!(#number in variable)) new Numbered(variable);
    return variable.#number;
  }
}

let hearOfTrees = () => {};
let hasTrees = false;

// Calls a function as soon as a frame is a tree.
function whenTrees(act) {
  if (hasTrees) act();
  else hearOfTrees = act;
}

const isTree = (frame) => frame !== undefined && !Array.isArray(frame);

function treeOf(frame) {
  if (!hasTrees) {
    hasTrees = true;
    hearOfTrees();
  }
  let tree = { __proto__: null, root: BARE };
  for (let entry = frame; entry !== undefined; entry = entry[2]) tree = planted(tree, entry[0], [entry[0], entry[1]]);
  return tree;
}

function inTree({ root }, variable) {
  const number = Numbered.of(variable);
  let node = root;
  for (let shift = HIGHEST; shift >= 0 && node !== undefined; shift -= DIGIT) node = node[(number >> shift) & 15];
  return node;
}

const planted = ({ root }, variable, entry) => ({ __proto__: null, root: grown(root, Numbered.of(variable), HIGHEST, entry) });

function grown(node, number, shift, entry) {
  const copy = [...node ?? BARE];
  const digit = (number >> shift) & 15;
  copy[digit] = shift === 0 ? entry : grown(copy[digit], number, shift - DIGIT, entry);
  return copy;
}

// The value of a variable in the running context; `missing` if it has none.
function read(variable, missing) {
  const found = find(getFrame(), variable);
  return found === undefined ? missing : found[1];
}

// Gives a variable a value until the running callback ends.
function write(variable, value) {
  begin();
  swapFrame(extend(getFrame(), variable, value));
}

// What must have been called before `runWith` or `runWithout` are.
function begin() {
  if (!inUse) use();
}

// Calls a function while a variable has no value.
function runWithout(variable, callback, args) {
  const before = getFrame();
  const frame = without(before, variable);
  swapFrame(frame);
  try {
    return apply(callback, null, args);
  } finally {
    const left = swapFrame(before);
    if (left !== frame) keep(left, variable, before);
  }
}

// What was set within a call stays, but for the variable that the call was about.
function keep(left, variable, before) {
  const was = find(before, variable);
  swapFrame(was === undefined ? without(left, variable) : extend(left, variable, was[1]));
}

class Variable {
  #name = '';
  #default;

  constructor(options = undefined) {
    if (options === undefined) return;
    if (options === null || (typeof options !== 'object' && typeof options !== 'function')) throw new TypeError('options is not an object');
    const { name, defaultValue } = options;
    if (name !== undefined) this.#name = String(name);
    this.#default = defaultValue;
  }

  get name() {
    return this.#name;
  }

  get() {
    return read(this, this.#default);
  }

  run(value, callback, ...args) {
    // Whatever the prototype of the receiver is.
    void this.#name;
    validateFunction(callback, 'callback');
    begin();
    return runWith(this, value, callback, args, false, extend, keep);
  }
}

class Snapshot {
  #scope = captureScope();

  run(callback, ...args) {
    validateFunction(callback, 'callback');
    return runWithin(this.#scope, this.#scope, () => apply(callback, null, args));
  }

  static wrap(callback) {
    validateFunction(callback, 'callback');
    const scope = captureScope();
    const wrapped = function (...args) {
      return runWithin(scope, scope, () => apply(callback, this, args));
    };
    Object.defineProperty(wrapped, 'name', { __proto__: null, value: `wrapped ${callback.name}`, configurable: true });
    Object.defineProperty(wrapped, 'length', { __proto__: null, value: callback.length, configurable: true });
    return wrapped;
  }
}

for (const constructor of [Variable, Snapshot]) {
  Object.defineProperty(constructor.prototype, Symbol.toStringTag, {
    __proto__: null, value: `AsyncContext.${constructor.name}`, configurable: true, enumerable: false, writable: false,
  });
}

const AsyncContext = {};
Object.defineProperties(AsyncContext, {
  Variable: { __proto__: null, value: Variable, configurable: true, enumerable: false, writable: true },
  Snapshot: { __proto__: null, value: Snapshot, configurable: true, enumerable: false, writable: true },
  [Symbol.toStringTag]: { __proto__: null, value: 'AsyncContext', configurable: true, enumerable: false, writable: false },
});

module.exports = { AsyncContext, begin, extend, keep, read, write, runWith, runWithout, whenTrees };
