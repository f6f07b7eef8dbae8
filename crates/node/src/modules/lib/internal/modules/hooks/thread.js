// The thread in which hooks of the module loader run: what is asked of them, and what happens where none of them has
// anything to say.
// Uses binding.builtinName, compileFunction, cwd, fileFormat, fileUrl, flags, resolveImport.
'use strict';

const process = require('internal/process');
const { codes } = require('internal/errors');
const { URL, fileURLToPath } = require('internal/url');
const { validateObject } = require('internal/validators');

const FORMATS = ['builtin', 'commonjs', 'json', 'module'];

// What is asked first stands last.
const chains = {
  resolve: [{ hook: defaultResolve, url: 'node:internal/modules/esm/resolve' }],
  load: [{ hook: defaultLoad, url: 'node:internal/modules/esm/load' }],
};
const NEXT = { resolve: 'nextResolve', load: 'nextLoad' };

/// Answers what the program's own thread asks.
exports.run = function run(port) {
  port.on('message', async (question) => {
    let answer;
    try {
      answer = { value: await handlers[question.type](question) };
    } catch (error) {
      answer = { error: require('internal/worker/errors').pack(error) };
    }
    port.postMessage(answer);
  });
  process.on('exit', (exit) => port.postMessage({ exit }));
};

const handlers = {
  __proto__: null,

  async register({ specifier, parentURL, data }) {
    const { url } = await resolve(specifier, parentURL, {});
    const { initialize, resolve: onResolve, load } = await import(url);
    if (initialize !== undefined) await initialize(data);
    // Errors name hooks as the program did.
    if (onResolve !== undefined) chains.resolve.push({ hook: onResolve, url: specifier });
    if (load !== undefined) chains.load.push({ hook: load, url: specifier });
    return true;
  },

  async resolve({ specifier, parentURL, attributes, isLenient }) {
    try {
      return await resolve(specifier, parentURL, attributes);
    } catch (error) {
      // Who only wants to know the URL is told it even if nothing is there.
      if (isLenient && typeof error?.url === 'string') return { url: error.url };
      throw error;
    }
  },

  async load({ url, format, attributes }) {
    const trail = {};
    const result = await call('load', chains.load.length - 1, url, { format, importAttributes: attributes }, trail);
    const { source } = result;
    checkFormat(result.format, trail);
    if (!FORMATS.includes(result.format)) throw new codes.ERR_UNKNOWN_MODULE_FORMAT(result.format, url);
    const isThere = source !== undefined && source !== null;
    if (isThere && typeof source !== 'string' && !ArrayBuffer.isView(source) && !require('internal/util/types').isAnyArrayBuffer(source)) {
      throw new codes.ERR_INVALID_RETURN_PROPERTY_VALUE('a string, an ArrayBuffer, or a TypedArray', trail.last, 'source', source);
    }
    if (!isThere && (result.format === 'module' || result.format === 'json')) {
      throw new codes.ERR_INVALID_RETURN_PROPERTY_VALUE('string, array buffer, or typed array', 'load', 'source', source);
    }
    if (!isThere && result.format === 'commonjs' && !url.startsWith('file:')) throw unsupported(url, ['file', 'data']);
    return { format: result.format, source: isThere ? source : undefined, isMade: source !== trail.source };
  },
};

async function resolve(specifier, parentURL, importAttributes) {
  const trail = {};
  const conditions = ['node', 'import', 'module-sync', ...further()];
  const result = await call('resolve', chains.resolve.length - 1, specifier, { conditions, importAttributes, parentURL }, trail);
  const { url, format } = result;
  if (typeof url !== 'string' || !URL.canParse(url)) {
    throw new codes.ERR_INVALID_RETURN_PROPERTY_VALUE('a URL string', trail.last, 'url', url);
  }
  checkFormat(format, trail);
  return { url, format };
}

function checkFormat(format, { last }) {
  if (format === undefined || format === null || typeof format === 'string') return;
  throw new codes.ERR_INVALID_RETURN_PROPERTY_VALUE('a string', last, 'format', format);
}

function further() {
  const { isOn, valuesOf } = require('internal/flags');
  return [...isOn('--no-addons') ? [] : ['node-addons'], ...valuesOf('--conditions')];
}

let isWarned = false;
function warnOfAssertions() {
  if (!isWarned) process.emitWarning('Use `importAttributes` instead of `importAssertions`', 'ExperimentalWarning');
  isWarned = true;
}

/// Gives a context the old name of its attributes, for hooks that are written for it.
function withAssertions(context) {
  return Object.defineProperty(context, 'importAssertions', {
    __proto__: null,
    configurable: true,
    get() {
      warnOfAssertions();
      return this.importAttributes;
    },
    set(value) {
      warnOfAssertions();
      this.importAttributes = value;
    },
  });
}

