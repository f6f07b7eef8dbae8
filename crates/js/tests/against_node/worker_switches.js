// Variables in a worker's environment that stand for flags.
const fs = require('fs');
const { tmpdir } = require('os');
const { Worker } = require('worker_threads');

const root = fs.mkdtempSync(`${tmpdir()}/worker-switches-`);
fs.mkdirSync(`${root}/real`);
fs.writeFileSync(`${root}/real/file.js`, 'console.log(__filename.split("/").slice(-2).join("/"));');
fs.symlinkSync(`${root}/real`, `${root}/link`);
fs.writeFileSync(`${root}/main.js`, `require(${JSON.stringify(`${root}/link/file.js`)})`);
const run = (options) => new Promise((resolve) => { new Worker(`${root}/main.js`, options).on('exit', resolve); });

(async () => {
  const env = { NODE_PRESERVE_SYMLINKS: '1' };
  for (const options of [
    {}, { env }, { env, execArgv: [] }, { env, execArgv: ['--no-preserve-symlinks'] }, { env: { NODE_PRESERVE_SYMLINKS: 1 } },
    { env: { NODE_PRESERVE_SYMLINKS: 'true' } }, { env: { ...env, NODE_OPTIONS: '--no-preserve-symlinks' } },
  ]) {
    console.log(options);
    await run(options);
  }
  fs.rmSync(root, { recursive: true });
})();
