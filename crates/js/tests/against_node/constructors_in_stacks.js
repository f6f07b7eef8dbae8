// Classes of the language in stacks: whether they were called with `new`.
const fails = { get [Symbol.iterator]() { throw new Error('no iterator'); }, get [Symbol.toPrimitive]() { throw new Error('no value'); } };
const tell = (...calls) => calls.forEach(tellOne);
tell(
  () => new String(fails), () => String(fails), () => new Number(fails), () => Number(fails), () => new RegExp('('), () => RegExp('('), () => new RegExp(fails),
  () => new Function('('), () => Function('('), () => new Error(fails), () => Error(fails), () => new AggregateError(fails), () => Symbol(fails), () => new Symbol(),
  () => new Set(fails), () => new Map([1]), () => new WeakMap([1]), () => new WeakSet([1]), () => new Uint8Array(-1), () => new Float64Array(fails), () => new ArrayBuffer(-1),
  () => new DataView(1), () => new WeakRef(1), () => new FinalizationRegistry(1), () => new Array(-1), () => Array(-1), () => new Proxy(1, 1), () => new Promise(1),
  () => [1].map(() => { new Set(5); }), () => { const made = new   RegExp('['); return made; }, () => [RegExp(')'), new Date()],
);
function tellOne(call) {
  try {
    call();
    console.log(`${call}: nothing`);
  } catch ({ stack }) {
    const own = stack.split('\n').filter((line) => !/node:|Object\.<anonymous>|get \[|tell|forEach/.test(line)).map((line) => line.replace(__dirname, ''));
    console.log(own.join('\n'));
  }
}
