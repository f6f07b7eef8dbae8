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

// Windows compares names without case. Where lower-casing keeps every length, Node compares
// character by character, and one path being the start of another has results of its own:
// `\foo` to `\foobar` is `..foobar`. Otherwise it compares segment by segment.
function relativeResolved(here, there) {
  const hereLower = here.toLowerCase();
  const thereLower = there.toLowerCase();
  if (hereLower === thereLower) return '';
  if (hereLower.length !== here.length || thereLower.length !== there.length) return relativeSegments(here, there);
  const from = trim(hereLower);
  const to = trim(thereLower);
  const toOriginal = trim(there);
  const length = Math.min(from.length, to.length);
  let same = 0;
  while (same < length && from[same] === to[same]) same++;
  let shared = from.lastIndexOf('\\', same - 1);
  if (same === 0) shared = -1;
  if (same !== length) {
    if (shared === -1) return there;
  } else {
    if (to.length > length) {
      // These two also keep the separator at the end of a share's root.
      const untrimmed = there.replace(/^\\+/, '');
      if (to[length] === '\\') return untrimmed.slice(length + 1);
      if (length === 2) return untrimmed.slice(length);
    } else if (from.length > length) {
      if (from[length] === '\\') shared = length;
      else if (length === 2) shared = 3;
    }
    if (shared === -1) shared = 0;
  }
  const levels = from.length > shared ? from.slice(shared + 1).split('\\').length : 0;
  const up = Array(levels).fill('..').join('\\');
  const rest = toOriginal.slice(shared);
  return up === '' ? rest.replace(/^\\/, '') : `${up}${rest}`;
}

function relativeSegments(here, there) {
  const segments = (path) => (path.endsWith('\\') ? path.slice(0, -1) : path).split('\\');
  const from = segments(here);
  const to = segments(there);
  let shared = 0;
  while (shared < Math.min(from.length, to.length) && from[shared].toLowerCase() === to[shared].toLowerCase()) shared++;
  if (shared === 0) return there;
  return [...from.slice(shared).fill('..'), ...to.slice(shared)].join('\\');
}

module.exports = {
  resolve(...paths) {
    let device = '';
    let tail = '';
    let absolute = false;
    for (let i = paths.length - 1; i >= -1; i--) {
      let path;
      if (i >= 0) {
        path = paths[i];
        validateString(path, `paths[${i}]`);
        if (path === '') continue;
      } else {
        path = common.currentDirectory();
        // A drive has a directory of its own, which a system without drives does not know.
        if (device !== '' && path.slice(0, 2).toLowerCase() !== device.toLowerCase() && path[2] === '\\') {
          path = `${device}\\`;
        }
      }
      const root = splitRoot(path);
      if (root.device !== '') {
        if (device === '') device = root.device;
        else if (root.device.toLowerCase() !== device.toLowerCase()) continue;
      }
      if (absolute) {
        if (device !== '') break;
        continue;
      }
      tail = `${path.slice(root.end)}\\${tail}`;
      absolute = root.absolute;
      if (absolute && device !== '') break;
    }
    const kept = common.collapse(split(tail), !absolute).join('\\');
    return absolute ? `${device}\\${kept}` : `${device}${kept}` || '.';
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
    if (from === to) return '';
    const here = module.exports.resolve(from);
    const there = module.exports.resolve(to);
    return here === there ? '' : relativeResolved(here, there);
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
