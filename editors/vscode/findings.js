// What `hemiola test --explore --format json` found, as marks in files. Knows nothing of the editor.
'use strict';

/**
 * A mark for each test that is flaky: `{ file, line, label, message, command, related: [{ file, line, column,
 * message }] }`. Lines and columns count from 1, files are as Hemiola names them.
 */
function marks(report) {
  if (report.version !== 1) throw new Error(`hemiola reports in version ${report.version}; this extension knows version 1`);
  const found = [];
  for (const test of report.tests) {
    if (test.outcome !== 'flaky') continue;
    const failure = test.failures[0];
    const rare = failure?.class === 'slow' ? ', only if answers are slow' : '';
    const sides = failure?.race?.sides ?? [];
    found.push({
      file: test.file,
      line: test.line ?? 1,
      label: `≈ flaky: fails in ${test.failing} of ${test.schedules} schedules`,
      message: [
        `“${test.name}” fails in ${test.failing} of ${test.schedules} schedules${rare}.`,
        ...(failure ? [failure.message.split('\n')[0]] : []),
        ...(failure?.race ? [`The race behind it: ${failure.race.what}`] : []),
      ].join('\n'),
      command: failure?.command,
      related: sides.map(({ does, place }) => ({ ...place, message: `${does} ${failure.race.what}` })),
    });
  }
  return found;
}

/** What is said when exploring is over. */
function summary({ summary: { tests, flaky, failed, broken } }) {
  const parts = [`${tests} ${tests === 1 ? 'test' : 'tests'}`, `${flaky} flaky`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (broken > 0) parts.push(`${broken} not explored`);
  return parts.join(', ');
}

module.exports = { marks, summary };
