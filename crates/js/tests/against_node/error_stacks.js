// What stacks begin with, and where they say that they were made: as long as nobody has looked, that follows the error.
const assert = require('assert');
const fs = require('fs');
const { inherits } = require('util');

// What writes them.
const write = Error.prepareStackTrace;
const lines = (error, count = 2) => console.log(error.stack.split('\n').filter((line) => !line.includes('node:')).slice(0, count).join('\n').replaceAll(__dirname, ''));
const thrownBy = (act) => { try { act(); } catch (error) { return error; } };

class Named extends Error {
  constructor(message) {
    super(message);
    Error.captureStackTrace(this, Named);
    this.name = 'Named';
    this.message = `${message}, changed`;
  }
}
lines(new Named('made'));
console.log(Object.hasOwn(new Named('made'), 'stack'), Object.keys(new Named('made')));

function Old(message) {
  Error.captureStackTrace(this, Old);
  this.message = message;
}
inherits(Old, Error);
Old.prototype.name = 'Old';
lines(new Old('way'));

const plain = { name: 'Plain', message: 'first' };
Error.captureStackTrace(plain);
plain.message = 'second';
lines(plain);
plain.message = 'third';
lines(plain);
lines(Object.create(plain), 1);

const again = new Error('one');
void again.stack;
again.message = 'two';
lines(again, 1);
Error.captureStackTrace(again);
lines(again);
again.stack = 'mine';
console.log(again.stack);

console.log(thrownBy(() => Error.captureStackTrace(Object.freeze({}))).message);

const missing = thrownBy(() => fs.statSync('/missing'));
missing.message = 'changed';
lines(missing, 1);
const wrong = thrownBy(() => Buffer.alloc('x'));
wrong.message = 'changed';
lines(wrong, 1);
const unequal = thrownBy(() => assert.equal(1, 2));
unequal.message = 'changed';
lines(unequal, 1);
lines(new DOMException('message', 'AbortError'), 1);
lines(thrownBy(() => new URL('nowhere')), 1);

Error.prepareStackTrace = (error, sites) => `${error} at ${sites[0].getLineNumber()}`;
const captured = {};
Error.captureStackTrace(captured);
console.log(captured.stack);
const unread = new Named('read later');
Error.prepareStackTrace = undefined;
lines(unread, 1);

(async () => {
  async function reads() { await fs.promises.readFile('/missing'); }
  async function waits() { await reads(); }
  const error = await waits().catch((thrown) => thrown);
  console.log(error.stack.split('\n').filter((line) => !line.includes('node:')).join('\n').replaceAll(__dirname, ''));
  function tool() {}
  tool.use = async function use() { await reads(); };
  lines(await tool.use().catch((thrown) => thrown), 4);
  fs.readFile('/missing', (fault) => {
    lines(fault, 3);
    // Errors after one that has no frames have theirs, as many as the program wants.
    const frames = () => new Error('after').stack.split('\n').length;
    (function named() { lines(new Error('after'), 2); })();
    Error.stackTraceLimit = 1;
    console.log(frames());
    reads().catch((thrown) => {
      console.log(thrown.stack.split('\n').length, frames());
      Error.stackTraceLimit = 0;
      reads().catch((thrown) => {
        console.log(thrown.stack.split('\n').length, frames());
        Error.stackTraceLimit = 10;
        lines(new Error('with frames'), 2);
      });
    });
  });
})();

// A function that does not run leaves no frame.
const away = {};
Error.captureStackTrace(away, inherits);
console.log(away.stack);
(async function waiting() {
  await null;
  Error.captureStackTrace(away, inherits);
  console.log(away.stack);
})();

// Who looks at frames finds a way to write them as they would have been.
let sites;
Error.prepareStackTrace = (error, all) => { sites = all; };
const written = new RangeError('frames');
void written.stack;
Error.prepareStackTrace = write;
console.log(write.name, write.length, write(written, []), write({}, ['one', 'two']));
console.log(write(written, sites).startsWith(`RangeError: frames\n    at ${sites[0]}`));
lines(new Error('as ever'));
