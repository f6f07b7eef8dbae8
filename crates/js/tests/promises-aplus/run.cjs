// Runs the tests of Promises/A+ on the global Promise, under Hemiola or Node:
//
//     run.cjs FOLDER [LABEL]
//
// FOLDER is where npm has installed promises-aplus-tests. With a LABEL everything happens in an action of
// that clock, so that every continuation has a context to keep. The package's own command needs files and
// processes of mocha; what its tests use of mocha is below. No test has a time limit: one that never calls
// `done` leaves the program with nothing to do, and is noticed there.
'use strict';

const path = require('path');

const [folder, label = ''] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: run.cjs FOLDER [LABEL], where FOLDER has node_modules/promises-aplus-tests in it');
  process.exit(2);
}

const tests = [];
const titles = [];
let hooks = { before: [], after: [] };

global.describe = (title, body) => {
  const outer = hooks;
  hooks = { before: [...outer.before], after: [...outer.after] };
  titles.push(title);
  body.call({});
  titles.pop();
  hooks = outer;
};
global.specify = global.it = (title, body) => {
  tests.push({ title: [...titles, title].join(' / '), body, hooks });
};
global.beforeEach = (hook) => void hooks.before.push(hook);
global.afterEach = (hook) => void hooks.after.unshift(hook);

const deferred = () => {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};
global.adapter = {
  deferred,
  resolved: (value) => Promise.resolve(value),
  rejected: (reason) => Promise.reject(reason),
};

const testFiles = ['2.1.2', '2.1.3', '2.2.1', '2.2.2', '2.2.3', '2.2.4', '2.2.5', '2.2.6', '2.2.7', '2.3.1', '2.3.2', '2.3.3', '2.3.4'];
for (const name of testFiles) {
  require(path.resolve(folder, 'node_modules/promises-aplus-tests/lib/tests', name));
}

let passed = 0;
const failures = [];
let running = -1;
// Ends the running test; what comes of an earlier one is told, too.
let end = () => {};

function start(index) {
  running = index;
  if (index === tests.length) {
    report();
    return;
  }
  const test = tests[index];
  let ended = false;
  end = (error) => {
    if (ended) {
      failures.push(`${test.title}: ended twice`);
      return;
    }
    ended = true;
    if (error === undefined) passed += 1;
    else failures.push(`${test.title}: ${error?.stack ?? error}`);
    for (const hook of test.hooks.after) hook();
    setImmediate(start, index + 1);
  };
  const { hooks: { before }, body } = test;
  try {
    for (const hook of before) hook();
    body.call({}, end);
    if (body.length === 0) end();
  } catch (error) {
    end(error);
  }
}

function report() {
  for (const failure of failures) console.log(failure);
  console.log(`${tests.length} tests, ${passed} passed, ${failures.length} failures`);
  process.exitCode = passed === tests.length && failures.length === 0 ? 0 : 1;
}

// Many tests reject promises that nobody looks at.
process.on('unhandledRejection', () => {});
process.on('uncaughtException', (error) => end(error));
process.on('beforeExit', () => {
  if (running < tests.length) end(new Error('it never called done'));
});

setTimeout(() => start(0), 1, label);
