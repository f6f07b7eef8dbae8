// Functions that remember their calls, in place of others or on their own: jest.fn, vi.fn, spyOn.
'use strict';

let order = 0;
// What undoes a replacement, by the mock that replaced.
const replaced = new Map();
// All mocks that there are, while somebody has them.
const all = new Set();

function fresh() {
  return { calls: [], contexts: [], instances: [], invocationCallOrder: [], results: [], settledResults: [] };
}

/// A mock function. `original` is what it replaces, if anything; `isVitest` where resetting brings that back.
function createMock({ implementation, original, name = 'jest.fn()', isVitest = false } = {}) {
  let state = fresh();
  let always = implementation;
  let once = [];
  let label = name;
  const initial = implementation;

  function run(self, args, isNew) {
    state.calls.push(args);
    state.contexts.push(self);
    state.instances.push(self);
    state.invocationCallOrder.push(++order);
    const result = { type: 'incomplete', value: undefined };
    const settled = { type: 'incomplete', value: undefined };
    state.results.push(result);
    state.settledResults.push(settled);
    try {
      const chosen = once.length > 0 ? once.shift() : always;
      const given = chosen === undefined
        ? (original === undefined || always === undefined && wasReset ? undefined : call(original, self, args, isNew))
        : call(chosen, self, args, isNew);
      result.type = 'return';
      result.value = given;
      follow(given, settled);
      return given;
    } catch (error) {
      result.type = 'throw';
      result.value = error;
      throw error;
    }
  }
  let wasReset = false;

  const mock = function mockConstructor(...args) {
    const isNew = new.target !== undefined;
    const given = run(this, args, isNew ? new.target : undefined);
    if (!isNew) return given;
    return given !== null && (typeof given === 'object' || typeof given === 'function') ? given : this;
  };
  if (isVitest) Object.defineProperty(mock, 'name', { configurable: true, value: 'spy' });
  Object.defineProperty(mock, 'length', { configurable: true, value: (implementation ?? original)?.length ?? 0 });

  const method = (key, value) => Object.defineProperty(mock, key, { configurable: true, enumerable: false, writable: true, value });
  Object.defineProperty(mock, 'mock', {
    configurable: false,
    enumerable: true,
    get: () => Object.defineProperty(state, 'lastCall', { configurable: true, enumerable: true, get() { return this.calls.at(-1); } }),
    set(value) { state = value; },
  });
  method('_isMockFunction', true);
  method('getMockName', () => label);
  method('mockName', (value) => { label = value || name; return mock; });
  method('getMockImplementation', () => always ?? (wasReset ? undefined : original));
  method('mockClear', () => { state = fresh(); return mock; });
  method('mockReset', () => {
    mock.mockClear();
    once = [];
    always = isVitest ? initial : undefined;
    wasReset = !isVitest;
    return mock;
  });
  method('mockRestore', () => {
    mock.mockReset();
    always = isVitest ? initial : undefined;
    replaced.get(mock)?.();
    replaced.delete(mock);
  });
  method('mockImplementation', (fn) => { always = fn; wasReset = false; return mock; });
  method('mockImplementationOnce', (fn) => { once.push(fn); return mock; });
  method('withImplementation', (fn, action) => {
    const before = [always, once, wasReset];
    [always, once, wasReset] = [fn, [], false];
    const back = () => { [always, once, wasReset] = before; };
    const given = action();
    if (typeof given?.then === 'function') return given.then((value) => { back(); return isVitest ? mock : value; });
    back();
    return isVitest ? mock : undefined;
  });
  const returning = (suffix, make) => {
    method(`mock${suffix}`, (value) => mock.mockImplementation(make(value)));
    method(`mock${suffix}Once`, (value) => mock.mockImplementationOnce(make(value)));
  };
  returning('ReturnValue', (value) => () => value);
  returning('ResolvedValue', (value) => async () => value);
  returning('RejectedValue', (value) => async () => { throw value; });
  method('mockReturnThis', () => mock.mockImplementation(function () { return this; }));
  method('mockThrow', (error) => mock.mockImplementation(() => { throw error; }));
  if (typeof Symbol.dispose === 'symbol') method(Symbol.dispose, () => mock.mockRestore());
  all.add(mock);
  return mock;
}

function call(fn, self, args, newTarget) {
  // An arrow function cannot construct; what a test says that it gives is taken all the same.
  if (newTarget !== undefined && /^class\b/.test(Function.prototype.toString.call(fn))) return Reflect.construct(fn, args, fn);
  return Reflect.apply(fn, self, args);
}

function follow(value, settled) {
  if (typeof value?.then !== 'function' || !(value instanceof Promise)) {
    settled.type = 'fulfilled';
    settled.value = value;
    return;
  }
  value.then(
    (result) => { settled.type = 'fulfilled'; settled.value = result; },
    (error) => { settled.type = 'rejected'; settled.value = error; });
}

function descriptorOf(object, key) {
  for (let at = object; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return { descriptor, isOwn: at === object };
  }
  return { descriptor: undefined, isOwn: false };
}

// Puts a property in place of one, and says how to take that back.
function replace(object, key, change) {
  const { descriptor, isOwn } = descriptorOf(object, key);
  const base = descriptor ?? { configurable: true, enumerable: true };
  if (isOwn && descriptor.configurable === false && !descriptor.writable) {
    throw new TypeError(
      `Cannot spy on ${String(key)}: the property cannot be changed. ` +
      'Exports of an ES module cannot be replaced from outside; use jest.mock or vi.mock with a factory instead');
  }
  if (isOwn && descriptor.configurable === false) object[key] = change.value;
  else Object.defineProperty(object, key, { configurable: true, enumerable: base.enumerable, ...change });
  return () => {
    if (isOwn && descriptor.configurable === false) object[key] = descriptor.value;
    else if (isOwn) Object.defineProperty(object, key, descriptor);
    else delete object[key];
  };
}

