// What lines of `node:repl` begin may fail later: the prompt shows it and goes on.
const repl = require('repl');
const { PassThrough } = require('stream');

const [input, output] = [new PassThrough(), new PassThrough()];
let shown = '';
output.on('data', (text) => { shown += text; });
const server = repl.start({ input, output, prompt: '> ' });
server.on('exit', () => { console.log(shown.replace(/\n    at .*(?= \{|$)/gm, '').replace(/\[(Error: .*)\]/g, '$1')); });
const lines = [
  'setTimeout(() => { throw new Error("later") }, 1); 1',
  'process.nextTick(() => { throw null }); 2',
  'Promise.reject(new TypeError("rejected")); 3',
  'setImmediate(() => require("fs").readFile("/none", (e) => { throw e })); 5',
  '6', '_error.code', '.load /none', 'null.x', '_ = 1', '_error = 2',
];
const type = async () => {
  for (const line of lines) {
    input.write(`${line}\n`);
    await new Promise((resolve) => { setTimeout(resolve, 40); });
  }
  input.end();
};
type();
