// Shell patterns for path.matchesGlob: `*`, `?`, classes, `**` over whole segments, brace
// expansion and the extended forms such as `@(a|b)`. A backslash is a separator here, never an
// escape, on both systems; names that start with a dot need a pattern that says so.
'use strict';

const { validateString } = require('internal/validators');

const GLOBSTAR = '**';

function matches(path, pattern, windows) {
  validateString(path, 'path');
  validateString(pattern, 'pattern');
  if (pattern === '') return path === '';
  const file = tidySegments(split(windows ? path.replaceAll('\\', '/') : path, windows));
  for (const plain of expandBraces(pattern.replaceAll('\\', '/'))) {
    for (const segments of spreadGlobstars(split(plain, windows))) {
      const steps = tidySegments(segments).map((segment) => (segment === GLOBSTAR ? GLOBSTAR : segmentTest(segment)));
      if (matchesFrom(file, 0, steps, 0)) return true;
    }
  }
  return false;
}

// Runs of slashes count as one, except where they start a Windows network path.
function split(path, windows) {
  const segments = path.split(/\/+/);
  return windows && /^\/\/[^/]/.test(path) ? ['', ...segments] : segments;
}

// Drops `.` and empty segments from the middle and lets `name/..` cancel out.
function tidySegments(segments) {
  const kept = segments.filter((segment, i) => {
    if (i === 0 || i === segments.length - 1) return true;
    // The second of two empty ones starts a network path.
    return i === 1 && segment === '' ? segments[0] === '' : segment !== '.' && segment !== '';
  });
  if (kept.length === 2 && kept[0] === '.' && (kept[1] === '.' || kept[1] === '')) kept.pop();
  let at = 0;
  while ((at = kept.indexOf('..', at + 1)) !== -1) {
    const before = kept[at - 1];
    if (before === '' || before === '.' || before === '..' || before === GLOBSTAR) continue;
    kept.splice(at - 1, 2, ...(at === 1 && kept[at + 1] === GLOBSTAR ? ['.'] : []));
    if (kept.length === 0) kept.push('');
    at = Math.max(at - 2, 0);
  }
  return kept;
}

// `a/**/../b` stands for `a/../b` and for `a/**/b`, since the `..` undoes one level at most.
function spreadGlobstars(segments) {
  const collapsed = segments.filter((segment, i) => segment !== GLOBSTAR || segments[i + 1] !== GLOBSTAR);
  for (let i = 0; i + 2 < collapsed.length; i++) {
    const after = collapsed[i + 2];
    if (collapsed[i] !== GLOBSTAR || collapsed[i + 1] !== '..') continue;
    if (after === '.' || after === '..') continue;
    const without = collapsed.toSpliced(i, 1);
    const within = collapsed.toSpliced(i + 1, 1);
    return [...spreadGlobstars(without), ...spreadGlobstars(within)];
  }
  return [collapsed];
}

function matchesFrom(file, fileAt, steps, stepAt) {
  for (; fileAt < file.length && stepAt < steps.length; fileAt++, stepAt++) {
    const step = steps[stepAt];
    if (step !== GLOBSTAR) {
      if (!step(file[fileAt])) return false;
      continue;
    }
    const last = stepAt === steps.length - 1;
    for (; fileAt < file.length; fileAt++) {
      if (!last && matchesFrom(file, fileAt, steps, stepAt + 1)) return true;
      if (file[fileAt][0] === '.') return false;
    }
    return last;
  }
  if (stepAt < steps.length) return false;
  return fileAt === file.length || (fileAt === file.length - 1 && file[fileAt] === '');
}

