// The source text of a call, found from its place in a stack: `assert` shows it.
// Uses binding.readFile.
'use strict';

function offsetOf(source, line, column) {
  let at = 0;
  for (let left = line - 1; left > 0; left--) {
    at = source.indexOf('\n', at) + 1;
    if (at === 0) return -1;
  }
  return at + column - 1;
}

const isWord = (character) => character !== undefined && /[\w$\u0080-\uffff]/.test(character);

function skipSpaceBack(source, at) {
  while (/\s/.test(source[at - 1] ?? '')) at--;
  return at;
}

// Where the expression begins whose last name is at `at`: names with dots between them. -1 for anything
// else, which takes a parser.
function startOf(source, at) {
  for (;;) {
    let before = skipSpaceBack(source, at);
    if (source[before - 1] !== '.') return at;
    before = skipSpaceBack(source, before - (source[before - 2] === '?' ? 2 : 1));
    if (!isWord(source[before - 1])) return -1;
    at = before;
    while (isWord(source[at - 1])) at--;
  }
}

const opening = '([{';
const closing = ')]}';

// The place after the bracket that closes the one at `at`; -1 if there is none.
function endOf(source, at) {
  const open = [];
  // Whether a slash would begin a regular expression: it does unless a value came before.
  let isValue = false;
  while (at < source.length) {
    const character = source[at];
    const token = skippable.find(([pattern, needsNoValue]) => {
      if (needsNoValue && isValue) return false;
      pattern.lastIndex = at;
      return pattern.test(source);
    });
    if (token !== undefined) {
      at = token[0].lastIndex;
      if (!token[2]) isValue = true;
    } else if (character === '`') {
      at = templateEnd(source, at + 1);
      if (at < 0) return -1;
      isValue = true;
    } else {
      at++;
      if (opening.includes(character)) open.push(character);
      else if (closing.includes(character)) {
        if (opening.indexOf(open.pop()) !== closing.indexOf(character)) return -1;
        if (open.length === 0) return at;
      }
      isValue = closing.includes(character);
    }
  }
  return -1;
}

// Pattern, whether it is one only where no value came before, and whether it is as good as nothing.
const skippable = [
  [/\s+/y, false, true],
  [/\/\/[^\n]*/y, false, true],
  [/\/\*[^]*?\*\//y, false, true],
  [/'(?:[^'\\\n]|\\[^])*'/y, false, false],
  [/"(?:[^"\\\n]|\\[^])*"/y, false, false],
  [/(?:return|typeof|case|in|of|delete|void|await|yield|instanceof|new)\b/y, false, true],
  [/[\w$#\u0080-\uffff]+/y, false, false],
  [/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y, true, false],
];

function templateEnd(source, at) {
  while (at < source.length) {
    if (source[at] === '`') return at + 1;
    if (source[at] === '\\') at += 2;
    else if (source[at] === '$' && source[at + 1] === '{') {
      at = endOf(source, at + 1);
      if (at < 0) return -1;
    } else at++;
  }
  return -1;
}

// How far before the place in the stack the call may begin.
const REACH = 10_000;

/// The text of the call of an assertion at the top of a stack, and the column where it begins; undefined
/// if it cannot be found.
///
/// The engine's place of a call is somewhere in it, often in its last argument; so the call is the
/// innermost one around that place whose function goes by a name of assertions.
exports.getCallSiteSource = function getCallSiteSource(stack) {
  const place = /^    at (?:.* \()?(?:file:\/\/)?(\/[^\n]*?):(\d+):(\d+)\)?$/m.exec(stack);
  const source = place === null ? undefined : binding.readFile?.(place[1]);
  if (source === undefined) return undefined;
  const at = offsetOf(source, Number(place[2]), Number(place[3]));
  if (at < 0) return undefined;
  const first = Math.max(0, at - REACH);
  const calls = [...source.slice(first, at + REACH).matchAll(/(?<![\w$])(?:assert|ok|strict)\s*\(/g)];
  const around = calls.findLast(({ index, 0: text }) => {
    const name = first + index;
    return name <= at && endOf(source, name + text.length - 1) > at;
  });
  if (around === undefined) return undefined;
  const name = first + around.index;
  const start = startOf(source, name);
  if (start < 0) return undefined;
  const end = endOf(source, name + around[0].length - 1);
  return { text: source.slice(start, end), column: start - (source.lastIndexOf('\n', start - 1) + 1) };
};
