// CommonJS: what `module` and `require` are. The parts have the names that programs know them by and
// replace: a package that hooks into loading puts its own function in place of one of them.
// Uses binding.builtinName, compileFunction, cwd, env, flags, fileFormat, findPath, nodeModulePaths, ownExport,
// packageImport, projectFile, readModule, writeStderr.
'use strict';

const process = require('internal/process');

const kParent = Symbol('parent');

function hide(target, key, value) {
  Object.defineProperty(target, key, { __proto__: null, configurable: true, enumerable: false, writable: true, value });
}

// A property of an object's own, whatever the program has put on the prototype of objects.
const own = (value) => ({ __proto__: null, configurable: true, enumerable: true, writable: true, value });

function dirname(file) {
  const end = file.lastIndexOf('/');
  return end > 0 ? file.slice(0, end) : end === 0 ? '/' : '.';
}

function Module(id = '', parent) {
  this.id = id;
  this.path = dirname(id);
  Object.defineProperty(this, 'exports', own({}));
  hide(this, kParent, parent);
  addChild(parent, this);
  this.filename = null;
  this.loaded = false;
  this.children = [];
}

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
Module.globalPaths = [];
Module.Module = Module;

function addChild(parent, child) {
  const children = parent?.children;
  if (children && !children.includes(child)) children.push(child);
}

// With `--pending-deprecation` who asks for a module's parent is warned.
function aboutParent(act) {
  if (binding.flags.length === 0 || !require('internal/flags').isOn('--pending-deprecation')) return act;
  return require('internal/util/deprecate').deprecate(
    act, 'module.parent is deprecated due to accuracy issues. Please use require.main to find program entry point instead.', 'DEP0144');
}

Object.defineProperty(Module.prototype, 'parent', {
  __proto__: null,
  configurable: true,
  enumerable: false,
  get: aboutParent(function() {
    return this[kParent];
  }),
  set: aboutParent(function(value) {
    hide(this, kParent, value);
  }),
});
// A getter, so that inspecting a module does not name its class.
Object.defineProperty(Module.prototype, 'constructor', { __proto__: null, configurable: false, enumerable: false, get: () => Module });
Object.defineProperty(Module.prototype, 'isPreloading', { __proto__: null, configurable: true, enumerable: false, get: () => false });

// What a builtin exports. While tests run, a mock of theirs may stand for any module, and ours for their runner.
function builtin(name) {
  if (name.startsWith('hemiola:runner/')) return require('internal/suite/resolve').runnerAt(name);
  if (name.startsWith('hemiola:mock/')) return require('internal/suite/module_mocks').exportsAt(name);
  return name.startsWith('hemiola:') ? require(name.replace(':', '/')) : require(name.slice('node:'.length));
}

function isRelative(request) {
  return request[0] === '.' && (request === '.' || request === '..' || request.startsWith('./') || request.startsWith('../'));
}

Module._nodeModulePaths = function _nodeModulePaths(from) {
  return binding.nodeModulePaths(from[0] === '/' ? from : `${binding.cwd}/${from}`);
};

// Where modules are looked for besides the directories above: NODE_PATH, the user's folders and that of the installation.
// It is found out when a package is first looked for.
let isInitialized = false;
Module._initPaths = function _initPaths() {
  isInitialized = true;
  if (binding.flags.length > 0 && require('internal/flags').isOff('--global-search-paths')) return;
  const { HOME, NODE_PATH } = binding.env;
  const ofUser = HOME ? [`${HOME}/.node_modules`, `${HOME}/.node_libraries`] : [];
  const ofInstallation = `${dirname(dirname(process.execPath))}/lib/node`;
  Module.globalPaths = [...(NODE_PATH ?? '').split(':').filter((path) => path !== ''), ...ofUser, ofInstallation];
};

Module._resolveLookupPaths = function _resolveLookupPaths(request, parent) {
  if (binding.builtinName(request) !== undefined) return null;
  if (!isInitialized) Module._initPaths();
  if (!isRelative(request)) return [...(parent?.paths ?? []), ...Module.globalPaths];
  return [parent?.filename ? dirname(parent.filename) : '.'];
};

