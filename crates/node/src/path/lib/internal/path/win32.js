// The Windows half of node:path, which programs use on any system.
'use strict';

const { validateString } = require('internal/validators');
const common = require('internal/path/common');

const isSeparator = (char) => char === '/' || char === '\\';
const isDrive = (path) => path[1] === ':' && /^[A-Za-z]/.test(path);
const split = (path) => path.split(/[\\/]/);

// Names that Windows gives to devices in every directory.
const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9\u00b9\u00b2\u00b3]):/i;

// Where the part after a drive letter starts; the letter never belongs to a file's name.
const afterDrive = (path) => (isDrive(path) ? 2 : 0);

// The parts of `\\server\share`, if the path starts with both: server, share and where it ends.
function uncRoot(path) {
  const found = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(path);
  return found === null ? null : { server: found[1], share: found[2], end: found[0].length };
}

// Splits off what a path starts from: `device` is a drive or `\\server\share`, `end` where the
// rest begins, and `absolute` whether the rest hangs from the device's root. Without `devices`,
// `\\.\name` counts as any server and share.
function splitRoot(path, devices = true) {
  if (isSeparator(path[0])) {
    const unc = uncRoot(path);
    if (unc === null) return { device: '', end: 1, absolute: true };
    // `\\.\` and `\\?\` name the devices themselves; there is no share.
    if (devices && (unc.server === '.' || unc.server === '?')) {
      return { device: `\\\\${unc.server}`, end: 4, absolute: true };
    }
    return { device: `\\\\${unc.server}\\${unc.share}`, end: unc.end, absolute: true, unc: true };
  }
  if (!isDrive(path)) return { device: '', end: 0, absolute: false };
  const absolute = path.length > 2 && isSeparator(path[2]);
  return { device: path.slice(0, 2), end: absolute ? 3 : 2, absolute };
}

// Whether a relative path could be taken for one on a drive, or for a stream of a file, once its
// `.` segments are gone.
const looksLikeDrive = (path, kept) => isDrive(kept) || /:(?:$|[\\/])/.test(path);

const trim = (path) => path.replace(/^\\+/, '').replace(/(?!^)\\+$/, '');

const sameLength = (path) => path.toLowerCase().length === path.length;

// How many names two paths have in common. Windows compares them without case.
function sharedNames(here, there) {
  const count = Math.min(here.length, there.length);
  let shared = 0;
  while (shared < count && here[shared].toLowerCase() === there[shared].toLowerCase()) shared++;
  return shared;
}

const upFrom = (names) => names.map(() => '..').join('\\');

// From one resolved path to another, name by name.
function byNames(from, to) {
  const here = from.replace(/\\$/, '').split('\\');
  const there = to.replace(/\\$/, '').split('\\');
  const shared = sharedNames(here, there);
  return shared === 0 ? to : [...here.slice(shared).fill('..'), ...there.slice(shared)].join('\\');
}

// The same where Node compares characters, which is wherever lower-casing keeps all lengths. One
// path may then be the start of the other within a name, and that has results of its own.
function byCharacters(from, to) {
  const start = trim(from);
  const goal = trim(to);
  const here = start.split('\\');
  const there = goal.split('\\');
  const goalHasStart = goal.toLowerCase().startsWith(start.toLowerCase());
  const startHasGoal = start.toLowerCase().startsWith(goal.toLowerCase());
  if (start === '') return goal;
  if (goal === '') return upFrom(here);
  let shared = sharedNames(here, there);

  // Straight down, and the separator at the end of a share's root stays.
  const down = to.replace(/^\\+/, '').slice(start.length);
  if (shared === here.length && shared < there.length) return down.slice(1);
  // Two characters are taken for a drive: `\ab` to `\abc` is `c`.
  if (start.length === 2 && goalHasStart && goal.length > 2) return down;
  if (goal.length === 2 && startHasGoal && start.length > 2) return upFrom(start.slice(3).split('\\').filter(Boolean));
  if (shared === there.length && shared < here.length) return upFrom(here.slice(shared));
  // The same names, once as a share and once not.
  if (shared === here.length) shared--;
  if (shared > 0) return [upFrom(here.slice(shared)), ...there.slice(shared)].join('\\');
  // `\foo` to `\foobar` is `..foobar`. From drive to drive there is no way.
  return goalHasStart || startHasGoal ? upFrom(here) + goal : to;
}

