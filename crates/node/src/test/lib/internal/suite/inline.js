// Writes inline snapshots into test files: each is the last argument of a call at a known place.
'use strict';

const { readFileSync, writeFileSync } = require('fs');

const quoted = (text) => `\`${text.replace(/`|\\|\$\{/g, '\\$&')}\``;

const linesOf = (text) => text.split('\n').length;

// Where a string, a template, a comment or one character ends.
function skip(text, at) {
  const mark = text[at];
  if (mark === '/' && text[at + 1] === '/') {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (mark === '/' && text[at + 1] === '*') {
    const end = text.indexOf('*/', at + 2);
    return end < 0 ? text.length : end + 2;
  }
  if (mark !== '"' && mark !== '\'' && mark !== '`') return at + 1;
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (mark === '`' && text[end] === '$' && text[end + 1] === '{') end = closing(text, end + 2) - 1;
    else if (text[end] === mark) return end + 1;
  }
  return text.length;
}

// After the bracket that closes what is open before `at`.
function closing(text, at) {
  let depth = 1;
  let end = at;
  while (end < text.length && depth > 0) {
    if ('([{'.includes(text[end])) depth++;
    if (')]}'.includes(text[end])) depth--;
    end = skip(text, end);
  }
  return end;
}

// The call of that name nearest to a place: after it on its line, or else before.
function callAt(text, { line, column, name }) {
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1;
  const here = start + column - 1;
  const pattern = new RegExp(`${name}\\s*\\(`, 'g');
  let best;
  for (const found of text.matchAll(pattern)) {
    const distance = Math.abs(found.index - here);
    if (best === undefined || distance < best.distance) best = { at: found.index + found[0].length, distance, start: found.index };
  }
  return best;
}

// The arguments of a call: from where to where each is.
function argumentsOf(text, at) {
  const end = closing(text, at) - 1;
  const list = [];
  let from = at;
  for (let here = at; here < end;) {
    if (text[here] === ',') {
      list.push([from, here]);
      from = here + 1;
    }
    here = '([{'.includes(text[here]) ? closing(text, here + 1) : skip(text, here);
  }
  if (text.slice(from, end).trim() !== '') list.push([from, end]);
  return { end, list };
}

function written(text, found, value) {
  const lineStart = text.lastIndexOf('\n', found.start) + 1;
  const [space] = /^[ \t]*/.exec(text.slice(lineStart));
  if (!value.includes('\n')) return quoted(value);
  const lines = value.slice(1, -1).split('\n').map((line) => (line === '' ? '' : `${space}  ${line}`));
  return quoted(`\n${lines.join('\n')}\n${space}`);
}

/// Writes snapshots into their files. Says of each file after which lines how many came in.
exports.write = function write(snapshots) {
  const files = new Map();
  const moves = [];
  for (const snapshot of snapshots) files.set(snapshot.file, [...files.get(snapshot.file) ?? [], snapshot]);
  for (const [file, list] of files) {
    let text = readFileSync(file, 'utf8');
    const calls = new Map();
    for (const snapshot of list) {
      const found = callAt(text, snapshot);
      if (found !== undefined) calls.set(found.at, { found, text: snapshot.text });
    }
    // From the end, so that the places before stay where they are.
    for (const { found, text: value } of [...calls.values()].sort((a, b) => b.found.at - a.found.at)) {
      const { end, list: args } = argumentsOf(text, found.at);
      const made = written(text, found, value);
      const before = text;
      const last = args.at(-1);
      const isOld = last !== undefined && /^\s*[`'"]/.test(text.slice(...last));
      if (isOld) text = text.slice(0, last[0]) + text.slice(last[0], last[1]).replace(/\S[^]*$/, () => made) + text.slice(last[1]);
      else text = text.slice(0, end) + (last === undefined ? '' : ', ') + made + text.slice(end);
      moves.push({ file, after: linesOf(before.slice(0, end)), by: linesOf(text) - linesOf(before) });
    }
    writeFileSync(file, text);
  }
  return moves;
};
