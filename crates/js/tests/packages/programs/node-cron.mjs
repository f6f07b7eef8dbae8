// packages: node-cron@4.6.0
import cron from 'node-cron';

console.log(cron.validate('*/5 * * * * *'), cron.validate('61 * * * *'), cron.validate('0 0 1 JAN *'));
try { cron.schedule('not cron', () => {}); } catch (error) { console.log(error.message); }
const start = Date.now();
let runs = 0;
const task = cron.schedule('* * * * * *', (context) => {
  runs += 1;
  console.log('run', runs, context.date.getMilliseconds() < 500, (context.date.getTime() - start) <= runs * 1000 + 500);
  if (runs === 3) {
    task.stop();
    console.log(task.getStatus());
    task.destroy();
    console.log(task.getStatus());
  }
}, { name: 'each second', timezone: 'Europe/Paris' });
console.log(task.name, task.getStatus());
