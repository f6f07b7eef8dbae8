// What a worker begins with: environment, arguments, data, its names for itself.
const { Worker, SHARE_ENV, setEnvironmentData, getEnvironmentData, threadId, isMainThread, parentPort, workerData, resourceLimits } =
  require('worker_threads');
const path = require('path');
console.log(threadId, isMainThread, parentPort, workerData, resourceLimits);
const run = (source, options = {}, act = undefined) => new Promise((resolve) => {
  const worker = new Worker(source, { eval: true, ...options });
  worker.on('message', (message) => console.log('  ', message));
  worker.on('error', (error) => console.log('   error', error.code, error.message));
  worker.on('exit', resolve);
  act?.(worker);
});
const post = 'const wt = require("worker_threads"); const post = (...m) => wt.parentPort.postMessage(m);';
(async () => {
  process.env.GIVEN = 'by main';
  delete process.env.NODE_OPTIONS;
  await run(`${post} process.env.GIVEN += '!'; post(process.env.GIVEN, process.env.NEW)`);
  console.log(process.env.GIVEN);
  await run(`${post} post(Object.entries(process.env).sort(), process.env.GIVEN)`, { env: { A: 1, B: undefined, C: 'x' } });
  process.env.GONE = 'soon';
  await run(`${post} post(process.env.GIVEN); process.env.GIVEN = 'by worker'; process.env.NEW = 5; delete process.env.GONE; post(process.env.NEW)`,
            { env: SHARE_ENV });
  console.log(process.env.GIVEN, process.env.NEW, 'GONE' in process.env, Object.keys(process.env).includes('NEW'));
  process.env.LATER = 'main again';
  await run(`${post} post(process.env.LATER, 'LATER' in process.env, Object.keys(process.env).includes('LATER'))`, { env: SHARE_ENV });
  await run(`${post} post(process.argv.slice(1), process.execArgv, __filename, __dirname)`, { argv: ['a', 2, null], execArgv: ['--no-warnings'] });
  setEnvironmentData('key', { deep: [1] });
  setEnvironmentData(7, 'seven');
  setEnvironmentData(7);
  await run(`${post} post(wt.getEnvironmentData('key'), wt.getEnvironmentData(7)); wt.setEnvironmentData('key', 'other')`);
  console.log(getEnvironmentData('key'));
  await run(`${post} post(wt.threadId > 0, wt.isMainThread, wt.workerData, wt.parentPort instanceof MessagePort)`, { workerData: [undefined, null, 1n] });
  await run(`${post} post(typeof wt.workerData)`);
  await run(`${post}
    const t = (f) => { try { post('ok', f()) } catch (e) { post(e.name, e.code, e.message) } };
    t(() => process.chdir('/')); t(() => process.abort()); t(() => typeof process.umask()); t(() => process.umask(1));
    t(() => process.setuid(0)); t(() => process.title === require('process').title); t(() => typeof process.send);
    t(() => process.pid > 0); t(() => process.cwd() === ${JSON.stringify(process.cwd())});`);
  await run(`${post} post(wt.resourceLimits.stackSizeMb, wt.resourceLimits.maxOldGenerationSizeMb)`,
            { resourceLimits: { stackSizeMb: 2, maxOldGenerationSizeMb: 64 } });
  await run(`const a = []; for (;;) a.push(new Array(1000).fill(a.length))`, { resourceLimits: { maxOldGenerationSizeMb: 16 } });
  await run('setInterval(() => {}, 1)', { resourceLimits: { maxOldGenerationSizeMb: 0 } });
  await run(new URL('data:text/javascript,import { parentPort } from "worker_threads"; parentPort.postMessage([typeof require, import.meta.url.slice(0, 5)])'), { eval: false });
  await run(path.join(__dirname, 'environment', 'module.mjs'), { eval: false, workerData: 'as path' });
  await run(require('url').pathToFileURL(path.join(__dirname, 'environment', 'module.mjs')), { eval: false, workerData: 'as url' });
  await run(`${post} post(await Promise.resolve('a module'), typeof require); import fs from 'fs'; post(typeof fs.readFileSync)`.replace('const wt = require("worker_threads")', 'import wt from "worker_threads"'));
  await run('./nowhere.js', { eval: false });
})();
