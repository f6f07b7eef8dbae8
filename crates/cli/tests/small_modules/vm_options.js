// What options of vm must be, also those that change little.
const vm = require('vm');

function tell(name, use, options) {
  let outcome = 'taken';
  try {
    use(options);
  } catch ({ code, message }) {
    outcome = `${code} ${message}`;
  }
  console.log(name, options, outcome);
}

const shared = [
  { lineOffset: 2 ** 31 }, { lineOffset: 2 ** 31 - 1 }, { columnOffset: -(2 ** 31) - 1 }, { columnOffset: -(2 ** 31) }, { lineOffset: 1.5 },
  { lineOffset: 'a' }, { columnOffset: null }, { filename: 5 }, { cachedData: 5 }, { produceCachedData: 1 }, { importModuleDynamically: 5 },
];
for (const options of shared) {
  tell('compileFunction', (given) => vm.compileFunction('', [], given), options);
  tell('Script', (given) => new vm.Script('', given), options);
  tell('runInThisContext', (given) => vm.runInThisContext('', given), options);
}
const { USE_MAIN_CONTEXT_DEFAULT_LOADER: importModuleDynamically } = vm.constants;
tell('Script', (given) => new vm.Script('', given), { importModuleDynamically });
for (const options of [{ parsingContext: {} }, { contextExtensions: 5 }, { contextExtensions: [5] }, { contextExtensions: [{}] }]) {
  tell('compileFunction', (given) => vm.compileFunction('', [], given), options);
}
// A script may begin as a file does.
for (const text of ['#!/bin/sh\n1', '#!\n2', '#!x', ' #!x']) tell('runInThisContext', () => console.log(vm.runInThisContext(text)), text);
