// Where names of modules lead while tests run: runners to what stands for them here, mapped names to what the
// project's configuration says, and mocked modules to their mocks. Uses binding.fileUrl, resolveImport.
'use strict';

const { Module } = require('internal/modules');

const RUNNERS = {
  __proto__: null,
  '@jest/globals': () => require('internal/suite/jest_globals'),
  'bun:test': () => require('internal/suite/bun'),
  'mocha': () => require('internal/suite/mocha'),
  'vitest'() {
    // A file that imports it is written for vitest, whatever its project says. Not said by the module itself: where a
    // file is run many times, that is there before.
    isForVitest = true;
    require('internal/suite/api').state.isVitest = true;
    project().settings.flavour = 'vitest';
    project().nameVariables();
    return require('internal/suite/vitest');
  },
  'vitest/config': () => require('internal/suite/config'),
};

const ENDS = ['.ts', '.tsx', '.js', '.mjs', '.jsx', '.mts', '.cts', '.cjs', '.json'];

let isForVitest = false;
let mapper = [];
let root;
let mocks;
const isMocking = () => {
  mocks ??= require('internal/suite/module_mocks');
  return !mocks.isEmpty || mocks.generation > 0;
};
let hasMocks = false;

// The names that the configuration maps, and what each leads to.
function mapped(specifier) {
  for (const { pattern, targets } of mapper) {
    const found = pattern.exec(specifier);
    if (found !== null) return targets.map((target) => target.replace(/\$(\d)/g, (_, digit) => found[Number(digit)] ?? ''));
  }
  return undefined;
}

function tried(specifier, base) {
  try {
    return binding.resolveImport(specifier, base);
  } catch {
    return undefined;
  }
}

// The file that a path without an extension means, as bundlers find it.
function extended(specifier, base) {
  const found = tried(specifier, base);
  if (found !== undefined) return found;
  const candidates = [...ENDS.map((end) => specifier + end), ...ENDS.map((end) => `${specifier}/index${end}`)];
  const written = /\.([cm]?)js(x?)$/.exec(specifier);
  if (written !== null) candidates.unshift(specifier.replace(/js(x?)$/, 'ts$1'), specifier.replace(/jsx?$/, 'tsx'));
  for (const candidate of candidates) {
    const url = tried(candidate, base);
    if (url !== undefined) return url;
  }
  return undefined;
}

/// Where an import leads; undefined where it always does.
function redirect(specifier, base) {
  if (RUNNERS[specifier] !== undefined) return `hemiola:runner/${specifier}`;
  if (specifier.startsWith('hemiola-actual:')) return specifier.slice('hemiola-actual:'.length);
  let url;
  const targets = mapper.length > 0 ? mapped(specifier) : undefined;
  if (targets !== undefined) {
    const from = binding.fileUrl(`${root}/noop.js`);
    for (const target of targets) url ??= extended(target, from);
  }
  const isPath = specifier[0] === '.' || specifier[0] === '/';
  if (url === undefined && isPath && !base.includes('/node_modules/')) url = extended(specifier, base);
  if (!hasMocks) return url;
  url ??= tried(specifier, base) ?? `virtual:${specifier}`;
  const mock = isMocking() ? mocks.mockAt(url) : undefined;
  if (mock !== undefined) return mock.url;
  if (url.startsWith('virtual:')) return undefined;
  if (mocks.generation > 0 && url.startsWith('file:') && !url.includes('/node_modules/') && !url.includes('?')) return `${url}?reset=${mocks.generation}`;
  return url;
}

function install(settings) {
  root = settings.root;
  mapper = (settings.moduleNameMapper ?? []).map(([pattern, targets]) => ({ pattern: new RegExp(pattern), targets: [].concat(targets) }));
  const load = Module._load;
  const resolve = Module._resolveFilename;
  Module._load = function _load(request, parent, isMain) {
    if (RUNNERS[request] !== undefined) return RUNNERS[request]();
    if (hasMocks) {
      const mock = mocks.required(request, parent);
      if (mock !== undefined) return mock.exports;
    }
    return Reflect.apply(load, this, [request, parent, isMain]);
  };
  if (mapper.length === 0) return;
  Module._resolveFilename = function _resolveFilename(request, parent, isMain, options) {
    const targets = mapped(request);
    for (const target of targets ?? []) {
      try {
        const from = new Module(`${root}/noop.js`);
        from.filename = `${root}/noop.js`;
        from.paths = Module._nodeModulePaths(root);
        return Reflect.apply(resolve, this, [target, from, isMain, options]);
      } catch { /* the next one may be there */ }
    }
    return Reflect.apply(resolve, this, [request, parent, isMain, options]);
  };
}

// What vite says of the surroundings: the variables of the process, and three that are true or false.
const environment = () => require('internal/process').env;
const variables = new Proxy({}, {
  __proto__: null,
  deleteProperty: (_, name) => Reflect.deleteProperty(environment(), name),
  get(_, name) {
    const value = environment()[name];
    return project().isFlag(name) ? Boolean(value) : value;
  },
  getOwnPropertyDescriptor(_, name) {
    return name in environment() ? { configurable: true, enumerable: true, value: variables[name], writable: true } : undefined;
  },
  has: (_, name) => name in environment(),
  ownKeys: () => Reflect.ownKeys(environment()),
  set(_, name, value) {
    environment()[name] = project().asVariable(name, value);
    return true;
  },
});
const project = () => require('internal/suite/project');
const flavour = () => project().settings.flavour;

/// Gives a module's `import.meta` what vitest's modules have there. What a file is written for is known once it has
/// been loaded.
function describeModule(meta) {
  if (flavour() !== undefined && flavour() !== 'vitest') return;
  Object.defineProperty(meta, 'env', {
    configurable: true, enumerable: true, get: () => (flavour() === 'vitest' ? variables : undefined),
  });
}

module.exports = {
  describeModule,
  install,
  /// What stands for a runner.
  runnerAt: (url) => RUNNERS[url.slice('hemiola:runner/'.length)](),
  redirect,
  /// Says for this run what was found when the file was made ready.
  resume() {
    if (isForVitest) RUNNERS.vitest();
  },
  /// From now on modules may be mocked.
  startMocking() {
    hasMocks = true;
    isMocking();
  },
};
