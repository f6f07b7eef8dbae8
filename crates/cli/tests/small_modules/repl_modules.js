// What lines of a session find: modules as in a CommonJS module, and the library by its names.
const repl = require('repl');
const { PassThrough } = require('stream');

const [input, output] = [new PassThrough(), new PassThrough()];
let shown = '';
output.on('data', (data) => { shown += data; });
const server = repl.start({ input, output, prompt: '> ', terminal: false, useGlobal: true, useColors: true });
for (const name of ['require', 'module', 'fs']) console.log(name, Object.getOwnPropertyDescriptor(server.context, name).enumerable);
console.log(typeof server._domain.on, Object.keys(globalThis).includes('require'));
server.defineCommand('say', () => {});
const lines = [
  'typeof require', 'require("path").sep', 'module.id', 'module.filename', 'module.paths.length > 0', 'typeof exports', 'fs === require("fs")',
  'typeof os.cpus', 'os = 5', 'os', 'throw { foo: "text" }', 'throw 5', '.help',
];
input.write(`${lines.join('\n')}\n`);
setTimeout(() => {
  console.log(shown);
  server.close();
}, 50);