/// Calls the hook at a place of a chain; `trail` is what is known of all calls for one question.
async function call(kind, at, subject, context, trail) {
  const { hook, url } = chains[kind][at];
  const name = `${url} '${kind}'`;
  trail.last = name;
  let wentOn = false;
  const next = async (nextSubject, nextContext = undefined) => {
    const following = `${chains[kind][at - 1].url} '${kind}' hook's ${NEXT[kind]}()`;
    if (typeof nextSubject !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE(`${following} ${kind === 'load' ? 'url' : 'specifier'}`, kind === 'load' ? 'a URL string' : 'string', nextSubject);
    }
    if (kind === 'load' && !URL.canParse(nextSubject)) {
      throw new codes.ERR_INVALID_ARG_VALUE(`${following} url`, nextSubject, 'should be a URL string');
    }
    if (nextContext !== undefined) validateObject(nextContext, `${following} context`);
    wentOn = true;
    return call(kind, at - 1, nextSubject, Object.assign(withAssertions({ ...context }), nextContext), trail);
  };
  Object.defineProperty(next, 'name', { __proto__: null, configurable: true, value: NEXT[kind] });
  const result = at === 0 ? await hook(subject, context, trail) : await hook(subject, withAssertions(context), next);
  if (result === null || typeof result !== 'object') {
    throw new codes.ERR_INVALID_RETURN_VALUE('an object', `${name} hook's ${NEXT[kind]}()`, result);
  }
  if (at > 0 && !wentOn && !result.shortCircuit) throw new codes.ERR_LOADER_CHAIN_INCOMPLETE(name);
  return result;
}

const unsupported = (url, schemes) => new codes.ERR_UNSUPPORTED_ESM_URL_SCHEME({ protocol: new URL(url).protocol }, schemes);

async function defaultResolve(specifier, { conditions, parentURL }) {
  const foreign = foreignUrl(specifier, parentURL);
  if (foreign !== undefined) return { __proto__: null, url: foreign, format: null };
  const url = binding.resolveImport(specifier, parentURL ?? `${binding.fileUrl(binding.cwd)}/`, conditions);
  if (binding.builtinName(url) === undefined) return { url, format: formatOf(url) };
  return specifier === url ? { url } : { url, format: 'builtin' };
}

/// The URL that a specifier means under a scheme which only a hook can load: all that is wrong with it is that nobody
/// does. Undefined if it is none.
function foreignUrl(specifier, parentURL) {
  const isPath = /^\.{0,2}\//.test(specifier);
  const url = isPath ? parentURL : specifier;
  if (!URL.canParse(url) || OWN.includes(new URL(url).protocol)) return undefined;
  return isPath ? new URL(specifier, parentURL).href : new URL(specifier).href;
}
const OWN = ['file:', 'data:', 'node:', 'hemiola:'];

/// What the module at a URL is: null if only its text tells, undefined if nothing does.
function formatOf(url) {
  if (url.startsWith('data:')) return mimes[/^data:([^,;]*)/.exec(url)[1]];
  const format = binding.fileFormat(fileURLToPath(url));
  return format === 'ambiguous' ? null : format;
}
const mimes = { __proto__: null, 'text/javascript': 'module', 'application/javascript': 'module', 'application/json': 'json' };

async function defaultLoad(url, context, trail) {
  if (binding.builtinName(url) !== undefined) return { format: 'builtin', responseURL: url, source: null };
  const { protocol } = new URL(url);
  if (protocol !== 'file:' && protocol !== 'data:') throw unsupported(url, ['file', 'data', 'node']);
  let format = context.format ?? formatOf(url);
  if (format === undefined) throw unknown(url);
  checkAttributes(url, format, context.importAttributes);
  let source = format === 'commonjs' ? undefined : read(url);
  if (format === null) {
    format = isModule(source.toString(), fileURLToPath(url)) ? 'module' : 'commonjs';
    if (format === 'commonjs') source = undefined;
  }
  trail.source = source;
  return { format, responseURL: url, source };
}

function unknown(url) {
  const [, mime] = /^data:([^,]*)/.exec(url) ?? [];
  if (mime !== undefined) return new codes.ERR_UNKNOWN_MODULE_FORMAT(mime, url);
  const path = fileURLToPath(url);
  return new codes.ERR_UNKNOWN_FILE_EXTENSION(require('path').extname(path), path);
}

function checkAttributes(url, format, attributes = {}) {
  for (const name of Object.keys(attributes)) {
    if (name !== 'type') throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED(name, attributes[name]);
  }
  const { type } = attributes;
  if (type === undefined && format === 'json') throw new codes.ERR_IMPORT_ASSERTION_TYPE_MISSING(url, 'json');
  if (type === undefined || (type === 'json' && format === 'json')) return;
  if (type !== 'json') throw new codes.ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED(type);
  throw new codes.ERR_IMPORT_ASSERTION_TYPE_FAILED(url, 'json');
}

function read(url) {
  const { Buffer } = require('buffer');
  if (!url.startsWith('data:')) return require('fs').readFileSync(fileURLToPath(url));
  const [, isBase64, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
  const text = decodeURIComponent(data);
  return isBase64 === undefined ? Buffer.from(text) : Buffer.from(text, 'base64');
}

/// Whether a text can only be an ES module. What is wrong with it is said by whoever runs it.
function isModule(text, path) {
  try {
    return binding.compileFunction(text, path, 'detect') === undefined;
  } catch {
    return false;
  }
}
