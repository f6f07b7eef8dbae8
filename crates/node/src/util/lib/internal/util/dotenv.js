// Reading the text of an .env file.
'use strict';

const { validateString } = require('internal/validators');

const quotes = new Set(['"', "'", '`']);

// Only blanks count as space; a tab is part of a name or value.
function trim(text) {
  return text.replace(/^ +| +$/g, '');
}

/// The variables of the text, in the order of their names.
function parseEnv(content) {
  validateString(content, 'content');
  const found = { __proto__: null };
  let rest = trim(content.replaceAll('\r', ''));
  while (rest !== '') {
    if (rest[0] === '\n' || rest[0] === '#') {
      const end = rest.indexOf('\n');
      if (end !== -1) {
        rest = rest.slice(end + 1);
        continue;
      }
    }
    const equals = rest.indexOf('=');
    if (equals === -1) break;
    let key = trim(rest.slice(0, equals));
    if (key === '') break;
    if (key.startsWith('export ')) key = key.slice(7);
    const { value, after } = readValue(trim(rest.slice(equals + 1)));
    if (value !== undefined) found[key] = value;
    rest = after;
  }
  // A plain object, on which a variable called __proto__ leaves no trace.
  const result = {};
  for (const key of Object.keys(found).sort()) result[key] = found[key];
  return result;
}

// Reads the value at the start of the text and says what follows it.
function readValue(text) {
  if (!quotes.has(text[0])) {
    const [line, after] = splitLine(text, 0);
    return { value: trim(line.replace(/#.*/, '')), after };
  }
  const close = text.indexOf(text[0], 1);
  if (close === -1) {
    // Without a closing quote the quote is part of the value. On the last line there is no value;
    // another variable may follow on it.
    const [line, after] = splitLine(text, 0);
    return line === text ? { value: undefined, after: text } : { value: line, after };
  }
  const inside = text.slice(1, close);
  // What stands between the closing quote and the end of its line is dropped.
  const [, after] = splitLine(text, close + 1);
  return { value: text[0] === '"' ? inside.replaceAll('\\n', '\n') : inside, after };
}

// The text up to the next line break, and the text from that break on.
function splitLine(text, from) {
  const end = text.indexOf('\n', from);
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end)];
}

module.exports = { parseEnv };
