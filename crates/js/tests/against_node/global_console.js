// The global console: its shape, and what it writes where.
const { Console } = console;
const report = [];
report.push(
  Object.keys(console).filter((key) => key !== 'createTask').join(), Object.prototype.toString.call(console),
  console instanceof Console, Object.keys(Object.getPrototypeOf(console)).length, console.log.name, console.error.name,
  console.log.length, console._stdout === process.stdout, console._stderr === process.stderr);

let written = '';
const { stdout, stderr } = process;
const [write, writeError] = [stdout.write, stderr.write];
stdout.write = (text) => { written += `out: ${text}`; return true; };
stderr.write = (text) => { written += `err: ${text}`; return true; };
console.log('plain');
console.error('bad', 1);
console.log({ a: 1 });
console.group('g');
console.log('in\nside');
console.warn(new Set([1]));
console.groupEnd();
console.table([1]);
console.assert(false, 'x');
console.count();
console.trace('here');
console.log();
console.clear();
stdout.write = write;
stderr.write = writeError;
console.log(report.join('\n'));
console.log(written.replace(/\n *at [^\n]*/g, ''));