// Puts `path` before the `rest` that was found in the paths after it, until it is known where
// they start. What is on another device has no say.
function putBefore(found, path) {
  const root = splitRoot(path);
  if (found.device === '') found.device = root.device;
  else if (root.device !== '' && root.device.toLowerCase() !== found.device.toLowerCase()) return;
  if (found.absolute) return;
  found.rest = `${path.slice(root.end)}\\${found.rest}`;
  found.absolute = root.absolute;
}

module.exports = {
  resolve(...paths) {
    const found = { device: '', rest: '', absolute: false };
    const complete = () => found.absolute && found.device !== '';
    for (let i = paths.length - 1; i >= 0 && !complete(); i--) {
      validateString(paths[i], `paths[${i}]`);
      putBefore(found, paths[i]);
    }
    if (!complete()) putBefore(found, common.currentDirectory());
    const names = common.collapse(split(found.rest), !found.absolute).join('\\');
    return `${found.device}${found.absolute ? '\\' : ''}${names}` || '.';
  },

  normalize(path) {
    validateString(path, 'path');
    if (path === '') return '.';
    if (path.length === 1) return path === '/' ? '\\' : path;
    const root = splitRoot(path);
    if (root.unc && root.end === path.length) return `${root.device}\\`;
    const reserved = RESERVED.exec(path);
    if (reserved !== null) Object.assign(root, { device: reserved[0], end: reserved[0].length });
    let kept = common.collapse(split(path.slice(root.end)), !root.absolute).join('\\');
    if (kept === '' && !root.absolute) kept = '.';
    if (kept !== '' && isSeparator(path[path.length - 1])) kept += '\\';
    if (reserved !== null || (root.device === '' && !root.absolute && looksLikeDrive(path, kept))) {
      return `.\\${root.device}${kept}`;
    }
    return root.absolute ? `${root.device}\\${kept}` : `${root.device}${kept}`;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return isSeparator(path[0]) || (isDrive(path) && isSeparator(path[2]));
  },

  join(...paths) {
    const parts = [];
    for (const path of paths) {
      validateString(path, 'path');
      if (path !== '') parts.push(path);
    }
    if (parts.length === 0) return '.';
    let joined = parts.join('\\');
    // Only a first part that is meant as a network path may start with two separators; joining
    // must not make one by accident.
    const meant = /^[\\/]{2}(?![\\/])./.test(parts[0]) || /^[\\/]{2}$/.test(parts[0]);
    if (!meant) joined = joined.replace(/^[\\/]{2,}/, '\\');
    return module.exports.normalize(joined);
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    const here = module.exports.resolve(from);
    const there = module.exports.resolve(to);
    if (here.toLowerCase() === there.toLowerCase()) return '';
    return sameLength(here) && sameLength(there) ? byCharacters(here, there) : byNames(here, there);
  },

  toNamespacedPath(path) {
    if (typeof path !== 'string' || path === '') return path;
    const resolved = module.exports.resolve(path);
    if (/^\\\\[^?.]/.test(resolved)) return `\\\\?\\UNC\\${resolved.slice(2)}`;
    if (/^[A-Za-z]:\\/.test(resolved)) return `\\\\?\\${resolved}`;
    return resolved.length <= 2 ? path : resolved;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path === '') return '.';
    const root = splitRoot(path, false);
    if (root.unc && root.end === path.length) return path;
    // The separator after `\\server\share` belongs to the root here.
    const rootEnd = root.unc ? root.end + 1 : root.end;
    const [start] = common.lastComponent(path, rootEnd, isSeparator);
    if (start > rootEnd) return path.slice(0, start - 1);
    return rootEnd === 0 ? '.' : path.slice(0, rootEnd);
  },

  basename(path, suffix) {
    return common.basename(path, suffix, afterDrive, isSeparator);
  },

  extname(path) {
    validateString(path, 'path');
    return common.extensionOf(path.slice(...common.lastComponent(path, afterDrive(path), isSeparator)));
  },

  format: common._format.bind(null, '\\'),

  parse(path) {
    validateString(path, 'path');
    const root = splitRoot(path, false);
    let rootEnd = root.end;
    if (root.unc && rootEnd < path.length) rootEnd++;
    const [start, end] = common.lastComponent(path, rootEnd, isSeparator);
    const { base, ext, name } = common.nameParts(path.slice(start, end));
    const dir = start > rootEnd ? path.slice(0, start - 1) : path.slice(0, rootEnd);
    return { root: path.slice(0, rootEnd), dir, base, ext, name };
  },

  matchesGlob(path, pattern) {
    return require('internal/glob').matches(path, pattern, true);
  },

  sep: '\\',
  delimiter: ';',
  win32: null,
  posix: null,
};
