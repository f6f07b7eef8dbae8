// Errors about modules, with Node's codes and words.
// Uses binding.scopeOf, sourceText.
'use strict';

const { codes, systemError } = require('internal/errors');

function plain(message, properties) {
  return Object.assign(new Error(message), properties);
}

// What a `require` throws that finds nothing.
exports.notFound = function notFound(request, requireStack) {
  const stack = requireStack.length > 0 ? `\nRequire stack:\n- ${requireStack.join('\n- ')}` : '';
  return plain(`Cannot find module '${request}'${stack}`, { code: 'MODULE_NOT_FOUND', requireStack });
};

function parseMessage(text) {
  try {
    JSON.parse(text);
  } catch (error) {
    return require('internal/modules/json').message(text) ?? error.message;
  }
  return '';
}

const makers = {
  __proto__: null,
  MODULE_NOT_FOUND: (path, packagePath) =>
    plain(`Cannot find module '${path}'`, packagePath === undefined ? { code: 'MODULE_NOT_FOUND' } : { code: 'MODULE_NOT_FOUND', path: packagePath }),
  MAIN_NOT_FOUND: (main, path, requestPath) =>
    plain(`Cannot find module '${main}'. Please verify that the package.json has a valid "main" entry`, { code: 'MODULE_NOT_FOUND', path, requestPath }),
  BAD_PACKAGE: (path, text, base) => new codes.ERR_INVALID_PACKAGE_CONFIG(path, base, parseMessage(text)),
  BAD_PROJECT: (path, text) => plain(`Invalid project config ${path}: ${text}`, { code: 'ERR_INVALID_PROJECT_CONFIG' }),
  BAD_PACKAGE_REQUIRED: (path, text) =>
    Object.assign(new SyntaxError(`Error parsing ${path}: ${parseMessage(text)}`), { path }),
  // By the name of what went wrong, or by its number.
  SYSTEM_ERROR(named, syscall, path) {
    const failed = typeof named === 'number' ? { errno: named } : { code: named };
    return systemError(syscall === 'read' ? { ...failed, syscall } : { ...failed, syscall, path });
  },
  SYNTAX_ERROR(message, file, line, column) {
    const error = new SyntaxError(message);
    require('internal/stack').setPlace(error, { file, line, column, length: 1 });
    return error;
  },
  URI_MALFORMED: () => new URIError('URI malformed'),
  ERR_UNSUPPORTED_ESM_URL_SCHEME: (protocol) =>
    new codes.ERR_UNSUPPORTED_ESM_URL_SCHEME({ protocol }, ['file', 'data', 'node']),
  ERR_MODULE_NOT_FOUND: (path, base, url, hint) => withHint('ERR_MODULE_NOT_FOUND', path, base, url, hint),
  ERR_UNSUPPORTED_DIR_IMPORT: (path, base, url, hint) => withHint('ERR_UNSUPPORTED_DIR_IMPORT', path, base, url, hint),
};

function withHint(code, path, base, url, hint) {
  const error = new codes[code](path, base, url);
  if (hint !== undefined) {
    const lines = error.stack.split('\n');
    const text = `Did you mean to import ${JSON.stringify(hint)}?`;
    error.message += `\n${text}`;
    error.stack = [lines[0], text, ...lines.slice(1)].join('\n');
  }
  return error;
}

// What is said of a name that only CommonJS modules have, in an ES module.
exports.inEsModule = function inEsModule(name, url) {
  const said = `${name} is not defined in ES module scope${name === 'require' ? ', you can use import instead' : ''}`;
  const scope = /^file:[^?#]*\.js(?:[?#]|$)/.test(url) ? binding.scopeOf(url) : undefined;
  return scope === undefined ? said :
    `${said}\nThis file is being treated as an ES module because it has a '.js' file extension and '${scope}' contains "type": "module". ` +
      "To treat it as a CommonJS script, rename it to use the '.cjs' file extension.";
};

// Notes the import in a module's text that an error is about.
exports.place = function place(error, file, specifier) {
  const source = binding.sourceText(file) ?? '';
  const written = specifier.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const found = new RegExp(`\\b(?:from|import)\\s*((['"])${written}\\2)`).exec(source);
  if (found === null) return;
  const lines = source.slice(0, found.index + found[0].length - found[1].length).split(/\r\n|[\n\r\u2028\u2029]/);
  const column = lines[lines.length - 1].length + 1;
  require('internal/stack').setPlace(error, { file, line: lines.length, column, length: found[1].length, hidden: true });
};

// The error that a failure found by Rust stands for: a code and what its message is made of.
exports.make = (failure) => {
  const [code, ...args] = failure;
  return makers[code] ? makers[code](...args) : new codes[code](...args);
};

// Says that the main file of a package of ES modules was found by what CommonJS allows.
exports.warnOfLegacyMain = function warnOfLegacyMain(directory, main, found, importer) {
  const said = main === undefined ? `No "main" or "exports" field defined in the package.json for ${directory} resolving the main entry point ` +
      `"${found}", imported from ${importer}.\nDefault "index" lookups for the main are deprecated for ES modules.` :
    `Package ${directory} has a "main" field set to "${main}", excluding the full filename and extension to the resolved file at ` +
      `"${found}", imported from ${importer}.\n Automatic extension resolution of the "main" field is deprecated for ES modules.`;
  exports.warn(said, 'DEP0151');
};

// Says what is deprecated in a package.
exports.warn = function warn(text, code) {
  require('internal/process').emitWarning(text, 'DeprecationWarning', code);
};

// The second argument of `import.meta.resolve`.
exports.toParent = function toParent(parent) {
  if (typeof parent === 'string') return parent;
  if (require('internal/url').isURL(parent)) return parent.href;
  throw new codes.ERR_INVALID_ARG_TYPE('parentURL', ['string', 'URL'], parent);
};

// A URL as it is normally written.
exports.toHref = (text) => new (require('internal/url').URL)(text).href;
