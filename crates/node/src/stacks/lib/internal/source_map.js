// Source maps, as the format of version 3 says, and the class by which programs read them.
'use strict';

const { structuredClone } = require('internal/structured_clone');
const { validateObject } = require('internal/validators');

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// The numbers of a segment: digits to the base of 32, the lowest first; the lowest bit is the sign. A zero that has it
// is the least number of 32 bits.
function* numbers(segment) {
  let [value, shift] = [0, 0];
  for (const letter of segment) {
    const digit = LETTERS.indexOf(letter);
    value += (digit & 31) * 2 ** shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    yield value === 1 ? -(2 ** 31) : (value % 2 === 1 ? -1 : 1) * Math.floor(value / 2);
    [value, shift] = [0, 0];
  }
}

// What a map says, in the order of what was made: line, column, source, its line and column, name.
function entriesOf(map, line = 0, column = 0) {
  if (map.sections) return map.sections.flatMap(({ map: inner, offset }) => entriesOf(inner, line + offset.line, column + offset.column));
  const { sources = [] } = map;
  const entries = [];
  let [source, sourceLine, sourceColumn, name, text] = [0, 0, 0, 0, undefined];
  String(map.mappings ?? '').split(';').forEach((segments, at) => {
    let place = at === 0 ? column : 0;
    for (const segment of segments.split(',')) {
      const [move, ofSource, ofLine, ofColumn, ofName] = numbers(segment);
      if (move === undefined) continue;
      place += move;
      if (ofSource === undefined) {
        entries.push([line + at, place]);
        continue;
      }
      source += ofSource;
      sourceLine += ofLine;
      sourceColumn += ofColumn;
      // As in Node, a name holds until the next.
      if (ofName !== undefined) text = map.names?.[name += ofName];
      entries.push([line + at, place, sources[source], sourceLine, sourceColumn, text]);
    }
  });
  return entries.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

class SourceMap {
  #payload;
  #entries;
  #lineLengths;

  constructor(payload, { lineLengths } = {}) {
    validateObject(payload, 'payload');
    this.#payload = structuredClone(payload);
    this.#lineLengths = lineLengths;
    this.#entries = entriesOf(payload);
  }

  get payload() {
    return structuredClone(this.#payload);
  }

  get lineLengths() {
    return this.#lineLengths === undefined ? undefined : [...this.#lineLengths];
  }

  /// The entry that holds at a place, both numbers from 0.
  findEntry(lineOffset, columnOffset) {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [line, column] = this.#entries[middle];
      if (line < lineOffset || (line === lineOffset && column <= columnOffset)) low = middle + 1;
      else high = middle;
    }
    const found = this.#entries[low - 1];
    if (found === undefined) return {};
    const [generatedLine, generatedColumn, originalSource, originalLine, originalColumn, name] = found;
    return { generatedLine, generatedColumn, originalSource, originalLine, originalColumn, name };
  }

  /// The place in a source, all numbers from 1.
  findOrigin(lineNumber, columnNumber) {
    const entry = this.findEntry(lineNumber - 1, columnNumber - 1);
    const { originalSource, originalLine, originalColumn, generatedLine, generatedColumn, name } = entry;
    if (originalSource === undefined || originalLine === undefined || originalColumn === undefined) return {};
    return {
      name,
      fileName: originalSource,
      lineNumber: originalLine + lineNumber - generatedLine,
      columnNumber: originalColumn + columnNumber - generatedColumn,
    };
  }
}

exports.SourceMap = SourceMap;
