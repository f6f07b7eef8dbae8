// What a project does before all of its test files and after them: globalSetup and globalTeardown of jest and vitest.
'use strict';

const process = require('internal/process');
const failures = require('internal/suite/failures');
const report = require('internal/suite/report');

const { exit } = process;

/// Does what comes before and tells that it is done; when standard input ends, what comes after.
async function run(settings) {
  // It may take as long as it wants.
  report.tell('plain', {});
  try {
    const before = { ...process.env };
    const provided = { ...settings.provide };
    const after = await begin(settings, provided);
    const env = Object.fromEntries(Object.entries(process.env).filter(([name, value]) => before[name] !== value));
    report.tell('ready', { settings: { env: { ...settings.env, ...env }, provide: provided } });
    await inputEnd();
    for (const fn of after) await fn();
    report.tell('done', {});
  } catch (error) {
    report.broken(failures.of(error));
  }
  exit();
}

function inputEnd() {
  return new Promise((resolve) => {
    process.stdin.on('end', resolve).on('error', resolve).resume();
  });
}

// What is to be called in the end.
async function begin(settings, provided) {
  const { flavour, globalSetup = [], globalTeardown = [], root } = settings;
  const after = [];
  for (const file of globalSetup) {
    const { fn, module } = await loaded(file);
    if (flavour === 'vitest') {
      const setup = module.setup ?? fn;
      const undo = await setup?.({ config: { root }, onTestsRerun() {}, provide(key, value) { provided[key] = value; } });
      // The last one that was set up is undone first.
      const teardown = module.teardown ?? undo;
      if (typeof teardown === 'function') after.unshift(teardown);
    } else {
      if (typeof fn !== 'function') throw new TypeError(`${file}: globalSetup file must export a function`);
      await fn({ rootDir: root }, { rootDir: root });
    }
  }
  for (const file of globalTeardown) {
    const { fn } = await loaded(file);
    if (typeof fn !== 'function') throw new TypeError(`${file}: globalTeardown file must export a function`);
    after.push(() => fn({ rootDir: root }, { rootDir: root }));
  }
  return after;
}

async function loaded(file) {
  const module = await import(binding.fileUrl(file));
  const fn = module.default?.default ?? module.default;
  return { fn, module };
}

module.exports = { run };
