// Stores in text that is evaluated: by `eval`, as a function made of text, as a script. And how such functions show.
const { AsyncLocalStorage } = require('async_hooks');
const vm = require('vm');
const store = new AsyncLocalStorage();
globalThis.show = (...what) => console.log(...what, store.getStore());
const waits = (name) => `(async () => { show('${name}', 0); await null; show('${name}', 1); for await (const one of [1]) show('${name}', one);
  try { await Promise.reject(1); } catch { show('${name}', 2); } })()`;
const AsyncFunction = (async () => {}).constructor;
const $h = 'a name of the program';
const cases = {
  eval: () => eval(waits('eval')),
  indirect: () => (0, eval)(waits('indirect')),
  function: () => new Function(`return ${waits('function')}`)(),
  asyncFunction: () => new AsyncFunction('a', "await a; show('asyncFunction', a)")(5),
  generator: () => new Function("return (async () => { for await (const one of (async function*() { yield 1; await 2; yield 3; })()) show('generator', one); })()")(),
  script: () => new vm.Script(waits('script'), { filename: 'script.js' }).runInThisContext(),
  runInThisContext: () => vm.runInThisContext(waits('runInThisContext')),
  compileFunction: () => vm.compileFunction(`return ${waits('compileFunction')}`)(),
  local: () => { const local = 3; return eval("(async () => { await 0; show('local', local, typeof $h); })()"); },
  timers: () => new Function("(async () => { await 0; setImmediate(() => show('timers')); })()")(),
};
(async () => {
  for (const name of Object.keys(cases)) await store.run(`of ${name}`, cases[name]);
  show('outside');
  console.log(String(new AsyncFunction('a', 'await a; return await 2')));
  console.log(String(eval('(async () => { await 1 })')), String(vm.runInThisContext('async (a) => await a')));
  console.log(Object.keys(globalThis).filter((name) => name.startsWith('$')));
  for (const wrong of ['await 1', 'async () => { await }', 'return await 1']) {
    try { eval(wrong); console.log('no error'); } catch (error) { console.log(error.name); }
  }
  for (const twice of ['let declared = 1', 'var declared = 2', 'class declared {}']) {
    try { vm.runInThisContext(twice); console.log('declared'); } catch (error) { console.log(error.name, error.message); }
  }
  try { vm.compileFunction('', [], 1); } catch (error) { console.log(error.message); }
  try { vm.compileFunction('\n  throw new Error(1)', [], { filename: '/a/file.js' })(); } catch (error) { console.log(error.stack.split('\n')[1]); }
})();
