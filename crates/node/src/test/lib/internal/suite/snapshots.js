// Snapshots: what values looked like when a test was last found to be right, in a file beside the test file or
// in the test itself.
'use strict';

// Test files replace these.
const { existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } = require('fs');
const { diffLines } = require('internal/expect/diff');
const { asymmetric, format, mockFunction } = require('internal/expect/print');
const project = require('internal/suite/project');
const report = require('internal/suite/report');
const failures = require('internal/suite/failures');

const HEADS = {
  // As jest has it from version 30 on, which reads nothing else; those before read this, too.
  jest: '// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing',
  oldJest: '// Jest Snapshot v1, https://goo.gl/fbAQLP',
  vitest: '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html',
};

const serializers = [];
const counts = new Map();
// What was made of inline snapshots: a place and a text each.
const inlines = [];
const told = { obsolete: 0, removed: 0, unmatched: 0, updated: 0, written: 0 };
let kept = null;
// Whether a test has been told that they cannot be read.
let isRefused = false;

const isVitest = () => project.settings.flavour === 'vitest';

function pathOf(file) {
  const { snapshotDirectory = '__snapshots__' } = project.settings;
  const at = file.lastIndexOf('/');
  return `${file.slice(0, at)}/${snapshotDirectory}${file.slice(at)}.snap`;
}

// The first line of files with snapshots, as the project's own runner writes it.
function headOf() {
  if (isVitest()) return HEADS.vitest;
  try {
    const { version } = JSON.parse(readFileSync(`${project.settings.root}/node_modules/jest/package.json`, 'utf8'));
    return Number.parseInt(version, 10) < 30 ? HEADS.oldJest : HEADS.jest;
  } catch {
    // It is not installed.
    return HEADS.jest;
  }
}

// The snapshots of the test file, read when the first one is asked for.
function stored() {
  if (kept !== null) return kept;
  const path = pathOf(project.settings.file);
  kept = { data: new Map(), head: headOf(), isChanged: false, path, used: new Set() };
  if (!existsSync(path)) return kept;
  const text = readFileSync(path, 'utf8');
  const [first] = text.split('\n');
  const found = { __proto__: null };
  try {
    new Function('exports', text)(found);
  } catch (error) {
    kept = null;
    isRefused = true;
    throw new Error(`cannot read the snapshots in ${path}: ${error.message}. Repair the file, or remove it and run with --update-snapshots`);
  }
  if (first.startsWith('// ') && first !== kept.head) {
    // jest wants those of an earlier version written anew.
    if (project.settings.update === 'all') kept.isChanged = true;
    else kept.head = first;
  }
  kept.data = new Map(Object.entries(found));
  return kept;
}

function serialize(value) {
  const plugins = [...serializers, mockFunction, asymmetric];
  return format(value, { escapeRegex: true, escapeString: false, plugins, printBasicPrototype: false, printFunctionName: false }).replace(/\r\n?/g, '\n');
}

const broken = (text) => (text.includes('\n') ? `\n${text}\n` : text);
const unbroken = (text) => (text.length > 2 && text.startsWith('\n') && text.endsWith('\n') ? text.slice(1, -1) : text);

function keyOf(expectation, hint) {
  const name = expectation.state.currentTestName ?? '';
  const whole = hint === undefined ? name : `${name}${isVitest() ? ' > ' : ': '}${hint}`;
  const count = (counts.get(whole) ?? 0) + 1;
  counts.set(whole, count);
  return `${whole} ${count}`;
}

/// Compares a value with its snapshot, and makes a new one where that is wanted.
function match({ error, expectation, hint, inline, isInline, name, received }) {
  const text = broken(serialize(received));
  const key = keyOf(expectation, hint);
  if (isInline) return matchInline({ error, inline, name, text });
  const store = stored();
  store.used.add(key);
  const expected = store.data.get(key);
  return judge(text, expected, key, (isNew) => {
    store.data.set(key, text);
    store.isChanged = true;
    if (isNew) told.written++;
    else told.updated++;
  });
}

function judge(text, expected, key, write) {
  const { update } = project.settings;
  if (expected === undefined) {
    if (update === 'none') {
      told.unmatched++;
      return {
        pass: false,
        text: `${named(key)}New snapshot was not written, because none is with CI set in the environment. Run with --update-snapshots to write it.\n\nReceived: ${text}`,
      };
    }
    write(true);
    return { pass: true };
  }
  if (expected === text || (isVitest() && expected.trim() === text.trim())) return { pass: true };
  if (update === 'all') {
    write(false);
    return { pass: true };
  }
  told.unmatched++;
  return { pass: false, text: `${named(key)}${different(unbroken(expected), unbroken(text))}` };
}