Module._findPath = function _findPath(request, paths) {
  // No callback for each path: how many steps this takes does not depend on how deep the program lies.
  return binding.findPath(request, paths ?? [], binding.cwd, Object.keys(Module._extensions), sayMissingMain) ?? false;
};

const missingMains = new Set();

/// A package has an `index.js`, but not the file that it says it begins with. That is said once of each.
function sayMissingMain(path, main) {
  if (missingMains.has(path)) return;
  missingMains.add(path);
  process.emitWarning(
    `Invalid 'main' field in '${path}' of '${main}'. Please either fix that or report it to the module author`,
    'DeprecationWarning', 'DEP0128');
}

Module._resolveFilename = function _resolveFilename(request, parent, isMain, options) {
  if (binding.builtinName(request) !== undefined) return request;
  let paths;
  if (typeof options === 'object' && options !== null && options.paths !== undefined) {
    if (!Array.isArray(options.paths)) {
      const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
      throw new ERR_INVALID_ARG_VALUE('options.paths', options.paths);
    }
    paths = isRelative(request) ? options.paths : [...new Set(options.paths.flatMap((path) => Module._nodeModulePaths(path)))];
  } else {
    paths = Module._resolveLookupPaths(request, parent);
  }
  if (parent?.filename) {
    const mappedImport = request[0] === '#' ? binding.packageImport(request, parent.filename) : undefined;
    if (mappedImport !== undefined) return mappedImport;
    const own = isRelative(request) ? undefined : binding.ownExport(request, parent.filename);
    if (own !== undefined) return own;
    // To what is written for a compiler, its project says what a name means.
    if (!isRelative(request) && isCompiled(parent.filename)) {
      const mapped = binding.projectFile(request, parent.filename);
      if (mapped !== undefined) return mapped;
    }
  } else if (OF_DIRECTORY.includes(parent?.id) && !isRelative(request)) {
    const own = binding.ownExport(request, `${binding.cwd}/`);
    if (own !== undefined) return own;
  }
  const found = Module._findPath(request, paths, isMain);
  if (found) return found;
  const meant = parent?.filename ? binding.projectFile(request, parent.filename) : undefined;
  if (meant !== undefined) return meant;
  throw require('internal/modules/failure').notFound(request, [...askers(parent)]);
};

// What asks without a file, and yet as a file of the current directory would: a flag, and a prompt.
const OF_DIRECTORY = ['internal/preload', '<repl>'];

const isCompiled = (filename) => /\.(?:[cm]?ts|[jt]sx)$/.test(filename);

// What asked for a module, and what asked for that.
function* askers(parent) {
  for (let module = parent; module; module = module[kParent]) yield module.filename || module.id;
}

Module._load = function _load(request, parent, isMain) {
  const known = binding.builtinName(request);
  if (known !== undefined) {
    // A program may put something in the place of a builtin, but not of what is asked for with its prefix.
    const replaced = Module._cache[request];
    return replaced !== undefined && known !== request ? replaced.exports : builtin(known);
  }
  if (request.startsWith('node:') || request.startsWith('hemiola:')) {
    const { codes: { ERR_UNKNOWN_BUILTIN_MODULE } } = require('internal/errors');
    throw new ERR_UNKNOWN_BUILTIN_MODULE(request);
  }
  const filename = Module._resolveFilename(request, parent, isMain);
  if (filename[0] !== '/') {
    const name = binding.builtinName(filename);
    if (name !== undefined) return builtin(name);
  }
  return loadFile(filename, parent, isMain).exports;
};

