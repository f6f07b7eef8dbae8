// Where and why a text is not JSON, as V8 says it.
'use strict';

// How much of a text is shown on either side of what is wrong, and when all of it is.
const AROUND = 10;
const SHORT = 20;

exports.explain = function explain(given) {
  if (typeof given === 'symbol') return undefined;
  let text;
  try {
    text = String(given);
  } catch {
    return undefined;
  }
  let at = 0;
  let problem;
  const fail = (why) => {
    problem ??= { why, at };
    return false;
  };
  const space = () => {
    while (/[ \t\n\r]/.test(text[at] ?? '')) at += 1;
  };
  const isDigit = () => text[at] >= '0' && text[at] <= '9';
  // What comes here fits nowhere.
  const stray = (expected) => {
    if (at >= text.length) return fail(expected === undefined ? 'end' : expected);
    if (expected !== undefined) return fail(expected);
    if (isDigit() || text[at] === '-') return fail('Unexpected number');
    if (text[at] === '"') return fail('Unexpected string');
    return fail('token');
  };
  function string() {
    at += 1;
    while (at < text.length) {
      const char = text[at];
      if (char === '"') {
        at += 1;
        return true;
      }
      if (char < ' ') return fail('Bad control character in string literal');
      if (char === '\\') {
        at += 1;
        if (text[at] === 'u') {
          for (let digit = 0; digit < 4; digit += 1) {
            at += 1;
            if (at >= text.length) return fail('Bad Unicode escape');
            if (!/[\da-fA-F]/.test(text[at])) return fail('Bad Unicode escape');
          }
        } else if (at >= text.length) return fail('Unterminated string');
        else if (!'"\\/bfnrt'.includes(text[at])) return fail('Bad escaped character');
      }
      at += 1;
    }
    return fail('Unterminated string');
  }
  function number() {
    if (text[at] === '-') {
      at += 1;
      if (!isDigit()) return fail('No number after minus sign');
    }
    if (text[at] === '0') {
      at += 1;
      if (isDigit()) return fail('Unexpected number');
    } else while (isDigit()) at += 1;
    if (text[at] === '.') {
      at += 1;
      if (!isDigit()) return fail('Unterminated fractional number');
      while (isDigit()) at += 1;
    }
    if (text[at] === 'e' || text[at] === 'E') {
      at += 1;
      if (text[at] === '+' || text[at] === '-') at += 1;
      if (!isDigit()) return fail('Exponent part is missing a number');
      while (isDigit()) at += 1;
    }
    return true;
  }
  function word(wanted) {
    for (const char of wanted) {
      if (text[at] !== char) return stray();
      at += 1;
    }
    return true;
  }
  // Without recursion: a text may nest deeper than the stack.
  const open = [];
  let expects = 'value';
  for (;;) {
    space();
    const inside = open.at(-1);
    if (expects === 'value' || expects === 'first value') {
      const char = text[at];
      if (expects === 'first value' && char === ']') {
        at += 1;
        open.pop();
        expects = 'after';
        continue;
      }
      let good = true;
      if (char === '{') {
        at += 1;
        open.push('{');
        expects = 'first key';
        continue;
      }
      if (char === '[') {
        at += 1;
        open.push('[');
        expects = 'first value';
        continue;
      }
      if (char === '"') good = string();
      else if (isDigit() || char === '-') good = number();
      else if (char === 't') good = word('true');
      else if (char === 'f') good = word('false');
      else if (char === 'n') good = word('null');
      else good = stray();
      if (!good) break;
      expects = 'after';
    } else if (expects === 'key' || expects === 'first key') {
      if (expects === 'first key' && text[at] === '}') {
        at += 1;
        open.pop();
        expects = 'after';
        continue;
      }
      if (text[at] !== '"') {
        stray(expects === 'key' ? 'Expected double-quoted property name' : "Expected property name or '}'");
        break;
      }
      if (!string()) break;
      space();
      if (text[at] !== ':') {
        stray("Expected ':' after property name");
        break;
      }
      at += 1;
      expects = 'value';
    } else if (inside === undefined) {
      if (at >= text.length) return undefined;
      fail('Unexpected non-whitespace character after JSON');
      problem.isAfter = true;
      break;
    } else if (text[at] === ',') {
      at += 1;
      expects = inside === '{' ? 'key' : 'value';
    } else if (text[at] === (inside === '{' ? '}' : ']')) {
      at += 1;
      open.pop();
    } else {
      stray(inside === '{' ? "Expected ',' or '}' after property value" : "Expected ',' or ']' after array element");
      break;
    }
  }
  return { message: worded(problem, text), text, at: text === '[object Object]' ? 1 : problem.at };
};

function worded({ why, at: place, isAfter }, text) {
  // What a value has become that was no text.
  if (/^(?:undefined|NaN|Infinity|\[object Object\])$/.test(text)) return `"${text}" is not valid JSON`;
  if (why === 'end') return 'Unexpected end of JSON input';
  if (why !== 'token') return isAfter ? `${why} at position ${place}` : `${why} in JSON at position ${place}`;
  const token = String.fromCodePoint(text.codePointAt(place));
  if (text.length <= SHORT) return `Unexpected token '${token}', "${text}" is not valid JSON`;
  const start = place < AROUND ? 0 : place - AROUND;
  const end = place >= text.length - AROUND ? text.length : place + AROUND;
  return `Unexpected token '${token}', ${start > 0 ? '...' : ''}"${text.slice(start, end)}"${end < text.length ? '... ' : ' '}is not valid JSON`;
}
