// vm: scripts and functions that run in the program's global object, or in that of a context.
// Uses binding.evaluate, sourceMapUrl.
'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const {
  validateArray, validateBoolean, validateFunction, validateInt32, validateObject, validateOneOf, validateString,
} = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { prepare, run } = require('internal/vm/running');

function fileOf(options) {
  if (typeof options === 'string') return options;
  if (options === undefined) return 'evalmachine.<anonymous>';
  validateObject(options, 'options');
  const { filename = 'evalmachine.<anonymous>' } = options;
  validateString(filename, 'options.filename');
  for (const name in checks) {
    const value = options[name];
    if (value !== undefined) checks[name](value, `options.${name}`);
  }
  return filename;
}

const contexts = () => require('internal/vm/contexts');

const DONT_CONTEXTIFY = Symbol('vm_context_no_contextify');
const USE_MAIN_CONTEXT_DEFAULT_LOADER = Symbol('vm_dynamic_import_main_context_default');

/// The options that change nothing here must be what they should be all the same: who looks at which, in Node's order.
const checks = {
  __proto__: null,
  lineOffset: validateInt32,
  columnOffset: validateInt32,
  cachedData(value, name) {
    if (!isArrayBufferView(value)) throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], value);
  },
  produceCachedData: validateBoolean,
  importModuleDynamically(value, name) {
    if (value !== USE_MAIN_CONTEXT_DEFAULT_LOADER) validateFunction(value, name);
  },
};

// Above the body of a function that `Function` makes.
const LINES_ABOVE = 2;

/// Fails if a text is no body of a function, with the place in the text, as Node shows it.
function check(text, parameters, file, options) {
  try {
    Function(...parameters, text);
  } catch (error) {
    const { placeOf, setPlace } = require('internal/stack');
    const place = placeOf(error);
    if (place === undefined || place.line <= LINES_ABOVE) throw error;
    const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
    const line = Math.min(place.line - LINES_ABOVE, lines.length);
    const isEnd = line < place.line - LINES_ABOVE;
    if (isEnd) error.message = 'Unexpected end of input';
    const last = lines[line - 1];
    setPlace(error, {
      ...place, ...isEnd ? { column: last.length + 1, length: 0, text: last } : {}, file, line: line + (options?.lineOffset ?? 0), hidden: false,
    });
    throw error;
  }
}

class Script {
  #script;

  constructor(code, options = undefined) {
    const text = `${code}`;
    // A first line that names an interpreter is a comment, of which functions know nothing.
    const source = text.startsWith('#!') ? `//${text.slice(2)}` : text;
    const file = fileOf(options);
    // What is no script is told now, not when it runs.
    check(source, [], file, options);
    this.#script = { source, file, here: undefined, inContext: undefined };
    this.sourceMapURL = binding.sourceMapUrl(source, file);
  }

  runInThisContext(options) {
    return run(this.#script, undefined, options);
  }

  runInContext(contextifiedObject, options) {
    validateContext(contextifiedObject);
    return run(this.#script, contextifiedObject, options);
  }

  runInNewContext(contextObject, options) {
    return this.runInContext(createContext(contextObject, readContextOptions(IN_A_SCRIPT, options)), options);
  }

  createCachedData() {
    return require('buffer').Buffer.alloc(0);
  }
}

exports.Script = Script;
exports.createScript = (code, options) => new Script(code, options);

const withFile = (options) => (typeof options === 'string' ? { filename: options } : options);

function validateContext(object) {
  if (!isContext(object)) throw new ERR_INVALID_ARG_TYPE('contextifiedObject', 'vm.Context', object);
}

// What the options of a context must be: what they are called there, and among those of a script that makes one.
const OF_ITSELF = 0, IN_A_SCRIPT = 1;
const ofContexts = [
  ['name', 'contextName', validateString],
  ['origin', 'contextOrigin', validateString],
  ['codeGeneration', 'contextCodeGeneration', (value, path) => {
    validateObject(value, path);
    for (const what of ['strings', 'wasm']) {
      if (value[what] !== undefined) validateBoolean(value[what], `${path}.${what}`);
    }
  }],
  ['microtaskMode', 'microtaskMode', (value, path) => validateOneOf(value, path, ['afterEvaluate', undefined])],
];

/// The options of a context out of those that were given, by the one or the other name of each.
function readContextOptions(which, options = {}) {
  const read = {};
  validateObject(options, 'options');
  for (const row of ofContexts) {
    const value = options[row[which]];
    if (value === undefined) continue;
    row[2](value, `options.${row[which]}`);
    read[row[0]] = value;
  }
  return read;
}

exports.runInThisContext = function runInThisContext(code, options) {
  return new Script(code, options).runInThisContext(typeof options === 'string' ? undefined : options);
};

exports.runInContext = function runInContext(code, contextifiedObject, options) {
  validateContext(contextifiedObject);
  options = withFile(options);
  return new Script(code, options).runInContext(contextifiedObject, options);
};

exports.runInNewContext = function runInNewContext(code, contextObject, options) {
  options = withFile(options);
  return new Script(code, options).runInNewContext(contextObject, options);
};

exports.compileFunction = function compileFunction(code, params = [], options = undefined) {
  validateString(code, 'code');
  validateArray(params, 'params');
  params.forEach((name, at) => validateString(name, `params[${at}]`));
  if (options !== undefined) validateObject(options, 'options');
  const file = fileOf({ filename: '<anonymous>', ...options });
  const { contextExtensions = [], parsingContext } = options ?? {};
  if (parsingContext !== undefined && !(typeof parsingContext === 'object' && parsingContext !== null && isContext(parsingContext))) {
    throw new ERR_INVALID_ARG_TYPE('options.parsingContext', 'Context', parsingContext);
  }
  validateArray(contextExtensions, 'options.contextExtensions');
  contextExtensions.forEach((extension, at) => validateObject(extension, `options.contextExtensions[${at}]`));
  // The body alone must be one.
  check(code, params, file, options);
  const made = `function (${params.join()}) {${code}\n}`;
  const around = contextExtensions.map((_, at) => `with($extensions[${at}])`).join('');
  const text = around === '' ? `(${made})` : `(function ($extensions) {${around}return ${made}})`;
  const value = parsingContext === undefined ?
    binding.evaluate(prepare(text, file), file) :
    contexts().runIn(parsingContext, contexts().prepare(text, file));
  return around === '' ? value : value(contextExtensions);
};

function isContext(object) {
  if (typeof object !== 'object' || object === null) throw new ERR_INVALID_ARG_TYPE('object', 'Object', object);
  return contexts().has(object);
}

exports.isContext = isContext;

function createContext(contextObject = {}, options = {}) {
  const isGiven = contextObject !== DONT_CONTEXTIFY;
  if (isGiven && isContext(contextObject)) return contextObject;
  const { codeGeneration, microtaskMode } = readContextOptions(OF_ITSELF, options);
  if (microtaskMode !== undefined) throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('vm microtaskMode');
  const load = options.importModuleDynamically;
  if (load !== undefined) checks.importModuleDynamically(load, 'options.importModuleDynamically');
  return contexts().make(isGiven ? contextObject : {}, { strings: codeGeneration?.strings ?? true });
}

exports.createContext = createContext;

exports.measureMemory = function measureMemory() {
  throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('vm.measureMemory');
};

exports.constants = { __proto__: null, USE_MAIN_CONTEXT_DEFAULT_LOADER, DONT_CONTEXTIFY };
Object.freeze(exports.constants);
