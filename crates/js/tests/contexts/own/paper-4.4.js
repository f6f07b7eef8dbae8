// Section 4.4 of the paper, with both trees of Fig. 7.
const { label, linkChain, causeChain } = require('hemiola:context');
const chain = (entries) => entries.map(({ index, label }) => `${label} ${index}`).join(' -> ');
label('global');
(function foo() {
  const p = new Promise(function promise1(res) {
    setTimeout(function timeout1() {
      label('timeout1');
      res(42);
    }, 200);
  });
  setImmediate(function immediate1() {
    label('immediate1');
    p.then(function then1(val) {
      label('then1');
      console.log('Hello Context World!');
      console.log(`links: ${chain(linkChain())}`);
      console.log(`causes: ${chain(causeChain())}`);
    });
  });
})();
