// vm, as far as there is one global object: scripts and functions run in it. Contexts of their own are not
// there.
// Uses binding.evaluate, prepareScript.
'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateArray, validateObject, validateString } = require('internal/validators');

function fileOf(options) {
  if (typeof options === 'string') return options;
  if (options === undefined) return 'evalmachine.<anonymous>';
  validateObject(options, 'options');
  const { filename = 'evalmachine.<anonymous>' } = options;
  validateString(filename, 'options.filename');
  return filename;
}

/// A script as the engine gets it, with what it needs of the library in reach.
function prepare(source, file) {
  const [code, ...wanted] = binding.prepareScript(source, file, 'commonjs');
  for (const [at, part] of ['internal/context', 'internal/access'].entries()) {
    if (wanted[at] === undefined) continue;
    Object.defineProperty(globalThis, wanted[at], { __proto__: null, configurable: true, value: require(part) });
  }
  return code;
}

class Script {
  #code;
  #file;

  constructor(code, options = undefined) {
    const source = `${code}`;
    this.#file = fileOf(options);
    // What is no script is told now, not when it runs.
    Function(source);
    this.#code = prepare(source, this.#file);
  }

  runInThisContext(options = undefined) {
    if (options !== undefined) validateObject(options, 'options');
    return binding.evaluate(this.#code, this.#file);
  }

  runInContext() {
    throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('vm.Script.runInContext');
  }

  runInNewContext() {
    throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('vm.Script.runInNewContext');
  }

  createCachedData() {
    return require('buffer').Buffer.alloc(0);
  }
}

exports.Script = Script;
exports.createScript = (code, options) => new Script(code, options);

exports.runInThisContext = function runInThisContext(code, options) {
  return new Script(code, options).runInThisContext();
};

exports.compileFunction = function compileFunction(code, parameters = [], options = undefined) {
  validateString(code, 'code');
  validateArray(parameters, 'params');
  parameters.forEach((name, at) => validateString(name, `params[${at}]`));
  if (options !== undefined) validateObject(options, 'options');
  const file = fileOf({ filename: '<anonymous>', ...options });
  // The body alone must be one.
  Function(...parameters, code);
  return binding.evaluate(prepare(`(function (${parameters.join()}) {${code}\n})`, file), file);
};

exports.isContext = function isContext(object) {
  if (typeof object !== 'object' || object === null) throw new ERR_INVALID_ARG_TYPE('object', 'Object', object);
  return false;
};

for (const name of ['createContext', 'runInContext', 'runInNewContext', 'measureMemory']) {
  exports[name] = ({
    [name]() {
      throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`vm.${name}`);
    },
  })[name];
}

exports.constants = { __proto__: null, USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default') };
