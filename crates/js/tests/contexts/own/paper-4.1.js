// Section 4.1 of the paper: invocations have indices, and promises are linked and resolved in different places.
const { current, label } = require('hemiola:context');
const show = (name) => { label(name); const { index, link, cause } = current(); console.log(`${name} is ${index}, linked by ${link}, caused by ${cause}`); };

let ctr = 0;
function f() { console.log(ctr++ === 0 ? 'hi' : 'bye'); show('f'); }
setTimeout(f, 10);
setTimeout(f, 20);
show('global');

setTimeout(() => {
  show('second part');
  let resolve;
  const p = new Promise((res) => { resolve = res; });
  p.then(function g(val) { console.log(val); show('g'); });
  function resolveIt() { show('resolveIt'); resolve('hi'); }
  setImmediate(resolveIt);
}, 30);
