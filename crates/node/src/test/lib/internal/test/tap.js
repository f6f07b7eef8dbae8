// Reports as TAP version 13, with details in the YAML that Node writes.
'use strict';

const { inspect } = require('internal/util/inspect');

const INSPECT = { __proto__: null, colors: false, breakLength: Infinity };
const indent = (nesting) => '    '.repeat(nesting);

// Failures that stand for an error of the program, which is then shown in their place.
const WRAPPERS = new Set(['testCodeFailure', 'hookFailed', 'uncaughtException', 'unhandledRejection']);

// In this order, so that the backslash of an escaped control character is escaped once more, as in Node.
const ESCAPES = [
  ['\b', '\\b'], ['\f', '\\f'], ['\t', '\\t'], ['\n', '\\n'], ['\r', '\\r'], ['\v', '\\v'], ['\\', '\\\\'], ['#', '\\#'],
];
const escape = (text) => ESCAPES.reduce((out, [from, to]) => out.replaceAll(from, to), text);

function createReporter() {
  return {
    start: () => 'TAP version 13\n',
    event(type, data) {
      switch (type) {
        case 'start': return `${indent(data.nesting)}# Subtest: ${escape(data.name)}\n`;
        case 'plan': return `${indent(data.nesting)}1..${data.count}\n`;
        case 'diagnostic': return `${indent(data.nesting)}# ${escape(data.message)}\n`;
        case 'pass': return `${resultLine(data, 'ok')}${details(data, undefined)}`;
        case 'stdout':
        case 'stderr': return data.message.split(/\r?\n/).filter((line) => line !== '').map((line) => `# ${escape(line)}\n`).join('');
        case 'fail': return `${resultLine(data, 'not ok')}${details(data, data.location)}`;
        default: return '';
      }
    },
  };
}

function resultLine({ nesting, testNumber, name, skip, todo }, status) {
  const words = [`${indent(nesting)}${status} ${testNumber}`];
  if (name) words.push('-', escape(name));
  for (const [directive, reason] of [['SKIP', skip], ['TODO', todo]]) {
    if (reason === undefined) continue;
    words.push('#', directive);
    if (typeof reason === 'string' && reason !== '') words.push(escape(reason));
    break;
  }
  return `${words.join(' ')}\n`;
}

function details({ nesting, duration, type, error }, location) {
  const space = indent(nesting);
  const place = location && `${location.file}:${location.line}:${location.column}`;
  return [
    `${space}  ---\n`,
    yaml(space, 'duration_ms', duration),
    yaml(space, 'type', type),
    yaml(space, 'location', place),
    yaml(space, null, error, new Set()),
    `${space}  ...\n`,
  ].join('');
}

// One entry of a map. Without a name the value is an error, whose entries stand for themselves.
function yaml(space, name, value, seen) {
  if (value === undefined) return '';
  const prefix = `${space}  ${name}:`;
  if (value === null) return `${prefix} ~\n`;
  if (typeof value === 'string') {
    const lines = value.split(/\n|\r\n/);
    if (lines.length === 1) return `${prefix} ${inspect(value, INSPECT)}\n`;
    return `${prefix} |-\n${lines.map((line) => `${space}    ${line}\n`).join('')}`;
  }
  if (typeof value !== 'object') return `${prefix} ${inspect(value, INSPECT)}\n`;
  if (seen.has(value)) return `${prefix} <Circular>\n`;
  seen.add(value);

  const isError = value instanceof Error;
  let inner = space;
  let text = '';
  if (name !== null) {
    text += `${prefix}${value instanceof Date ? ` ${value.toISOString()}` : ''}\n`;
    inner += '  ';
  }
  for (const [key, item] of Object.entries(value)) {
    if (isError && (key === 'cause' || key === 'code')) continue;
    text += yaml(inner, key, item, seen);
  }
  return isError ? text + errorYaml(space, value, seen) : text;
}

const hasValues = (error) => error !== null && typeof error === 'object' && 'expected' in error && 'actual' in error;

function errorYaml(space, error, seen) {
  const { cause } = error;
  const wraps = error.code === 'ERR_TEST_FAILURE' && WRAPPERS.has(error.failureType);
  const get = (name) => (wraps ? cause?.[name] : undefined) ?? error[name];
  let text = yaml(space, 'error', get('message') ?? '<unknown error>', seen);
  if (get('code')) text += yaml(space, 'code', get('code'), seen);
  if (get('name') && get('name') !== 'Error') text += yaml(space, 'name', get('name'), seen);
  const assertion = wraps && hasValues(cause) ? cause : hasValues(error) ? error : null;
  if (assertion !== null) {
    text += yaml(space, 'expected', assertion.expected, seen);
    text += yaml(space, 'actual', assertion.actual, seen);
    if (get('operator')) text += yaml(space, 'operator', get('operator'), seen);
  }
  return text + stackYaml(space, wraps ? cause?.stack : undefined);
}

// The frames alone. A failure that the runner made itself has no place in the program to show.
function stackYaml(space, stack) {
  if (typeof stack !== 'string') return '';
  const frames = stack.split(/\n|\r\n/).filter((line) => /^ {4}at /.test(line)).map((line) => line.slice(7));
  return frames.length === 0 ? '' : `${space}  stack: |-\n${frames.map((frame) => `${space}    ${frame}\n`).join('')}`;
}

module.exports = { createReporter };
