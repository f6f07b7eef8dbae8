// CommonJS modules, and the way from and to ES modules.
// Uses binding.resolve, readFile, evaluate, importModule, isLibrary.
'use strict';

const cache = { __proto__: null };

// The directory of a file's full path. A program that only prints does not load `path` for it.
const directory = (file) => file.slice(0, file.lastIndexOf('/')) || '/';

class Module {
  constructor(id, parent) {
    this.id = id;
    this.path = directory(id);
    this.exports = {};
    this.filename = id;
    this.loaded = false;
    this.children = [];
    this.paths = [];
    if (parent) parent.children.push(this);
  }

  require(id) {
    return load(id, this);
  }
}

function builtin(name) {
  if (name.startsWith('hemiola:')) return require(name.replace(':', '/'));
  return require(name.replace(/^node:/, ''));
}

function resolve(specifier, parent) {
  const found = binding.resolve(specifier, parent, true);
  if (found.length === 2) return found;
  const error = new Error(`Cannot find module '${specifier}'\nRequire stack:\n- ${parent}`);
  error.code = 'MODULE_NOT_FOUND';
  error.requireStack = [parent];
  throw error;
}

function load(specifier, parent) {
  if (typeof specifier !== 'string') {
    const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_TYPE('id', 'string', specifier);
  }
  const [file, format] = resolve(specifier, parent.filename);
  if (format === 'builtin') {
    if (file.startsWith('node:') && !binding.isLibrary(file.slice(5))) {
      const error = new Error(`No such built-in module: ${file}`);
      error.code = 'ERR_UNKNOWN_BUILTIN_MODULE';
      throw error;
    }
    return builtin(file);
  }
  return loadFile(file, format, parent);
}

function loadFile(file, format, parent) {
  const known = cache[file];
  if (known !== undefined) return known.exports;
  const module = new Module(file, parent);
  cache[file] = module;
  try {
    if (format === 'json') module.exports = JSON.parse(source(file));
    else run(module, source(file));
    module.loaded = true;
  } catch (error) {
    delete cache[file];
    throw error;
  }
  return module.exports;
}

function source(file) {
  const text = binding.readFile(file);
  if (text === undefined) throw new Error(`cannot read ${file}`);
  return text.replace(/^\uFEFF/, '').replace(/^#!.*/, '');
}

function makeRequire(module) {
  const require = (id) => load(id, module);
  require.resolve = (id) => resolve(id, module.filename)[0];
  require.cache = cache;
  require.main = main;
  return require;
}

let main;

const wrapper = '(function (exports, require, module, __filename, __dirname) {';

function run(module, text) {
  require('internal/stack').shiftFirstLine(module.filename, wrapper.length);
  const wrapped = `${wrapper}${text}\n})`;
  const body = binding.evaluate(wrapped, module.filename);
  body.call(module.exports, module.exports, makeRequire(module), module, module.filename, directory(module.filename));
}

// The source of an ES module that stands for a builtin, a CommonJS module or data.
globalThis.__hemiola_synthetic = function synthetic(name) {
  const exported = name.startsWith('node:') || name.startsWith('hemiola:')
    ? builtin(name)
    : loadFile(name, name.endsWith('.json') ? 'json' : 'commonjs', undefined);
  stash[name] = exported;
  const names = exported !== null && (typeof exported === 'object' || typeof exported === 'function')
    ? Object.keys(exported).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default' && !reserved.has(key))
    : [];
  const key = JSON.stringify(name);
  return `const m = globalThis.__hemiola_stash(${key}); export default m;` +
    (names.length > 0 ? `const {${names.map((n) => `${n}: $${n}`).join(', ')}} = m; export {${names.map((n) => `$${n} as ${n}`).join(', ')}};` : '');
};
const stash = { __proto__: null };
globalThis.__hemiola_stash = (name) => stash[name];
for (const name of ['__hemiola_synthetic', '__hemiola_stash']) Object.defineProperty(globalThis, name, { enumerable: false });
const reserved = new Set(['break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'delete', 'do', 'else', 'export',
  'extends', 'finally', 'for', 'function', 'if', 'import', 'in', 'instanceof', 'new', 'return', 'super', 'switch', 'this',
  'throw', 'try', 'typeof', 'var', 'void', 'while', 'with', 'yield', 'let', 'static', 'enum', 'await', 'implements',
  'interface', 'package', 'private', 'protected', 'public', 'null', 'true', 'false']);

exports.runMain = function runMain() {
  const entry = binding.entry;
  if (entry.text !== undefined) {
    main = new Module(`${binding.cwd}/${entry.name}`, undefined);
    run(main, entry.text);
    return;
  }
  const given = entry.file.startsWith('/') ? entry.file : `${binding.cwd}/${entry.file}`;
  const found = binding.resolve(given, given, true);
  if (found.length !== 2) {
    const file = require('path').resolve(given);
    const error = new Error(`Cannot find module '${file}'`);
    error.code = 'MODULE_NOT_FOUND';
    throw error;
  }
  if (found[1] === 'module') {
    // Node evaluates an ES module from a promise job: its ticks come after the promises' jobs.
    Promise.resolve().then(() => binding.importModule(found[0]));
    return;
  }
  const text = source(found[0]);
  main = new Module(found[0], undefined);
  cache[found[0]] = main;
  try {
    run(main, text);
    main.loaded = true;
  } catch (error) {
    if (found[1] === 'ambiguous' && error instanceof SyntaxError && /^\s*(?:import|export)\b|\bawait\b|import\.meta/m.test(text)) {
      delete cache[found[0]];
      Promise.resolve().then(() => binding.importModule(found[0]));
      return;
    }
    throw error;
  }
};
