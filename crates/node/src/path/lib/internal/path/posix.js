// The POSIX half of node:path.
'use strict';

const { validateString } = require('internal/validators');
const common = require('internal/path/common');

const isSeparator = (char) => char === '/';
const fromStart = () => 0;

module.exports = {
  resolve(...paths) {
    let resolved = '';
    let absolute = false;
    for (let i = paths.length - 1; i >= -1 && !absolute; i--) {
      const path = i >= 0 ? paths[i] : common.currentDirectory();
      validateString(path, `paths[${i}]`);
      if (path === '') continue;
      resolved = `${path}/${resolved}`;
      absolute = path[0] === '/';
    }
    const kept = common.collapse(resolved.split('/'), !absolute).join('/');
    return absolute ? `/${kept}` : kept || '.';
  },

  normalize(path) {
    validateString(path, 'path');
    if (path === '') return '.';
    const absolute = path[0] === '/';
    const trailing = path[path.length - 1] === '/';
    let kept = common.collapse(path.split('/'), !absolute).join('/');
    if (kept === '') {
      if (absolute) return '/';
      return trailing ? './' : '.';
    }
    if (trailing) kept += '/';
    return absolute ? `/${kept}` : kept;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return path[0] === '/';
  },

  join(...paths) {
    const parts = [];
    for (const path of paths) {
      validateString(path, 'path');
      if (path !== '') parts.push(path);
    }
    return parts.length === 0 ? '.' : module.exports.normalize(parts.join('/'));
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    if (from === to) return '';
    const here = common.collapse(module.exports.resolve(from).split('/'), false);
    const there = common.collapse(module.exports.resolve(to).split('/'), false);
    let shared = 0;
    while (shared < here.length && here[shared] === there[shared]) shared++;
    return [...here.slice(shared).fill('..'), ...there.slice(shared)].join('/');
  },

  toNamespacedPath(path) {
    return path;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path === '') return '.';
    const [start] = common.lastComponent(path, 0, isSeparator);
    // The root's own slash is not one that separates a directory from a name.
    if (start <= 1) return path[0] === '/' ? '/' : '.';
    return start === 2 && path[0] === '/' ? '//' : path.slice(0, start - 1);
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
