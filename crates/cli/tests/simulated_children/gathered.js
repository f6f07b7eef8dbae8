// Commands whose output is gathered, and children that the program waits for.
const cp = require('child_process');
const { promisify } = require('util');

const code = (text) => `'${text}'`;
const told = (error) => error && { code: error.code, killed: error.killed, signal: error.signal, cmd: error.cmd === undefined ? undefined : error.cmd.replace(process.execPath, 'NODE') };
const exec = (command, options = {}) => new Promise((resolve) => cp.exec(command, options, (error, stdout, stderr) => {
  console.log(command.replace(process.execPath, 'NODE'), told(error), [stdout, stderr.split('\n')[0]]);
  resolve();
}));

async function main() {
  await exec('node -p 6*7'.replace('*', '+'));
  await exec(`node -e ${code('console.log(process.argv.slice(1), process.env.COLOUR)')} one "two  three" 'four "five"' six\\ seven`, { env: { ...process.env, COLOUR: 'red' } });
  await exec(`COLOUR='light blue' SIZE=3 node -p ${code('process.env.COLOUR + process.env.SIZE')}`);
  await exec(`"${process.execPath}" -e ${code('console.error("said"); process.exit(4)')}`);
  await exec(`node -e ${code('setInterval(() => {}, 1000)')}`, { timeout: 300 });
  await exec(`node -e ${code('console.log("x".repeat(5000))')}`, { maxBuffer: 100 });
  await new Promise((resolve) => cp.execFile(process.execPath, ['-e', 'console.log(1); console.error(2)'], (error, ...said) => { console.log(told(error), said); resolve(); }));
  const { stdout } = await promisify(cp.execFile)(process.execPath, ['-p', '"promised"']);
  console.log(stdout);
  console.log(await promisify(cp.exec)('node -e process.exit\\(9\\)').catch((error) => [error.code, error.stdout, error.stderr]));

  console.log(String(cp.execFileSync(process.execPath, ['-p', '40 + 2'])));
  console.log(cp.execSync('node -p 1+1', { encoding: 'utf8' }));
  const echo = 'process.stdin.setEncoding("utf8").on("data", (text) => process.stdout.write(text.toUpperCase()))';
  console.log(String(cp.execFileSync(process.execPath, ['-e', echo], { input: 'given' })));
  const all = ({ status, signal, output, error }) => [status, signal, output?.map((text) => text && String(text).split('\n')[0]), error?.code];
  console.log(all(cp.spawnSync(process.execPath, ['-e', 'console.log("out"); console.error("err"); process.exit(6)'])));
  console.log(all(cp.spawnSync(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { timeout: 300, killSignal: 'SIGKILL' })));
  console.log(all(cp.spawnSync(process.execPath, ['-e', 'process.stdout.write("x".repeat(1e6)); setInterval(() => {}, 1000)'], { maxBuffer: 1000 })).map((part) => (Array.isArray(part) ? part.length : part)));
  console.log(all(cp.spawnSync(process.execPath, ['-e', 'process.kill(process.pid, "SIGTERM")'])));
  console.log(all(cp.spawnSync(process.execPath, ['-e', 'console.log("shown"); process.exit(2)'], { stdio: ['ignore', 'inherit', 'ignore'] })));
  try {
    cp.execFileSync(process.execPath, ['-e', 'console.error("why"); process.exit(3)'], { stdio: 'pipe' });
  } catch (error) {
    console.log(error.status, String(error.stderr).trim(), error.message.split('\n').slice(1));
  }
  let ticks = 0;
  const timer = setInterval(() => { ticks++; }, 1);
  cp.spawnSync(process.execPath, ['-e', 'setTimeout(() => {}, 100)']);
  console.log('nothing else ran meanwhile:', ticks === 0);
  clearInterval(timer);
}
main();
