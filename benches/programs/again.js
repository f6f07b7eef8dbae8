// Runs a program again when it has printed its result, until the seconds are over: again.js FILE SECONDS. Prints how often.
const { readFileSync } = require('fs');

const [file, seconds] = process.argv.slice(2);
const program = new Function('require', 'console', readFileSync(file, 'utf8'));
let rounds = 0;
const printed = {
  log() {
    rounds++;
    if (performance.now() < seconds * 1000) setImmediate(program, require, printed);
    else console.log(rounds);
  },
};
program(require, printed);
