// Loring, Marron and Leijen, Semantics of Asynchronous JavaScript,
// section 4.1: the global scope links f, and resolveIt causes it; f prints hi.
// Stands in for the paper's promises, which are resolved from outside.
class Promise extends globalThis.Promise {
  constructor(begin) {
    let settle;
    super((resolve, reject) => { settle = resolve; begin?.(resolve, reject); });
    this.resolve = settle;
  }
}
// As printed:
function f(val) { console.log(val); }
let p = new Promise();
p.then(f);

function resolveIt() { p.resolve('hi'); }
setImmediate(resolveIt);
