// node: --timers node
// Without labels a text is an argument and nothing else.
setTimeout((...args) => {
  console.log(args);
  setTimeout((...args) => console.log(args), 10, '');
  const timer = setInterval((...args) => { console.log(args); clearInterval(timer); }, 30, 'A');
  require('timers/promises').setTimeout(60, 'v', { label: 5 }).then(console.log);
}, 1, 'A', 1);
