// The scheduler: fifty tasks, every minute of ten.
import { initialize, stop } from 'hemiola:scheduler';
let runs = 0;
await initialize(Array.from({ length: 50 }, (_, number) => ({ id: `task ${number}`, cron: '* * * * *', run() { runs += 1; } })), { log: false });
setTimeout(async () => { await stop(); console.log(runs); }, 600_000 + 1000);