function spyOn(object, key, accessor, { isVitest = false } = {}) {
  if (object === null || object === undefined || (typeof object !== 'object' && typeof object !== 'function')) {
    throw new Error(`Cannot use spyOn on a primitive value; ${object === null ? 'null' : typeof object} given`);
  }
  if (key === undefined || key === null) throw new Error('No property name supplied');
  if (typeof object.then === 'function' && object[Symbol.toStringTag] === 'Module') throw new Error('Cannot spy on a promise');
  const { descriptor } = descriptorOf(object, key);
  if (descriptor !== undefined && require('util').types.isModuleNamespaceObject(object)) {
    throw new TypeError(`Cannot spy on the export \`${String(key)}\`: what a module exports cannot be replaced from outside. Mock the module with ${isVitest ? 'vi' : 'jest'}.mock(), or export an object and spy on that`);
  }
  const name = isVitest ? String(key) : 'jest.fn()';
  if (accessor !== undefined) {
    if (!['get', 'set'].includes(accessor)) throw new Error(`Property \`${String(key)}\` has no access type ${accessor}`);
    const original = descriptor?.[accessor];
    if (typeof original !== 'function' && !isVitest) {
      throw new Error(descriptor === undefined ? `Property \`${String(key)}\` does not exist in the provided object` : `Property \`${String(key)}\` does not have access type ${accessor}`);
    }
    if (original?._isMockFunction) return original;
    const given = accessor === 'get' && original === undefined ? () => descriptor?.value : original;
    const mock = createMock({ isVitest, name, original: given });
    const { get, set } = descriptor ?? {};
    const undo = replace(object, key, accessor === 'get' ? { get: mock, set } : { get, set: mock });
    replaced.set(mock, undo);
    return mock;
  }
  const original = descriptor !== undefined && 'value' in descriptor ? descriptor.value : object[key];
  if (original === undefined && descriptor === undefined) {
    throw new Error(`Property \`${String(key)}\` does not exist in the provided object`);
  }
  if (original?._isMockFunction) return original;
  if (typeof original !== 'function') {
    throw new Error(
      `Cannot spy on the \`${String(key)}\` property because it is not a function; ${original === null ? 'null' : typeof original} given instead.` +
      (original === undefined ? '' : ` If you are trying to mock a property, use \`jest.replaceProperty(object, '${String(key)}', value)\` instead.`));
  }
  const mock = createMock({ isVitest, name, original });
  for (const own of Reflect.ownKeys(original)) {
    if (own in mock) continue;
    Object.defineProperty(mock, own, Object.getOwnPropertyDescriptor(original, own));
  }
  if (original.prototype !== undefined) mock.prototype = original.prototype;
  const isGetter = descriptor !== undefined && descriptor.get !== undefined;
  replaced.set(mock, replace(object, key, isGetter ? { get: () => mock } : { value: mock, writable: true }));
  return mock;
}

// Properties that were given another value.
const properties = new Set();

function replaceProperty(object, key, value) {
  const { descriptor } = descriptorOf(object, key);
  if (descriptor === undefined) throw new Error(`Property \`${String(key)}\` does not exist in the provided object`);
  if (typeof descriptor.value === 'function') {
    throw new TypeError(`Cannot replace the \`${String(key)}\` property because it is a function. Use \`jest.spyOn(object, '${String(key)}')\` instead.`);
  }
  const undo = replace(object, key, { value, writable: true });
  const handle = {
    replaceValue(next) { object[key] = next; return handle; },
    restore() { undo(); properties.delete(handle); },
  };
  properties.add(handle);
  return handle;
}

function restoreAll() {
  for (const [mock, undo] of [...replaced].reverse()) {
    undo();
    mock.mockReset();
  }
  replaced.clear();
  for (const handle of [...properties]) handle.restore();
}

// What stands for a module of which nothing is to happen: its functions do nothing, its values stay.
function automock(value, options = {}, seen = new Map()) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value;
  if (seen.has(value)) return seen.get(value);
  if (Array.isArray(value)) return [];
  if (value instanceof RegExp || value instanceof Date || value instanceof Map || value instanceof Set || value instanceof Promise) return value;
  const made = typeof value === 'function' ? createMock({ name: options.isVitest ? value.name || 'vi.fn()' : 'jest.fn()', isVitest: options.isVitest }) : {};
  seen.set(value, made);
  if (typeof value === 'function') Object.defineProperty(made, 'name', { configurable: true, value: value.name });
  const skipped = typeof value === 'function' ? ['length', 'name', 'arguments', 'caller', 'prototype'] : [];
  copyParts(value, made, skipped, options, seen);
  if (typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null) {
    copyParts(value.prototype, made.prototype, ['constructor'], options, seen);
  }
  return made;
}

function copyParts(from, to, skipped, options, seen) {
  for (let at = from; at !== null && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) {
      if (skipped.includes(key) || Object.hasOwn(to, key)) continue;
      const descriptor = Object.getOwnPropertyDescriptor(at, key);
      const isModule = at[Symbol.toStringTag] === 'Module';
      if (descriptor.get !== undefined && !isModule && !at.__esModule) continue;
      Object.defineProperty(to, key, {
        configurable: true, enumerable: descriptor.enumerable, writable: true, value: automock(at[key], options, seen),
      });
    }
  }
}

module.exports = {
  automock,
  clearAll() { for (const mock of all) mock.mockClear(); },
  createMock,
  isMock: (value) => typeof value === 'function' && value._isMockFunction === true,
  replaceProperty,
  resetAll() { for (const mock of all) mock.mockReset(); },
  restoreAll,
  spyOn,
};