// The module of a file, loaded if it was not yet.
function loadFile(filename, parent, isMain) {
  const cached = Module._cache[filename];
  if (cached !== undefined) {
    addChild(parent, cached);
    if (requiring.has(cached)) {
      const { codes: { ERR_REQUIRE_CYCLE_MODULE } } = require('internal/errors');
      throw new ERR_REQUIRE_CYCLE_MODULE(require('internal/modules/required').cycle(filename, cached[kParent]));
    }
    if (!cached.loaded) watchUnfinished(cached);
    return cached;
  }
  const module = new Module(filename, parent);
  if (isMain) becomeMain(module);
  Module._cache[filename] = module;
  let failed = true;
  try {
    module.load(filename);
    failed = false;
  } finally {
    if (isWatched(module)) Object.setPrototypeOf(module.exports, Object.prototype);
    if (failed) {
      delete Module._cache[filename];
      const at = parent?.children?.indexOf(module) ?? -1;
      if (at >= 0) parent.children.splice(at, 1);
    }
  }
  return module;
}

// A way to read what is not there yet: whoever asks for a name that is unknown is warned.
const warning = (read, knows) => (known, name) => {
  if (!knows(known, name) && name !== '__esModule') {
    process.emitWarning(`Accessing non-existent property '${String(name)}' of module exports inside circular dependency`);
  }
  return read(known, name);
};

// What the exports inherit from of a module that is asked for before it is done.
const unfinished = new Proxy({}, {
  __proto__: null,
  get: warning(Reflect.get, Reflect.has),
  getOwnPropertyDescriptor: warning(Reflect.getOwnPropertyDescriptor, Object.hasOwn),
});

// Whether some module was: most programs have no circles.
let watchesSome = false;

// What is no plain object, or was made of an ES module, is left alone.
function watchUnfinished({ exports }) {
  if (typeof exports !== 'object' || exports === null || require('internal/util/types').isProxy(exports)) return;
  if (Object.getPrototypeOf(exports) !== Object.prototype || exports.__esModule) return;
  watchesSome = true;
  Object.setPrototypeOf(exports, unfinished);
}

function isWatched({ exports }) {
  return watchesSome && typeof exports === 'object' && exports !== null && !require('internal/util/types').isProxy(exports) &&
    Object.getPrototypeOf(exports) === unfinished;
}

function becomeMain(module) {
  process.mainModule = module;
  module.id = '.';
}

// The module that a program begins with, up to its first line: gives the function that runs it, or
// undefined if it turns out to be an ES module. Nobody has put anything in the place of a part of this by then.
function prepareMain(filename) {
  // What was loaded before the program does not run again.
  if (Module._cache[filename] !== undefined) return () => {};
  const module = new Module(filename, null);
  becomeMain(module);
  Module._cache[filename] = module;
  module.filename = filename;
  module.paths = Module._nodeModulePaths(dirname(filename));
  const load = Module._extensions[extensionOf(filename)];
  const body = load === loadScript ? bodyOf(module, filename, ...readScript(filename, true), false) : () => load(module, filename);
  if (body === undefined) {
    delete Module._cache[filename];
    process.mainModule = undefined;
    return undefined;
  }
  return () => {
    let failed = true;
    try {
      body();
      module.loaded = true;
      failed = false;
    } finally {
      if (isWatched(module)) Object.setPrototypeOf(module.exports, Object.prototype);
      if (failed) delete Module._cache[filename];
    }
  };
}

// The longest extension of a file's name that somebody has registered.
function extensionOf(filename) {
  const name = filename.slice(filename.lastIndexOf('/') + 1);
  for (let at = name.indexOf('.', 1); at >= 0; at = name.indexOf('.', at + 1)) {
    const extension = name.slice(at);
    if (Module._extensions[extension]) return extension;
  }
  return '.js';
}

Module.prototype.load = function load(filename) {
  this.filename = filename;
  this.paths = Module._nodeModulePaths(dirname(filename));
  Module._extensions[extensionOf(filename)](this, filename);
  this.loaded = true;
};

Module.prototype.require = function require_(id) {
  if (typeof id !== 'string') require('internal/validators').validateString(id, 'id');
  if (id === '') {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('id', id, 'must be a non-empty string');
  }
  return Module._load(id, this, false);
};
hide(Module.prototype.require, 'name', 'require');

