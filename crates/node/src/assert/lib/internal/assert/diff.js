// What differs between two values, line by line of their inspected forms.
//
// Messages are never coloured and never depend on a terminal's width: a run shows the same text
// wherever it is repeated.
'use strict';

const { inspect } = require('internal/util/inspect');

const headings = {
  __proto__: null,
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
};

// Two short values stand side by side; two that fit a line together get a caret below them.
const SHORT = 12;
const LINE_WIDTH = 80;
// A diff ends when it has printed more lines than this; a value shown whole is cut after it.
const MOST_LINES = 50;
const LINES_OF_CUT_VALUE = 46;

function inspectValue(value) {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

/// The message of a failed strictEqual or deepStrictEqual. `heading` replaces Node's first line.
function describeDifference(actual, expected, operator, heading) {
  const left = inspectValue(actual).split('\n');
  const right = inspectValue(expected).split('\n');
  const byReference = operator === 'strictEqual' && areReferences(actual, expected);
  heading ||= headings[byReference ? 'strictEqualObject' : operator];

  let caret = '';
  if (left.length === 1 && right.length === 1 && left[0] !== right[0]) {
    const length = left[0].length + right[0].length;
    if (length <= SHORT) {
      // 0 and -0 are left out, for `0 !== -0` would be untrue.
      if (!isObject(actual) && !isObject(expected) && (actual !== 0 || expected !== 0)) {
        return `${heading}\n\n${left[0]} !== ${right[0]}\n`;
      }
    } else if (!byReference && length < LINE_WIDTH) {
      caret = caretBelow(left[0], right[0]);
    }
  }

  const tail = takeCommonTail(left, right);
  if (left.length === 0 && right.length === 0) {
    const lines = collapse(tail);
    return `Values have same structure but are not reference-equal:\n\n${lines.join('\n')}\n`;
  }
  const diff = new LineDiff(left, right);
  const title = `${heading}\n+ actual - expected`;
  if (diff.tooLong) return `${title} ... Lines skipped\n${diff.text}`;
  const { text: ending, skipped } = describeTail(tail);
  return `${title}${diff.skipped || skipped ? ' ... Lines skipped' : ''}\n${diff.text}${ending}${caret}`;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function areReferences(actual, expected) {
  return (isObject(actual) && isObject(expected)) ||
    (typeof actual === 'function' && typeof expected === 'function');
}

// A difference within the first characters is plain to see without a caret.
function caretBelow(left, right) {
  let column = 0;
  while (left[column] === right[column]) column++;
  return column > 2 ? `\n  ${' '.repeat(column)}^` : '';
}

// Cuts off and returns the last lines that both sides share.
function takeCommonTail(left, right) {
  let count = 0;
  while (count < left.length && count < right.length && left.at(-1 - count) === right.at(-1 - count)) {
    count++;
  }
  right.length -= count;
  return left.splice(left.length - count, count);
}

// The line next to the difference and the last three stay.
function describeTail(tail) {
  const skipped = tail.length > 4;
  const lines = tail.map((line) => `  ${line}`);
  if (skipped) lines.splice(1, lines.length - 4, '...');
  return { text: lines.map((line) => `\n${line}`).join(''), skipped };
}

/// Keeps a value of many lines from filling the screen.
function collapse(lines) {
  return lines.length > MOST_LINES ? [...lines.slice(0, LINES_OF_CUT_VALUE), '...'] : lines;
}

// Compares line with line: there is no search for lines that moved. Of a run of equal lines the
// first two and the last two are shown; lines that are only expected wait until the run of
// differing lines ends, so that they stand together.
class LineDiff {
  text = '';
  skipped = false;
  tooLong = false;
  #waiting = '';
  #printed = 0;
  #equalRun = 0;

  constructor(left, right) {
    const shared = Math.min(left.length, right.length);
    const longer = left.length < right.length ? right : left;
    for (let i = 0; i < longer.length; i++) {
      if (i >= shared) {
        this.#endEqualRun(longer, i);
        if (longer === left) this.#print(`+ ${left[i]}`);
        else this.#expect(right[i]);
      } else if (differ(left[i], right[i])) {
        this.#endEqualRun(left, i);
        this.#print(`+ ${left[i]}`);
        this.#expect(right[i]);
      } else {
        this.#addEqual(left[i].length < right[i].length ? right[i] : left[i]);
      }
      if (this.#printed > MOST_LINES && i < longer.length - 2) {
        this.text += `\n...${this.#waiting}\n...`;
        this.tooLong = true;
        return;
      }
    }
    this.text += this.#waiting;
  }

  #print(line) {
    this.text += `\n${line}`;
    this.#printed++;
  }

  #expect(line) {
    this.#waiting += `\n- ${line}`;
    this.#printed++;
  }

  #addEqual(line) {
    this.text += this.#waiting;
    this.#waiting = '';
    this.#equalRun++;
    if (this.#equalRun <= 2) this.#print(`  ${line}`);
  }

  // Shows the last lines of the run that ends before line `end`.
  #endEqualRun(lines, end) {
    const hidden = this.#equalRun - 2;
    this.#equalRun = 0;
    if (hidden <= 0) return;
    let shown = hidden;
    // One skipped line would take as much room as the dots.
    if (hidden > 3) {
      this.text += '\n...';
      this.skipped = true;
      shown = 2;
    }
    for (let i = end - shown; i < end; i++) this.#print(`  ${lines[i]}`);
  }
}

// A comma behind the last element of only one side is no difference.
function differ(left, right) {
  return left !== right && left !== `${right},` && `${left},` !== right;
}

module.exports = { describeDifference, inspectValue, collapse };
