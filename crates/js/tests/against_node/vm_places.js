// Where a text is wrong that is no script.
const vm = require('vm');

// What is no script says where.
for (const [code, options] of [
  ['var 4;', { filename: 'foo.vm' }], ['var 4;', 'bar.vm'], ['\n\nvar 4;', { filename: 'foo.vm', lineOffset: 5 }], ['var 4;', {}], ['a\nb c', 'two.vm'],
  ['if (', 'end.vm'], ['a\n{', 'end.vm'],
]) {
  for (const read of [() => new vm.Script(code, options), () => vm.runInThisContext(code, options)]) {
    try {
      read();
    } catch (error) {
      console.log(error.stack.split('\n    at ', 1)[0]);
    }
  }
}
