// How late tasks start: how many milliseconds after the minute in which they are due. Argument: a JSON object
// with the number of `minutes` and of `tasks`, and the `store`. Under Node the peer is node-cron, which keeps
// nothing on disk.
const { minutes, tasks, store } = JSON.parse(process.argv[2]);
const MINUTE = 60_000;
// The clock on the wall may run faster or slower than the monotonic one, and dues are of the former.
const now = Date.now;
const late = [];
const start = () => { const at = now(); late.push(at - Math.floor(at / MINUTE) * MINUTE); };

if (process.versions.hemiola) {
  const { initialize } = await import('hemiola:scheduler');
  const list = Array.from({ length: tasks }, (_, number) => ({
    id: `task ${number}`, cron: '* * * * *', run({ due, reason }) { if (reason === 'due' && due > began) start(); },
  }));
  var began = Date.now();
  await initialize(list, { store, log: false });
} else {
  const { createRequire } = await import('node:module');
  const cron = createRequire(`${process.env.NODE_PATH}/`)('node-cron');
  for (let number = 0; number < tasks; number += 1) cron.schedule('* * * * *', start);
}
const first = Math.ceil(now() / MINUTE) * MINUTE;
setTimeout(() => {
  console.log(JSON.stringify(late));
  process.exit();
}, first - now() + (minutes - 0.5) * MINUTE);
