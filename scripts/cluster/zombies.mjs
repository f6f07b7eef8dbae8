// A process of pg-boss and of graphile-worker stands still in the midst of a job until the job is given to another one.
// Then it goes on and ends, while the other one still runs. Says whose end counted: by theories/scheduler-cluster.theory
// (C6) only that of the second run may. Run in a folder in which both packages are installed.
//
//   node zombies.mjs FOLDER-OF-THE-SERVER pg-boss|graphile-worker        both processes, and the verdict
//   node zombies.mjs FOLDER-OF-THE-SERVER pg-boss|graphile-worker NAME   one process
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const [folder, which, name] = process.argv.slice(2);
const { default: pg } = await import('pg');
const database = 'zombies';
const connection = { host: folder, user: 'test', database };
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });

if (name !== undefined) {
  // The job of the first takes 3 s, that of the second 8 s.
  const job = async () => {
    console.log('started');
    await wait(name === 'first' ? 3000 : 8000);
    console.log('ends');
    return { by: name };
  };
  if (which === 'pg-boss') {
    const { default: PgBoss } = await import('pg-boss');
    const boss = new PgBoss({ ...connection, maintenanceIntervalSeconds: 1 });
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue('work').catch(() => {});
    if (name === 'first') await boss.send('work', {}, { expireInSeconds: 4, retryLimit: 3, retryDelay: 0 });
    await boss.work('work', { pollingIntervalSeconds: 0.5 }, job);
  } else {
    const { Logger, run } = await import('graphile-worker');
    const runner = await run({
      pgPool: new pg.Pool(connection), concurrency: 1, pollInterval: 500, noHandleSignals: true, taskList: { work: job },
      logger: new Logger(() => () => {}),
    });
    if (name === 'first') await runner.addJob('work', {});
  }
} else {
  const begin = (who) => {
    const child = spawn('node', [fileURLToPath(import.meta.url), folder, which, who], { stdio: ['ignore', 'pipe', 'ignore'] });
    const said = [];
    createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
    const hear = async (line, ms) => {
      for (const end = Date.now() + ms; !said.includes(line);) {
        if (Date.now() > end) return false;
        await wait(50);
      }
      return true;
    };
    return { child, hear };
  };
  const client = new pg.Client(connection);
  await client.connect();
  const first = begin('first');
  await first.hear('started', 15_000);
  first.child.kill('SIGSTOP');
  const second = begin('second');
  // What takes four hours otherwise.
  if (which === 'graphile-worker') {
    await wait(2000);
    await client.query("UPDATE graphile_worker._private_jobs SET locked_at = locked_at - interval '5 hours' WHERE locked_at IS NOT NULL");
    await client.query("UPDATE graphile_worker._private_job_queues SET locked_at = locked_at - interval '5 hours' WHERE locked_at IS NOT NULL");
  }
  const isGiven = await second.hear('started', 60_000);
  first.child.kill('SIGCONT');
  await first.hear('ends', 15_000);
  await wait(1000);
  // The second one still runs.
  const { rows } = which === 'pg-boss'
    ? await client.query("SELECT state::text, output FROM pgboss.job WHERE name = 'work'")
    : await client.query('SELECT attempts, locked_by IS NOT NULL AS locked FROM graphile_worker._private_jobs');
  console.log(`${which}: given to the second: ${isGiven}; when the first one has ended and the second one still runs: ${JSON.stringify(rows)}`);
  for (const { child } of [first, second]) child.kill('SIGKILL');
  await client.end();
}
