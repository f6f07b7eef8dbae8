// Reports for people: a line per test, indented under its suite, and what failed once more at the end.
// From `binding`, through node:path: cwd.
'use strict';

const { inspect } = require('internal/util/inspect');
const path = require('path');

const SYMBOLS = { pass: '\u2714 ', fail: '\u2716 ', diagnostic: '\u2139 ', skip: '\ufe63 ', parent: '\u25b6 ' };
const COLORS = {
  pass: '\x1b[32m', fail: '\x1b[31m', diagnostic: '\x1b[34m', skip: '\x1b[90m', gray: '\x1b[90m', end: '\x1b[39m',
};

const indent = (nesting) => '  '.repeat(nesting);

function createReporter({ colors }) {
  const color = (name) => (colors ? COLORS[name] : '');
  // Tests that were announced and have shown nothing yet, the innermost first, and those whose name
  // is already above their children.
  const announced = [];
  const opened = [];
  const failed = [];

  function formatError(error, space) {
    if (error === undefined) return '';
    const shown = error.code === 'ERR_TEST_FAILURE' ? error.cause : error;
    const text = inspect(shown, { colors, breakLength: Infinity });
    return `\n${space}  ${text.split(/\n|\r\n/).join(`\n${space}  `)}\n`;
  }

  function formatResult(type, data, space, hasChildren) {
    const { error, duration, skip, todo } = data;
    let title = data.name;
    if (duration) title += ` ${color('gray')}(${duration}ms)${color('end')}`;
    const directive = skip !== undefined ? ['SKIP', skip] : todo !== undefined ? ['TODO', todo] : null;
    if (directive !== null) {
      const [word, message] = directive;
      title += ` # ${typeof message === 'string' && message !== '' ? message : word}`;
    }
    let errorText = formatError(error, space);
    if (hasChildren) errorText = error === undefined || error.failureType === 'subtestsFailed' ? '' : `\n${errorText}`;
    const kind = skip !== undefined ? 'skip' : type;
    return `${space}${color(kind)}${SYMBOLS[kind]}${title}${color('end')}${errorText}`;
  }

  function formatEnded(type, data) {
    announced.shift();
    let text = '';
    while (announced.length > 0) {
      const parent = announced.pop();
      opened.unshift(parent);
      text += `${indent(parent.nesting)}${SYMBOLS.parent}${parent.name}\n`;
    }
    const hasChildren = opened.length > 0 && opened[0].nesting === data.nesting && opened[0].name === data.name;
    if (hasChildren) opened.shift();
    return `${text}${formatResult(type, data, indent(data.nesting), hasChildren)}\n`;
  }

  function formatFailed() {
    if (failed.length === 0) return '';
    let text = `\n${color('fail')}${SYMBOLS.fail}failing tests:${color('end')}\n`;
    for (const data of failed) {
      const { location } = data;
      const place = location ? `${path.relative(path.resolve(), location.file)}:${location.line}:${location.column}` : '';
      text += `\ntest at ${place}\n${formatResult('fail', data, '', false)}`;
    }
    return text;
  }

  return {
    start: () => '',
    /// A test that failed, by itself.
    failure: (data) => formatResult('fail', data, '', false),
    event(type, data) {
      switch (type) {
        case 'start':
          announced.unshift(data);
          return '';
        case 'fail':
          if (data.error?.failureType !== 'subtestsFailed') failed.push(data);
          return formatEnded(type, data);
        case 'pass': return formatEnded(type, data);
        case 'stdout':
        case 'stderr': return data.message;
        case 'diagnostic':
          return `${color(type)}${indent(data.nesting)}${SYMBOLS.diagnostic}${data.message}${color('end')}\n`;
        case 'end': return formatFailed();
        default: return '';
      }
    },
  };
}

module.exports = { createReporter };
