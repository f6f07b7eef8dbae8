// After Matthew C. Loring, Mark Marron and Daan Leijen, Semantics of Asynchronous JavaScript, 
// section 4.4. The program registers subscribe and, within a promise, settle; subscribe registers greet, which
// settle makes able to run. So greet has one parent by its link and another by its cause.
(function start() {
  const answer = new Promise((resolve) => {
    setTimeout(function settle() {
      resolve(42);
    }, 200);
  });
  setImmediate(function subscribe() {
    answer.then(function greet() {
      console.log('Hello Context World!');
    });
  });
})();
