// Does a benchmark again and again, for `scripts/soak benchmarks`: when it has printed what it measured, once more.
const fs = require('fs');

const [, , program] = process.argv;
const round = new Function('require', 'console', fs.readFileSync(program, 'utf8'));

function again() {
  round(require, { log(text) {
    if (JSON.parse(text).ok === false) throw new Error(text);
    console.log(JSON.stringify({ count: 1 }));
    setImmediate(again);
  } });
}
again();
