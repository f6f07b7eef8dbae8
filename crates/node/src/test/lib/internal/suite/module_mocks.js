// Modules in whose place tests have put something else. Uses binding.fileUrl, resolveImport.
'use strict';

const { Module } = require('internal/modules');
const { automock, spyOn } = require('internal/suite/mocks');

const NONE = Symbol('none');
const AsyncFunction = (async () => {}).constructor;

// By URL: what stands there.
const mocks = new Map();
// By the number in the URL that ES modules import it from.
const numbered = [];
// How often all modules were forgotten.
let generation = 0;

const pathOf = (url) => (url.startsWith('file://') ? decodeURIComponent(url.slice('file://'.length)) : url);

function moduleAt(file) {
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(file.slice(0, file.lastIndexOf('/')) || '/');
  return module;
}

// The file or builtin that a test file means by a name: to import, and to require.
function urlsOf(request, from) {
  const urls = new Set();
  try {
    urls.add(binding.resolveImport(request, binding.fileUrl(from)));
  } catch { /* then there is none to import */ }
  try {
    const found = Module._resolveFilename(request, moduleAt(from), false);
    urls.add(found[0] === '/' ? binding.fileUrl(found) : `node:${found.replace(/^node:/, '')}`);
  } catch { /* nor to require */ }
  // What is nowhere can be mocked all the same.
  if (urls.size === 0) urls.add(/^\.{0,2}\//.test(request) ? new (require('internal/url').URL)(request, binding.fileUrl(from)).href : `virtual:${request}`);
  return [...urls];
}

class ModuleMock {
  constructor(request, from, factory, options) {
    this.request = request;
    this.from = from;
    this.urls = urlsOf(request, from);
    this.factory = factory;
    this.isSpy = options?.spy === true;
    this.isVitest = options?.isVitest === true;
    this.value = NONE;
    this.number = numbered.push(this) - 1;
  }

  get url() {
    return `hemiola:mock/${this.number}`;
  }

  // The file in `__mocks__` that stands for it, if there is one.
  manual() {
    const [url] = this.urls;
    const { existsSync } = require('fs');
    const path = pathOf(url);
    const candidates = [];
    if (path[0] === '/' && !path.includes('/node_modules/')) {
      candidates.push(path.replace(/\/([^/]+)$/, '/__mocks__/$1'));
    } else {
      const { root } = require('internal/suite/project').settings;
      for (const end of ['.js', '.ts', '.cjs', '.mjs', '/index.js']) candidates.push(`${root}/__mocks__/${this.request.replace(/^node:/, '')}${end}`);
    }
    return candidates.find((file) => existsSync(file));
  }

  make() {
    const actual = () => requireActual(this.request, this.from);
    if (this.factory !== undefined) return this.factory(async () => importActual(this.request, this.from));
    const manual = this.manual();
    if (manual !== undefined) return moduleAt(this.from).require(manual);
    return this.isSpy ? spied(actual(), this) : automock(actual(), this);
  }

  /// What it exports, now.
  get exports() {
    if (this.value === NONE) {
      const made = this.make();
      if (typeof made?.then === 'function') {
        throw new Error(`the factory of the mock of ${this.request} gives a promise, but it is required: use a function that is not async`);
      }
      this.value = made;
    }
    return this.value;
  }

  /// Makes what cannot be made when an import of it is linked.
  async prepare() {
    if (this.value !== NONE) return;
    if (this.factory !== undefined) {
      if (this.factory instanceof AsyncFunction || this.factory.length > 0) this.value = await this.make();
      return;
    }
    const manual = this.manual();
    if (manual !== undefined) {
      this.value = await import(`hemiola-actual:${binding.fileUrl(manual)}`);
      return;
    }
    const actual = await importActual(this.request, this.from);
    this.value = this.isSpy ? spied(actual, this) : automock(actual, this);
  }
}

// The module as it is, with functions that remember their calls.
function spied(actual, { isVitest }) {
  const copy = {};
  for (const key of Object.keys(actual)) {
    copy[key] = actual[key];
    if (typeof copy[key] === 'function') spyOn(copy, key, undefined, { isVitest });
  }
  return copy;
}

function mock(request, from, factory, options) {
  const made = new ModuleMock(request, from, factory, options);
  for (const url of made.urls) mocks.set(url, made);
  return made;
}

function unmock(request, from) {
  for (const url of urlsOf(request, from)) mocks.delete(url);
}

let isActual = 0;

function requireActual(request, from) {
  isActual++;
  try {
    return moduleAt(from).require(request);
  } finally {
    isActual--;
  }
}

function importActual(request, from) {
  const [url] = urlsOf(request, from);
  return import(`hemiola-actual:${url}`);
}

/// The mock at a URL, unless the real one is wanted.
function mockAt(url) {
  return isActual > 0 ? undefined : mocks.get(url);
}

/// The mock that a `require` means.
function required(request, parent) {
  if (mocks.size === 0 || isActual > 0) return undefined;
  const from = parent?.filename ?? `${binding.cwd}/noop.js`;
  return urlsOf(request, from).map((url) => mocks.get(url)).find((found) => found !== undefined);
}

function resetModules() {
  generation++;
  Module._cache = { __proto__: null };
  for (const made of new Set(mocks.values())) made.value = NONE;
}

function isolate(fn) {
  const before = Module._cache;
  Module._cache = { __proto__: null };
  const back = () => { Module._cache = before; };
  let isAsync = false;
  try {
    const result = fn();
    isAsync = typeof result?.then === 'function';
    return isAsync ? result.finally(back) : undefined;
  } finally {
    if (!isAsync) back();
  }
}

// Test files that are ES modules wait for this between their mocks and their imports.
globalThis[Symbol.for('hemiola.mocks')] = async () => {
  for (const made of new Set(mocks.values())) await made.prepare();
};

module.exports = {
  exportsAt: (url) => numbered[Number(url.slice('hemiola:mock/'.length))].exports,
  get generation() { return generation; },
  get isEmpty() { return mocks.size === 0; },
  importActual,
  isolate,
  mock,
  mockAt,
  requireActual,
  required,
  resetModules,
  unmock,
  requireMock(request, from) {
    return (required(request, { filename: from }) ?? mock(request, from)).exports;
  },
  async importMock(request, from) {
    const made = required(request, { filename: from }) ?? new ModuleMock(request, from);
    await made.prepare();
    return made.exports;
  },
};
