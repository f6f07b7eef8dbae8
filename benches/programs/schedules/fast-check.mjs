// Three tasks of two steps each under fast-check's scheduler, until all 90 orders have been seen. Prints the
// milliseconds of processor time that took, and after how many runs, for several seeds.
import fc from 'fast-check';

const ALL = 90;

async function until(seed) {
  const seen = new Set();
  let runs = 0;
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    runs += 1;
    const order = [];
    const task = async (name) => {
      await scheduler.schedule(Promise.resolve(), name + 1);
      order.push(name + 1);
      await scheduler.schedule(Promise.resolve(), name + 2);
      order.push(name + 2);
    };
    const tasks = Promise.all(['a', 'b', 'c'].map(task));
    await scheduler.waitFor(tasks);
    seen.add(order.join(' '));
    if (seen.size === ALL) throw new Error('all seen');
  });
  const started = process.cpuUsage();
  await fc.check(property, { seed, numRuns: 1e6, endOnFailure: true });
  const { user, system } = process.cpuUsage(started);
  const ms = (user + system) / 1000;
  if (seen.size !== ALL) throw new Error(`only ${seen.size} orders were seen`);
  return { ms, runs };
}

// What is measured has been compiled by then.
for (let seed = 1000; seed < 1005; ++seed) await until(seed);
const all = [];
for (let seed = 0; seed < 21; ++seed) all.push(await until(seed));
console.log(JSON.stringify(all));
