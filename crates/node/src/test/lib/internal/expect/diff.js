// How two values or texts differ, line by line, in jest's form.
'use strict';

const { asymmetric, format } = require('internal/expect/print');

const CONTEXT = 5;
const MOST = 4_000_000;

// The longest common subsequence of two lists of lines, as pairs of indices.
function common(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const pairs = [];
  for (let at = 0; at < start; at++) pairs.push([at, at]);
  pairs.push(...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)).map(([x, y]) => [x + start, y + start]));
  for (let at = end; at > 0; at--) pairs.push([a.length - at, b.length - at]);
  return pairs;
}

function middle(a, b) {
  if (a.length * b.length > MOST) return [];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let x = a.length - 1; x >= 0; x--) {
    for (let y = b.length - 1; y >= 0; y--) {
      lengths[x * width + y] = a[x] === b[y]
        ? lengths[(x + 1) * width + y + 1] + 1
        : Math.max(lengths[(x + 1) * width + y], lengths[x * width + y + 1]);
    }
  }
  const pairs = [];
  for (let x = 0, y = 0; x < a.length && y < b.length;) {
    if (a[x] === b[y]) pairs.push([x++, y++]);
    else if (lengths[(x + 1) * width + y] >= lengths[x * width + y + 1]) x++;
    else y++;
  }
  return pairs;
}

// Lines with a mark each: what is only in the first, only in the second, in both.
function marked(a, b, compareA, compareB) {
  const lines = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...common(compareA, compareB), [a.length, b.length]]) {
    while (x < nextX) lines.push(['-', a[x++]]);
    while (y < nextY) lines.push(['+', b[y++]]);
    if (x < a.length && y < b.length && nextX < a.length) {
      lines.push([' ', b[y++]]);
      x++;
    }
  }
  return lines;
}

const written = ([mark, text]) => (text === '' ? mark : `${mark} ${text}`).trimEnd() || '';

// Long stretches without a difference are left out, and what follows says where it is.
function hunks(lines) {
  const isChanged = lines.map(([mark]) => mark !== ' ');
  const keep = lines.map((_, at) => {
    for (let near = Math.max(0, at - CONTEXT); near <= Math.min(lines.length - 1, at + CONTEXT); near++) if (isChanged[near]) return true;
    return false;
  });
  // A gap of a single line is no gap.
  if (keep.every(Boolean)) return lines.map(written);
  const text = [];
  let [x, y] = [1, 1];
  for (let at = 0; at < lines.length;) {
    if (!keep[at]) {
      at++;
      x++;
      y++;
      continue;
    }
    let end = at;
    while (end < lines.length && keep[end]) end++;
    const part = lines.slice(at, end);
    const count = (mark) => part.filter(([own]) => own !== mark).length;
    const [inA, inB] = [count('+'), count('-')];
    text.push(`@@ -${x},${inA} +${y},${inB} @@`, ...part.map(written));
    x += inA;
    y += inB;
    at = end;
  }
  return text;
}

function annotated(lines, a = 'Expected', b = 'Received') {
  const counts = ['-', '+'].map((mark) => `${lines.filter(([own]) => own === mark).length}`);
  const width = Math.max(...counts.map((count) => count.length));
  const names = Math.max(a.length, b.length);
  const head = (mark, name, count) => `${mark} ${name.padEnd(names)}  ${mark} ${count.padStart(width)}`;
  return `${head('-', a, counts[0])}\n${head('+', b, counts[1])}\n\n`;
}

/// How two texts differ, with the names of both.
function diffLines(a, b, names = []) {
  const [x, y] = [a.split('\n'), b.split('\n')];
  const lines = marked(x, y, x, y);
  return annotated(lines, ...names) + hunks(lines).join('\n');
}

// Maps and sets have no order that counts, and holes of lists are not seen.
function sorted(value) {
  if (Array.isArray(value)) return [...value];
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Map]') return new Map([...value].sort());
  return tag === '[object Set]' ? new Set([...value].sort()) : value;
}

/// How two values differ.
function diffValues(a, b, names = []) {
  const print = (options) => [sorted(a), sorted(b)].map((value) => format(value, { plugins: [asymmetric], ...options }).split('\n'));
  const [x, y] = print({});
  if (x.join('\n') === y.join('\n')) return 'Compared values have no visual difference.';
  const [flatX, flatY] = print({ indent: 0 });
  const lines = marked(x, y, flatX, flatY);
  return annotated(lines, ...names) + hunks(lines).join('\n');
}

module.exports = { diffLines, diffValues };
