// The arguments that `util.parseArgs` takes when it is given none: it asks what `process` says when it is called.
const util = require('util');

const { argv, execArgv } = process;
for (const [args, flags] of [
  [['x', '--foo'], ['-p', '0']], [['x', '--foo'], ['--print', '0']], [['x', '--foo'], ['-e', '0']], [['x', '--foo'], ['--eval', '0']],
  [['x', 'y', '--foo'], []], [['x', 'y', '--no-foo'], ['--eval=0']], [['x'], []], [[], ['-p', '0']],
]) {
  process.argv = args;
  process.execArgv = flags;
  console.log(util.parseArgs({ strict: false, allowNegative: true }));
}
Object.assign(process, { argv, execArgv });
