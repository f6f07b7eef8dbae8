// node:test/reporters: what tests tell, as text. Each takes the events of a run and gives pieces of text.
'use strict';

const { unfold } = require('internal/test/events');

function reporter(file) {
  return async function* report(source) {
    const { start, event } = require(file).createReporter({ colors: false });
    const text = start();
    if (text !== '') yield text;
    for await (const told of source) {
      const text = event(...unfold(told));
      if (text !== '') yield text;
    }
    const last = event('end', {});
    if (last !== '') yield last;
  };
}

// One character for each test, twenty to a line; then those that failed.
async function* dot(source) {
  let count = 0;
  const failed = [];
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    if (event.type === 'test:fail') failed.push(event);
    yield event.type === 'test:pass' ? '.' : 'X';
    if (++count % 20 === 0) yield '\n';
  }
  yield '\n';
  if (failed.length === 0) return;
  yield '\nFailed tests:\n\n';
  const { failure } = require('internal/test/spec').createReporter({ colors: false });
  for (const event of failed) yield failure(unfold(event)[1]);
}

const escape = (text) => `${text}`.replace(/[&<>"\n]/g, (character) => `&${
  { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', '\n': '#10' }[character]};`);

const indented = (nesting) => '\t'.repeat(nesting + 1);
const seconds = ({ details }) => ((details?.duration_ms ?? 0) / 1000).toFixed(6);
const isLeftOut = ({ skip, todo }) => skip !== undefined || todo !== undefined;

// What is told within a test, in the order in which it is: one with others in it is a suite to JUnit.
class Within {
  #text = '';
  #tests = [];

  comment(text) {
    this.#text += text;
  }

  add(type, data, text) {
    this.#text += text;
    this.#tests.push({ isFailed: type === 'test:fail', isLeftOut: isLeftOut(data) });
  }

  get isSuite() { return this.#tests.length > 0; }

  suite(data) {
    const space = indented(data.nesting);
    const count = (name) => this.#tests.filter((test) => test[name]).length;
    return `${space}<testsuite name="${escape(data.name)}" time="${seconds(data)}" disabled="0" errors="0" ` +
      `tests="${this.#tests.length}" failures="${count('isFailed')}" skipped="${count('isLeftOut')}" ` +
      `hostname="${escape(require('os').hostname())}">\n${this.#text}${space}</testsuite>\n`;
  }
}

function testcase(type, data) {
  const space = indented(data.nesting);
  const error = type === 'test:fail' ? data.details.error : undefined;
  const failed = type === 'test:fail' ? ` failure="${escape(error?.message ?? '')}"` : '';
  const open = `${space}<testcase name="${escape(data.name)}" time="${seconds(data)}" classname="test"${failed}`;
  if (type === 'test:pass' && !isLeftOut(data)) return `${open}/>\n`;
  let text = `${open}>\n`;
  if (data.skip !== undefined) text += `${space}\t<skipped type="skipped" message="${escape(data.skip)}"/>\n`;
  if (data.todo !== undefined) text += `${space}\t<skipped type="todo" message="${escape(data.todo)}"/>\n`;
  if (type === 'test:fail') {
    const { inspect } = require('internal/util/inspect');
    text += `${space}\t<failure type="${escape(error?.failureType)}" message="${escape(error?.message ?? '')}">\n` +
      `${escape(inspect(error)).replaceAll('&#10;', '\n')}\n${space}\t</failure>\n`;
  }
  return `${text}${space}</testcase>\n`;
}

// What is said of a test is a comment, in which two dashes may not stand.
const comment = ({ nesting, message }) => `${indented(nesting)}<!-- ${message.replaceAll('--', '&#45;&#45;')} -->\n`;

async function* junit(source) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n';
  // The tests that have begun, by how deep they are.
  const open = [];
  for await (const { type, data } of source) {
    const around = open[data.nesting - 1];
    if (type === 'test:start') {
      open[data.nesting] = new Within();
    } else if (type === 'test:diagnostic') {
      if (around === undefined) yield comment(data);
      else around.comment(comment(data));
    } else if (type === 'test:pass' || type === 'test:fail') {
      const [within] = open.splice(data.nesting);
      const text = within?.isSuite ? within.suite(data) : testcase(type, data);
      if (around === undefined) yield text;
      else around.add(type, data, text);
    }
  }
  yield '</testsuites>\n';
}

module.exports = { dot, junit, spec: reporter('internal/test/spec'), tap: reporter('internal/test/tap') };
