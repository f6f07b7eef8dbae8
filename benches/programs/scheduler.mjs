// A thousand tasks that are due every minute, for as many minutes as the argument says; for virtual time.
import { initialize, stop } from 'hemiola:scheduler';

const MINUTE = 60_000;
const minutes = Number(process.argv[2] ?? 60);
let runs = 0;
const list = Array.from({ length: 1000 }, (_, number) => ({ id: `task ${number}`, cron: '* * * * *', run() { runs += 1; } }));
await initialize(list, { log: false });
setTimeout(async () => {
  await stop();
  console.log(JSON.stringify({ ops: runs }));
}, minutes * MINUTE + 1000);
