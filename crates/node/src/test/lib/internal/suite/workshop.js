// The objects `jest` and `vi`: mocks of functions, modules and time.
'use strict';

const { caller } = require('internal/suite/failures');
const mocks = require('internal/suite/mocks');
const project = require('internal/suite/project');

const fileNow = () => caller()?.file ?? project.settings.file;
const timers = () => require('internal/suite/timers');

function modules() {
  require('internal/suite/resolve').startMocking();
  return require('internal/suite/module_mocks');
}

// What both have; `isVitest` for what differs.
function common(isVitest) {
  const name = isVitest ? 'vi.fn()' : 'jest.fn()';
  const chained = (api, fn) => (...args) => { fn(...args); return api; };
  const api = {};
  const mock = (path, factory, options) => {
    const made = typeof factory === 'function' || factory === undefined ? [factory, options] : [undefined, factory];
    modules().mock(`${path}`, fileNow(), made[0], { ...made[1], isVitest });
  };
  const unmock = (path) => modules().unmock(`${path}`, fileNow());
  Object.assign(api, {
    clearAllMocks: chained(api, () => mocks.clearAll()),
    doMock: chained(api, mock),
    doUnmock: chained(api, unmock),
    fn: (implementation) => mocks.createMock({ implementation, isVitest, name }),
    isMockFunction: mocks.isMock,
    mock: chained(api, mock),
    mocked: (value) => value,
    resetAllMocks: chained(api, () => mocks.resetAll()),
    resetModules: chained(api, () => modules().resetModules()),
    restoreAllMocks: chained(api, () => mocks.restoreAll()),
    spyOn: (object, key, accessor) => mocks.spyOn(object, key, accessor, { isVitest }),
    unmock: chained(api, unmock),
    useFakeTimers: chained(api, (options) => timers().useFakeTimers(options === 'modern' ? {} : { ...project.settings.fakeTimers, ...options }, isVitest)),
    useRealTimers: chained(api, () => timers().useRealTimers()),
  });
  for (const [key, method] of Object.entries(timers().methods(isVitest))) {
    api[key] = isVitest ? (...args) => {
      const given = method(...args);
      return typeof given?.then === 'function' ? given.then(() => api) : given === undefined ? api : given;
    } : method;
  }
  return api;
}

function makeJest() {
  const jest = common(false);
  return Object.assign(jest, {
    autoMockOff: () => jest,
    autoMockOn: () => jest,
    createMockFromModule: (path) => mocks.automock(modules().requireActual(path, fileNow())),
    deepUnmock: jest.unmock,
    disableAutomock: () => jest,
    dontMock: jest.unmock,
    enableAutomock: () => jest,
    genMockFromModule: (path) => mocks.automock(modules().requireActual(path, fileNow())),
    getSeed: () => 0,
    isEnvironmentTornDown: () => false,
    isolateModules: (fn) => { modules().isolate(fn); return jest; },
    isolateModulesAsync: (fn) => modules().isolate(fn),
    onGenerateMock: () => jest,
    replaceProperty: mocks.replaceProperty,
    requireActual: (path) => modules().requireActual(path, fileNow()),
    requireMock: (path) => modules().requireMock(path, fileNow()),
    retryTimes(count) {
      require('internal/suite/tree').root.retries = count;
      return jest;
    },
    setMock: (path, value) => { modules().mock(path, fileNow(), () => value); return jest; },
    setTimeout(ms) {
      require('internal/suite/tree').root.timeout = ms;
      return jest;
    },
    unstable_mockModule: jest.mock,
    unstable_unmockModule: jest.unmock,
  });
}

// What vi.stubGlobal and vi.stubEnv have replaced: what was there.
const globals = new Map();
const variables = new Map();

function makeVi() {
  const vi = common(true);
  const process = require('internal/process');
  return Object.assign(vi, {
    dynamicImportSettled: async () => {},
    getMockedSystemTime: () => (timers().isDateFake() ? new Date(vi.now()) : null),
    hoisted: (make) => make(),
    importActual: (path) => modules().importActual(path, fileNow()),
    importMock: (path) => modules().importMock(path, fileNow()),
    isFakeTimers: () => timers().isFake(),
    mockObject: (object) => mocks.automock(object, { isVitest: true }),
    resetConfig() {},
    setConfig({ testTimeout } = {}) {
      if (testTimeout !== undefined) require('internal/suite/tree').root.timeout = testTimeout;
    },
    stubEnv(name, value) {
      if (!variables.has(name)) variables.set(name, process.env[name]);
      if (value === undefined) delete process.env[name];
      else process.env[name] = project.asVariable(name, value);
      return vi;
    },
    stubGlobal(name, value) {
      if (!globals.has(name)) globals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
      Object.defineProperty(globalThis, name, { configurable: true, enumerable: true, writable: true, value });
      return vi;
    },
    unstubAllEnvs() {
      for (const [name, value] of variables) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      variables.clear();
      return vi;
    },
    unstubAllGlobals() {
      for (const [name, descriptor] of globals) {
        if (descriptor === undefined) delete globalThis[name];
        else Object.defineProperty(globalThis, name, descriptor);
      }
      globals.clear();
      return vi;
    },
    waitFor: (fn, options) => waitFor(fn, options, false),
    waitUntil: (fn, options) => waitFor(fn, options, true),
  });
}

// Tries a function until it throws nothing, or gives something true.
async function waitFor(fn, options, needsTruth) {
  const { interval = 50, timeout = 1000 } = typeof options === 'number' ? { timeout: options } : options ?? {};
  const { setTimeout } = require('internal/timers');
  const end = binding.now() + timeout;
  for (;;) {
    let failure;
    try {
      const value = await fn();
      if (!needsTruth || value) return value;
      failure = new Error(`waitUntil: nothing true within ${timeout} ms`);
    } catch (error) {
      if (needsTruth) throw error;
      failure = error;
    }
    if (binding.now() >= end) throw failure;
    if (timers().isFake()) vi.advanceTimersByTime(interval);
    await new Promise((resolve) => { setTimeout(resolve, interval); });
  }
}

let jest;
let vi;
module.exports = {
  get jest() { return jest ??= makeJest(); },
  get vi() { return vi ??= makeVi(); },
};
