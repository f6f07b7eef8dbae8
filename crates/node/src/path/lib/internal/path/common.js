// What the POSIX and the Windows half of node:path share. From `binding`: cwd, the directory that
// relative paths start from, or a function that gives it; ownCwd, what `process.cwd` is at first.
'use strict';

const { apply } = require('internal/kept');
const { validateObject, validateString } = require('internal/validators');

function currentDirectory() {
  if (typeof binding.cwd === 'function') return binding.cwd();
  // As Node, it asks what the program has put in the place of `process.cwd`.
  const process = require('internal/process');
  const { cwd } = process;
  return cwd === binding.ownCwd ? binding.cwd || '/' : String(apply(cwd, process, []));
}

// Resolves `.` and `..` among the segments that follow those in `kept`. A `..` that has nothing to take back stays only
// where the path is relative.
function collapse(segments, keepAbove, kept = []) {
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept[kept.length - 1] !== '..') kept.pop();
    else if (keepAbove) kept.push('..');
  }
  return kept;
}

// The last component of `path` from `from` on, without trailing separators, as [start, end].
function lastComponent(path, from, isSeparator) {
  let end = path.length;
  while (end > from && isSeparator(path[end - 1])) end--;
  let start = end;
  while (start > from && !isSeparator(path[start - 1])) start--;
  return [start, end];
}

// A leading dot starts a hidden name, not an extension; `..` has none either.
function extensionOf(base) {
  if (base === '..') return '';
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(dot) : '';
}

// The last component without `suffix`. What comes before `startOf(path)` belongs to no name.
function basename(path, suffix, startOf, isSeparator) {
  if (suffix !== undefined) validateString(suffix, 'suffix');
  validateString(path, 'path');
  const start = startOf(path);
  const [first, end] = lastComponent(path, start, isSeparator);
  const base = path.slice(first, end);
  if (!suffix || suffix.length > path.length) return base;
  if (suffix === path) return '';
  if (suffix.length < base.length) return base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
  // Node compares backwards and forgets where the name ended when the name runs out before the
  // suffix does; the trailing separators then come back.
  if (suffix.length > base.length && suffix.endsWith(base)) return path.slice(base === '' ? start : first);
  return base;
}

// The `base`, `name` and `ext` of a parsed path.
function nameParts(base) {
  const ext = extensionOf(base);
  return { base, ext, name: base.slice(0, base.length - ext.length) };
}

// `ext` may come without its dot.
function fileName({ name, ext }) {
  if (!ext) return name || '';
  return `${name || ''}${ext[0] === '.' ? '' : '.'}${ext}`;
}

// Node shows the bound functions under this name.
function _format(separator, pathObject) {
  validateObject(pathObject, 'pathObject');
  const { root } = pathObject;
  const folder = pathObject.dir || root || '';
  // A root ends with a separator of its own.
  const between = folder === '' || folder === root ? '' : separator;
  return `${folder}${between}${pathObject.base || fileName(pathObject)}`;
}

module.exports = { basename, collapse, currentDirectory, extensionOf, _format, lastComponent, nameParts };