const named = (key) => (key === undefined ? '' : `Snapshot name: \`${key}\`\n\n`);

function different(expected, received) {
  if (!expected.includes('\n') && !received.includes('\n')) return `Snapshot: ${expected}\nReceived: ${received}`;
  return diffLines(expected, received, ['Snapshot', 'Received']);
}

function matchInline({ error, inline, name, text }) {
  const expected = inline === undefined ? undefined : withoutIndentation(inline);
  return judge(text, expected, undefined, (isNew) => {
    const place = failures.of(error).places[0];
    if (place === undefined) throw new Error(`cannot find where ${name} was called`);
    const { file, line, column } = place;
    const made = inlines.find((one) => one.file === file && one.line === line && one.column === column);
    if (made !== undefined && made.text !== text) {
      throw new Error(`${name} was called here with several values, and one snapshot cannot be all of them`);
    }
    if (made !== undefined) return;
    inlines.push({ ...place, name, text });
    if (isNew) told.written++;
    else told.updated++;
  });
}

// The text as it would be at the start of a line.
function withoutIndentation(text) {
  const lines = text.split('\n');
  if (lines.length <= 2 || lines[0].trim() !== '' || lines.at(-1).trim() !== '') return text;
  const [space] = /^\s*/.exec(lines[1]);
  const stripped = [];
  for (const line of lines.slice(1, -1)) {
    if (line !== '' && !line.startsWith(space)) return text;
    stripped.push(line.slice(space.length));
  }
  return `\n${stripped.join('\n')}\n`;
}

function matchFile(value, path) {
  const file = path[0] === '/' ? path : require('path').resolve(project.settings.file, '..', path);
  const text = typeof value === 'string' ? value : serialize(value);
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  return judge(text, expected, path, (isNew) => {
    mkdirSync(require('path').dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (isNew) told.written++;
    else told.updated++;
  });
}

// What a snapshot of an error shows.
function ofError(error) {
  if (isVitest()) return error;
  return typeof error?.message === 'string' ? error.message : error;
}

// Texts in the order in which people count.
function natural(a, b) {
  const parts = (text) => text.match(/\d+|\D+/g) ?? [];
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    if (left[at] === right[at]) continue;
    const [x, y] = [Number(left[at]), Number(right[at])];
    if (!Number.isNaN(x) && !Number.isNaN(y) && x !== y) return x - y;
    return left[at] < right[at] ? -1 : 1;
  }
  return left.length - right.length;
}

const quoted = (text) => `\`${text.replace(/`|\\|\$\{/g, '\\$&')}\``;

function write({ data, head, path }) {
  if (data.size === 0) {
    if (existsSync(path)) unlinkSync(path);
    return;
  }
  const entries = [...data].sort(([a], [b]) => natural(a, b)).map(([key, text]) => `exports[${quoted(key)}] = ${quoted(text)};`);
  mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
  writeFileSync(path, `${head}\n\n${entries.join('\n\n')}\n`);
}

// What no test has asked for any more.
function sweep() {
  const { grep, names, only, update, wanted } = project.settings;
  if (grep !== undefined || names !== undefined || only || wanted !== undefined) return;
  if (kept === null && !existsSync(pathOf(project.settings.file))) return;
  const store = stored();
  const skipped = report.skippedNames.map((path) => path.join(isVitest() ? ' > ' : ' '));
  for (const key of [...store.data.keys()]) {
    if (store.used.has(key) || skipped.some((name) => key.startsWith(name))) continue;
    if (update === 'all') {
      store.data.delete(key);
      store.isChanged = true;
      told.removed++;
    } else {
      told.obsolete++;
    }
  }
}

/// Writes what is new, and tells how much that is.
function finish() {
  if (!isRefused) {
    try {
      sweep();
    } catch (error) {
      report.broken(failures.of(error));
      return;
    }
  }
  if (kept?.isChanged) write(kept);
  if (inlines.length > 0) {
    const moves = require('internal/suite/inline').write(inlines);
    // What was told of these files is now some lines below. The files of a world of its own nobody sees.
    if (!project.settings.explore) report.tell('moved', { moves });
  }
  if (Object.values(told).some((count) => count > 0)) report.tell('snapshots', told);
}

module.exports = {
  addSerializer: (serializer) => serializers.unshift(serializer),
  finish,
  match,
  matchFile,
  ofError,
  /// A test begins, perhaps once more: its snapshots are counted from the first.
  restart(name) {
    for (const key of [...counts.keys()]) if (key === name || key.startsWith(`${name}: `) || key.startsWith(`${name} > `)) counts.delete(key);
  },
};
