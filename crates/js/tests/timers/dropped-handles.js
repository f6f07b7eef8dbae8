// Nobody keeps the handle: callbacks are called on one all the same, and what is not dropped is given.
const { createHook, executionAsyncResource } = require('node:async_hooks');
const { inspect } = require('node:util');

const name = (handle) => handle?.constructor?.name;
const kept = [];

function first(...args) {
  console.log('timeout', name(this), this.hasRef(), typeof this[Symbol.toPrimitive](), args.length);
  kept.push(this);
}
setTimeout(first, 1);
setTimeout(first, 1, 1);
setTimeout(first, 1, 1, 2);
globalThis.setTimeout(first, 1, {});

let rounds = 0;
setInterval(function () {
  if (rounds === 0) this.mark = 'same';
  console.log('interval', name(this), this.mark, ++rounds);
  if (rounds === 3) clearInterval(this);
}, 100);

let refreshed = false;
setTimeout(function () {
  console.log('refreshed', refreshed, inspect(this).startsWith('Timeout {'));
  if (!refreshed) this.refresh();
  refreshed = true;
}, 500);

// What is not dropped: by statements, operators, spreads, functions that pass it on, and natives that call it.
const own = setTimeout(() => {}, 2);
const arrow = () => setTimeout(() => {}, 2);
function returns() { return setImmediate(() => {}); }
function* generated() { yield setTimeout(() => {}, 2); }
const [tagged, spread] = [((f) => f)(setTimeout(() => {}, 2)), setTimeout(...[() => {}, 2])];
const bound = setTimeout.bind(null, () => {}, 2);
const all = [own, arrow(), returns(), generated().next().value, tagged, spread, bound(), bound.call(),
  Reflect.apply(setTimeout, null, [() => {}, 2]), [() => {}].map(setTimeout)[0], void 0 ?? setTimeout(() => {}, 2),
  (0, setTimeout)(() => {}, 2), new Proxy(setTimeout, {})(() => {}, 2), eval('setTimeout(() => {}, 2)')];
console.log(all.map(name).join());
(async () => console.log(name(await setTimeout(() => {}, 2))))();
bound();
setTimeout(...[() => console.log('spread'), 2]);
setTimeout?.(() => {
  console.log('optional');
  setImmediate(function (argument) { console.log('immediate', name(this), argument, this.hasRef()); }, 'x');
}, 2);

// Hooks that come later know it by the handle that the callback is called on.
setTimeout(function () { console.log('hooked', handles.has(this)); }, 600);
const handles = new Set();
const hook = createHook({ before() { handles.add(executionAsyncResource()); } });
setTimeout(() => {
  setImmediate(function () { console.log('hooked', handles.has(this)); });
  hook.enable();
}, 550);

setTimeout(() => console.log(new Set(kept).size, kept.map(name).join()), 800);
