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

async function* junit(source) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n';
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const space = '\t'.repeat(data.nesting + 1);
    const seconds = ((data.details?.duration_ms ?? 0) / 1000).toFixed(6);
    const open = `${space}<testcase name="${escape(data.name)}" time="${seconds}" classname="test"`;
    if (type === 'test:pass' && data.skip === undefined && data.todo === undefined) {
      yield `${open}/>\n`;
      continue;
    }
    yield `${open}>\n`;
    if (data.skip !== undefined) yield `${space}\t<skipped type="skipped" message="${escape(data.skip)}"/>\n`;
    if (data.todo !== undefined) yield `${space}\t<skipped type="todo" message="${escape(data.todo)}"/>\n`;
    if (type === 'test:fail') {
      const { error } = data.details;
      const { inspect } = require('internal/util/inspect');
      yield `${space}\t<failure type="${escape(error?.failureType)}" message="${escape(error?.message ?? '')}">\n` +
        `${escape(inspect(error)).replaceAll('&#10;', '\n')}\n${space}\t</failure>\n`;
    }
    yield `${space}</testcase>\n`;
  }
  yield '</testsuites>\n';
}

module.exports = { dot, junit, spec: reporter('internal/test/spec'), tap: reporter('internal/test/tap') };
