// Paper, section 6: a file is read at a low level for a promise whose `then` was attached at a high one, and
// inherits from the link. Below it the same with the levels the other way round, with `await`, and where
// nobody has a level of his own.
const fs = require('fs');
const { runTask, currentLevel } = require('hemiola:tasks');

function example(name, link, cause, after) {
  let linked;
  const p = new Promise((resolve) => {
    runTask(() => fs.readFile(__filename, () => { console.log(`${name}: resolved at`, currentLevel()); resolve(); }), cause);
  });
  runTask(() => {
    linked = p.then(() => {
      console.log(`${name}: then at`, currentLevel());
      setImmediate(() => console.log(`${name}: its immediate at`, currentLevel()));
    });
    (async () => {
      await p;
      console.log(`${name}: await at`, currentLevel());
      await fs.promises.stat(__filename);
      console.log(`${name}: its operation at`, currentLevel());
      after();
    })();
  }, link);
}

example('as printed', 'high', 'low', () =>
  example('the other way round', 'background', 'high', () =>
    example('only the cause', 'low', 'high', () => {})));
