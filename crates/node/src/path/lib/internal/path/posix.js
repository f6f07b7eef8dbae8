// The POSIX half of node:path.
'use strict';

const { validateString } = require('internal/validators');
const common = require('internal/path/common');

const isSeparator = (char) => char === '/';
const fromStart = () => 0;

// The names that lead to `path`. No step is taken for each name before the first that is to be resolved: how many
// steps a program takes is not to depend on how deep it lies.
function steps(path, rooted) {
  const at = path.search(/(?:^|\/)\.{1,2}(?:\/|$)|\/\//);
  if (at < 0) return plainSteps(path);
  return common.collapse(path.slice(at).split('/'), !rooted, plainSteps(path.slice(0, at)));
}

function plainSteps(path) {
  const names = path.slice(path[0] === '/' ? 1 : 0, path[path.length - 1] === '/' ? -1 : undefined);
  return names === '' ? [] : names.split('/');
}

// Whether what `stepsFromRoot` gave last starts at a root: it does not where a program has put a `process.cwd` of
// its own there that gives a relative path.
let isRooted = true;

// `paths` one after the other, as names from the root. The last absolute one counts, and what
// follows it; what stands before is not even looked at.
function stepsFromRoot(paths) {
  let joined = '';
  isRooted = true;
  for (let i = paths.length - 1; i >= 0; i--) {
    validateString(paths[i], `paths[${i}]`);
    joined = `${paths[i]}/${joined}`;
    if (paths[i][0] === '/') return steps(joined, true);
  }
  const directory = common.currentDirectory();
  isRooted = directory[0] === '/';
  return steps(directory === '' ? joined : `${directory}/${joined}`, isRooted);
}

module.exports = {
  resolve(...paths) {
    const path = stepsFromRoot(paths).join('/');
    return isRooted ? `/${path}` : path || '.';
  },

  normalize(path) {
    validateString(path, 'path');
    const rooted = path[0] === '/';
    const short = steps(path, rooted).join('/');
    const slash = path[path.length - 1] === '/' ? '/' : '';
    if (short === '') return rooted ? '/' : `.${slash}`;
    return `${rooted ? '/' : ''}${short}${slash}`;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return path[0] === '/';
  },

  join(...paths) {
    for (const path of paths) validateString(path, 'path');
    // An empty path is none, so that the root is not put before the next one.
    return module.exports.normalize(paths.filter((path) => path !== '').join('/'));
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    const here = stepsFromRoot([from]);
    const there = stepsFromRoot([to]);
    let shared = 0;
    while (shared < here.length && here[shared] === there[shared]) shared++;
    return [...here.slice(shared).fill('..'), ...there.slice(shared)].join('/');
  },

  toNamespacedPath(path) {
    return path;
  },

  dirname(path) {
    validateString(path, 'path');
    const [start] = common.lastComponent(path, 0, isSeparator);
    if (start === 0) return path[0] === '/' ? '/' : '.';
    // The separator before the name goes, unless it is the root or one of the two in `//name`.
    const whole = path[0] === '/' && start < 3;
    return path.slice(0, whole ? start : start - 1);
  },

  basename(path, suffix) {
    return common.basename(path, suffix, fromStart, isSeparator);
  },

  extname(path) {
    validateString(path, 'path');
    return common.extensionOf(path.slice(...common.lastComponent(path, 0, isSeparator)));
  },

  format: common._format.bind(null, '/'),

  parse(path) {
    validateString(path, 'path');
    const root = path[0] === '/' ? '/' : '';
    const [start, end] = common.lastComponent(path, 0, isSeparator);
    const { base, ext, name } = common.nameParts(path.slice(start, end));
    // Right under the root Node does not recognise `..`.
    if (start === 1 && base === '..') return { root, dir: root, base, ext: '.', name: '.' };
    return { root, dir: start > root.length ? path.slice(0, start - 1) : root, base, ext, name };
  },

  matchesGlob(path, pattern) {
    return require('internal/glob').matches(path, pattern, false);
  },

  sep: '/',
  delimiter: ':',
  win32: null,
  posix: null,
};