// The text of the file that is being loaded, before anybody has changed it.
let unchanged;

Module.prototype._compile = function _compile(content, filename, format) {
  const isChanged = content !== unchanged;
  unchanged = undefined;
  // Where no ES module may be required, none is looked for.
  const body = bodyOf(this, filename, content, requiresModules() ? format ?? 'detect' : 'commonjs', isChanged);
  if (body === undefined) {
    require('internal/modules/required').load(this, filename);
    return undefined;
  }
  return body();
};

// What runs the text of a module; undefined for an ES module.
function bodyOf(module, filename, content, format, isChanged) {
  const compiled = compile(content, filename, format, isChanged);
  if (compiled === undefined) return undefined;
  const [body, wantsContext, wantsAccess] = compiled;
  require('internal/stack').moduleFunctions.add(body);
  const args = [module.exports, makeRequire(module), module, filename, dirname(filename)];
  if (wantsContext) args.push(require('internal/context'));
  if (wantsAccess) args.push(require('internal/access'));
  return () => Reflect.apply(body, module.exports, args);
}

function compile(content, filename, format, isChanged) {
  if (wrapping.isReplaced) return [require('internal/modules/wrapping').evaluate(content, filename), false, false];
  try {
    return binding.compileFunction(content, filename, format, isChanged);
  } catch (error) {
    if (error instanceof SyntaxError && /^(?:Cannot use import statement|Unexpected token 'export')/.test(error.message)) {
      binding.writeStderr('(hemiola) Warning: To load an ES module, set "type": "module" in the package.json or use the .mjs extension.\n');
    }
    throw error;
  }
}

// Whether the program has put something in the place of what makes a function of a module's text.
const wrapping = { isReplaced: false };

// The text of a file, and how it is to be understood; undefined for an ES module.
function readScript(filename, isMain) {
  // Of a file without an extension its package says nothing to those who require it.
  const isTold = isMain || filename.includes('.', filename.lastIndexOf('/') + 2);
  const format = isTold ? binding.fileFormat(filename) : undefined;
  if (format === 'module') return undefined;
  return [binding.readModule(filename), format === 'commonjs' ? 'commonjs' : 'detect'];
}

Module._extensions['.js'] = function (module, filename) {
  const script = readScript(filename, false);
  if (script === undefined) {
    require('internal/modules/required').load(module, filename);
    return;
  }
  unchanged = script[0];
  module._compile(script[0], filename, script[1]);
};
const loadScript = Module._extensions['.js'];

Module._extensions['.json'] = function (module, filename) {
  module.exports = require('internal/modules/json').parse(binding.readModule(filename), filename);
};

Module._extensions['.node'] = function (module, filename) {
  return require('internal/process').dlopen(module, filename);
};

for (const extension of ['.ts', '.cts', '.mts', '.tsx', '.jsx']) Module._extensions[extension] = Module._extensions['.js'];

// ES modules whose `require` is going on.
const requiring = new Set();

function requiresModules() {
  return binding.flags.length === 0 || !require('internal/flags').isOff('--experimental-require-module');
}

function makeRequire(module) {
  const require = function require(path) {
    return module.require(path);
  };
  require.resolve = function resolve(request, options) {
    if (typeof request !== 'string') requireLibrary('internal/validators').validateString(request, 'request');
    return Module._resolveFilename(request, module, false, options);
  };
  require.resolve.paths = function paths(request) {
    requireLibrary('internal/validators').validateString(request, 'request');
    return Module._resolveLookupPaths(request, module);
  };
  return Object.defineProperties(require, {
    __proto__: null, main: own(process.mainModule), extensions: own(Module._extensions), cache: own(Module._cache),
  });
}
const requireLibrary = require;

module.exports = { Module, becomeMain, builtin, dirname, kParent, loadFile, makeRequire, prepareMain, requiresModules, requiring, wrapping };
