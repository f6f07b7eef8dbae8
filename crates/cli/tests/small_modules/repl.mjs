// A session that is read from a stream: values, blocks over several lines, errors, commands, the last value.
import repl, { Recoverable, REPLServer, isValidSyntax, start, writer } from 'node:repl';
import { PassThrough } from 'node:stream';

async function session(text, options) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.on('data', (data) => { shown += data; });
  const server = start({ input, output, prompt: '> ', terminal: false, useColors: false, ...options });
  const over = new Promise((resolve) => { server.on('exit', resolve); });
  input.write(text);
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  input.end('.exit\n');
  await over;
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  return { shown, server };
}

const { shown, server } = await session(
  '1+1\nvar a = 5\na*2\n{x:1}\nfunction f() {\nreturn 7\n}\nf()\nlet = = 3\nthrow new Error("x")\n' +
  'undefined\n"a"\n_\n.nope\n[1,2\n,3]\n_error.message\nnew Map([[1,2]])\n`a\nb`\n/* open\n*/ 5\n');
console.log(shown);
console.log(server instanceof REPLServer, server.lines.length > 0, writer('x'), repl.builtinModules.includes('fs'));
console.log([isValidSyntax('1 +'), isValidSyntax('1 + 1'), isValidSyntax('{a:1}')]);

const own = await session('one\ntwo\n', {
  eval: (code, context, file, callback) => callback(null, code.trim().toUpperCase()),
  writer: (value) => `<${value}>`,
});
console.log(own.shown);
const waiting = await session('a\nb\n', {
  eval: (code, context, file, callback) => (code.includes('b') ? callback(null, code) : callback(new Recoverable(new SyntaxError('more')))),
});
console.log(waiting.shown);
const quiet = await session('undefined\n1\n', { ignoreUndefined: true });
console.log(quiet.shown);
server.defineCommand('twice', { help: 'again', action() {} });
console.log(Object.keys(server.commands).includes('twice'), server.commands.twice.help);

// What is asked of code and of writers that are given.
const asked = [];
const given = await session('\n  \na\nnone\nund\n', {
  eval(code, context, file, callback) {
    asked.push([code, file, this instanceof REPLServer]);
    if (code === 'none\n') callback(null);
    else callback(null, code === 'und\n' ? undefined : code.length);
  },
});
console.log(given.shown, asked, given.server.writer === writer);
const written = await session('1\nlet = 5\n\nnull.x\n', { writer: (value) => `<${value}>` });
console.log(written.shown);
const last = await session('_ = 5\n_ = 5\n1\n_\n_error = 2\nnull.x\n_error\n.clear\n7\n_\n');
console.log(last.shown);
writer.options.depth = 0;
const flat = await session('\n({ a: { b: 1 } })\n');
console.log(flat.shown, flat.server.writer.options.colors);
const coloured = await session('1\n', { useColors: true });
console.log(JSON.stringify(coloured.shown), writer.options.colors);