// A test for one segment; most segments have nothing special and compare as they are.
function segmentTest(segment) {
  if (!/[*?[\]]|[@+!]\(/.test(segment)) return (name) => name === segment;
  const regexp = new RegExp(`^${segmentSource(segment)}$`, 'u');
  return (name) => name !== '.' && name !== '..' && regexp.test(name);
}

const literal = (char) => char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
const classMember = (char) => char.replace(/[\\^[\]-]/, '\\$&');

// The regular expression for a segment. `atStart` is whether a dot could still be the first
// character of the name here; `tail` is the source of what follows, which a negation needs.
function segmentSource(segment, atStart = true, tail = '') {
  if (segment === '') return '';
  const extended = extendedAt(segment);
  if (extended !== null) {
    const rest = segmentSource(segment.slice(extended.length), false, tail);
    return extendedSource(extended, rest, atStart, tail) + rest;
  }
  const noDot = atStart ? '(?!\\.)' : '';
  if (segment[0] === '*') {
    const stars = /^(?:\*(?!\())+/.exec(segment)[0].length;
    const rest = segmentSource(segment.slice(stars), false, tail);
    return `${noDot}${atStart && rest === '' ? '[^/]+?' : '[^/]*?'}${rest}`;
  }
  if (segment[0] === '?') return `${noDot}[^/]${segmentSource(segment.slice(1), false, tail)}`;
  if (segment[0] === '[') {
    const found = classAt(segment);
    if (found !== null) return `${noDot}${found.source}${segmentSource(segment.slice(found.length), false, tail)}`;
  }
  return literal(segment[0]) + segmentSource(segment.slice(1), false, tail);
}

// The alternatives of `@(a|b)` and its relatives at the start of the text, nested ones included.
function extendedAt(text) {
  if (!/^[@?*+!]\(/.test(text)) return null;
  const alternatives = [];
  let from = 2;
  let depth = 1;
  for (let i = 2; i < text.length; i++) {
    if (/^[@?*+!]\(/.test(text.slice(i, i + 2))) {
      depth++;
      i++;
    } else if (text[i] === '|' && depth === 1) {
      alternatives.push(text.slice(from, i));
      from = i + 1;
    } else if (text[i] === ')' && --depth === 0) {
      alternatives.push(text.slice(from, i));
      return { kind: text[0], alternatives, length: i + 1 };
    }
  }
  return null;
}

function extendedSource({ kind, alternatives }, rest, atStart, tail) {
  const inner = alternatives.map((one) => segmentSource(one, atStart, rest + tail)).join('|');
  if (kind === '!') {
    const noDot = atStart ? '(?!\\.)' : '';
    const some = alternatives.includes('') ? '[^/]+?' : '[^/]*?';
    return `(?:(?!(?:${inner})${rest}${tail}$)${noDot}${some})`;
  }
  return `(?:${inner})${kind === '@' ? '' : kind}`;
}

const NAMED_CLASSES = {
  alnum: '\\p{L}\\p{Nl}\\p{Nd}', alpha: '\\p{L}\\p{Nl}', ascii: '\\x00-\\x7f', blank: '\\p{Zs}\\t',
  cntrl: '\\p{Cc}', digit: '\\p{Nd}', lower: '\\p{Ll}', print: '\\P{C}', punct: '\\p{P}',
  space: '\\p{Z}\\t\\r\\n\\v\\f', upper: '\\p{Lu}', word: '\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}', xdigit: 'A-Fa-f0-9',
};

// A class such as `[a-z]` or `[!x]` at the start of the text. Without its bracket it is text.
function classAt(text) {
  const negated = text[1] === '!' || text[1] === '^';
  let i = negated ? 2 : 1;
  const first = i;
  let members = '';
  for (; i < text.length; i++) {
    if (text[i] === ']' && i > first) {
      if (members === '') return { source: negated ? '[^/]' : '[^\\s\\S]', length: i + 1 };
      return { source: `[${negated ? '^' : ''}${members}]`, length: i + 1 };
    }
    const named = /^\[:(\w+):\]/.exec(text.slice(i));
    if (named !== null && NAMED_CLASSES[named[1]] !== undefined) {
      members += NAMED_CLASSES[named[1]];
      i += named[0].length - 1;
    } else if (text[i + 1] === '-' && i + 2 < text.length && text[i + 2] !== ']') {
      if (text[i] <= text[i + 2]) members += `${classMember(text[i])}-${classMember(text[i + 2])}`;
      i += 2;
    } else {
      members += classMember(text[i]);
    }
  }
  return null;
}

// `a{b,c}d` becomes `abd` and `acd`; `{1..3}` counts; braces that offer no choice are text.
function expandBraces(pattern) {
  for (let open = pattern.indexOf('{'); open !== -1; open = pattern.indexOf('{', open + 1)) {
    const found = bracesAt(pattern, open);
    if (found === null || pattern[open - 1] === '$') continue;
    const choices = found.parts.length > 1 ? found.parts.flatMap(expandBraces) : sequence(found.parts[0]);
    if (choices === null) continue;
    const before = pattern.slice(0, open);
    const after = expandBraces(pattern.slice(found.end));
    return choices.flatMap((choice) => after.map((end) => before + choice + end));
  }
  return [pattern];
}

function bracesAt(pattern, open) {
  const parts = [];
  let from = open + 1;
  let depth = 0;
  for (let i = open; i < pattern.length; i++) {
    if (pattern[i] === '{') depth++;
    else if (pattern[i] === ',' && depth === 1) {
      parts.push(pattern.slice(from, i));
      from = i + 1;
    } else if (pattern[i] === '}' && --depth === 0) {
      parts.push(pattern.slice(from, i));
      return { parts, end: i + 1 };
    }
  }
  return null;
}

function sequence(text) {
  const found = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$|^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/.exec(text);
  if (found === null) return null;
  const numeric = found[1] !== undefined;
  const from = numeric ? Number(found[1]) : found[4].charCodeAt(0);
  const to = numeric ? Number(found[2]) : found[5].charCodeAt(0);
  const step = Math.max(Math.abs(Number(found[3] ?? found[6] ?? 1)), 1);
  const padded = numeric && [found[1], found[2]].some((end) => /^-?0\d/.test(end));
  const width = padded ? Math.max(found[1].length, found[2].length) : 0;
  const choices = [];
  for (let n = from; from <= to ? n <= to : n >= to; n += from <= to ? step : -step) {
    if (!numeric) choices.push(String.fromCharCode(n));
    else if (n < 0) choices.push(`-${String(-n).padStart(width - 1, '0')}`);
    else choices.push(String(n).padStart(width, '0'));
  }
  return choices;
}

module.exports = { matches };
