// The kill test on pg-boss and graphile-worker, as far as they can be held to theories/scheduler-cluster.theory: four
// processes are killed and stand still while they work on jobs, and what happened is written as a trace that
// `hemiola verify` reads. They have no leases; a process counts as having one that runs out when it was killed. A run
// that is given to another process after its own was killed or stood still counts as interrupted.
//
//   node others.mjs pg-boss|graphile-worker [--time 90s] [--seed 1] [HEMIOLA]     all of it, and the verdict
//   node others.mjs pg-boss|graphile-worker --worker FOLDER-OF-THE-SERVER PROCESS   one process
//
// Their settings: pg-boss looks twice a second, a job expires after 4 s and is tried again at once, and expired ones are
// looked for every second (by default a job expires after 15 minutes); graphile-worker has no setting for that, and gives a
// job to another process after four hours.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { time: { type: 'string', default: '90s' }, seed: { type: 'string', default: '1' }, worker: { type: 'boolean', default: false } },
});
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
const EXPIRY = 4000;
const [which] = positionals;

/// One process: it tells of every run when it begins and when it ends, before its library is told.
async function work(folder, me) {
  const { default: pg } = await import('pg');
  const connection = { host: folder, user: 'test', database: 'test' };
  const pool = new pg.Pool(connection);
  pool.on('error', () => {});
  const tell = async (what, id, fence) => {
    const { rows } = await pool.query('INSERT INTO told (what, me, id, fence) VALUES ($1, $2, $3, $4) RETURNING n', [what, me, id, fence]);
    return rows[0].n;
  };
  const job = async ({ id }) => {
    const fence = await tell('started', id, null);
    await wait(Math.random() * 2500);
    await tell('ended', id, fence);
  };
  if (which === 'pg-boss') {
    const { default: PgBoss } = await import('pg-boss');
    const boss = new PgBoss({ ...connection, maintenanceIntervalSeconds: 1, monitorStateIntervalSeconds: 1 });
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue('work').catch(() => {});
    for (let worker = 0; worker < 5; worker += 1) await boss.work('work', { pollingIntervalSeconds: 0.5 }, async ([{ data }]) => job(data));
  } else {
    const { Logger, run } = await import('graphile-worker');
    await run({
      pgPool: pool, concurrency: 5, pollInterval: 500, noHandleSignals: true, logger: new Logger(() => () => {}),
      taskList: { work: (data) => job(data) },
    });
  }
  await tell('joined', null, null);
}

async function test() {
  const { Server } = await import('./server.mjs');
  const here = dirname(fileURLToPath(import.meta.url));
  const hemiola = resolve(positionals[1] ?? ['target/debug/hemiola', 'target/release/hemiola'].find((path) => existsSync(path)));
  const [, amount, unit] = /^([\d.]+)(s|m)$/.exec(values.time) ?? [];
  const time = Number(amount) * (unit === 'm' ? 60_000 : 1000);
  let state = BigInt(values.seed) * 0x9E3779B97F4A7C15n | 1n;
  const random = (end) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xFFFFFFFFFFFFFFFFn;
    return Number(state >> 33n) % end;
  };
  const folder = mkdtempSync(join(tmpdir(), 'hemiola-others-'));
  copyFileSync(join(here, 'others.mjs'), join(folder, 'others.mjs'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', 'pg-boss@10.4.2', 'graphile-worker@0.17.3', 'pg@8'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const server = new Server('others');
  server.sql('postgres', 'CREATE DATABASE test');
  const now = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
  server.sql('test', `CREATE TABLE told (n bigserial PRIMARY KEY, at bigint NOT NULL DEFAULT ${now}, what text, me bigint, id text, fence bigint)`);
  const tell = (what, me, id) => server.sql('test', `INSERT INTO told (what, me, id) VALUES ('${what}', ${me}, ${id === undefined ? 'NULL' : `'${id}'`})`);
  let count = 0;
  const counts = { kills: 0, stops: 0 };
  const begin = () => {
    count += 1;
    const child = spawn('node', ['others.mjs', which, '--worker', server.folder, String(count)], { cwd: folder, stdio: 'ignore' });
    return { child, me: count, isBusy: false };
  };
  const processes = [begin(), begin(), begin(), begin()];
  while (server.sql('test', "SELECT count(*) FROM told WHERE what = 'joined'") !== '4') await wait(200);
  const add = which === 'pg-boss'
    ? (id) => `INSERT INTO pgboss.job (name, data, retry_limit, retry_delay, expire_in) VALUES ('work', '{"id":"${id}"}', 100, 0, interval '${EXPIRY / 1000} s')`
    : (id) => `SELECT graphile_worker.add_job('work', json_build_object('id', '${id}'))`;
  const end = Date.now() + time;
  let jobs = 0;
  for (let next = Date.now() + 2000; Date.now() < end;) {
    jobs += 1;
    tell('triggered', 0, `job-${jobs}`);
    server.sql('test', add(`job-${jobs}`));
    await wait(200);
    if (Date.now() < next) continue;
    next = Date.now() + 1500 + random(2000);
    const place = random(4);
    const one = processes[place];
    if (one.isBusy) continue;
    if (random(2) === 0) {
      counts.kills += 1;
      one.child.kill('SIGKILL');
      tell('killed', one.me);
      processes[place] = begin();
    } else {
      counts.stops += 1;
      one.isBusy = true;
      one.child.kill('SIGSTOP');
      tell('stopped', one.me);
      setTimeout(() => {
        one.child.kill('SIGCONT');
        one.isBusy = false;
      }, EXPIRY + 1000 + random(3000));
    }
  }
  // What is owed has time to start.
  await wait(20_000);
  tell('over', 0);
  for (const { child } of processes) child.kill('SIGKILL');
  const rows = JSON.parse(server.sql('test', 'SELECT json_agg(told ORDER BY n) FROM told'));
  server.end();

  // What happened, in the words of the theory.
  const gone = new Map(rows.filter(({ what }) => what === 'killed').map(({ me, at }) => [me, at]));
  const last = rows.at(-1).at;
  const list = Array.from({ length: jobs }, (_, job) => ({ id: `job-${job + 1}`, cron: '', zone: 'UTC', once: false, rd: 0 }));
  const facts = [];
  const holders = new Map();
  const found = { started: 0, zombies: 0, orphans: 0, again: 0, slowest: 0 };
  const stood = new Map();
  const known = () => [...holders].map(([id, { me, fence }]) => ({ id, state: '{}', run: [me, fence] }));
  const begun = new Set();
  for (const { n, at, what, me, id, fence } of rows) {
    // Room for what is told between two of them.
    const number = (more) => facts.push({ n: facts.length + 1, at, ...more });
    const until = gone.has(me) ? gone.get(me) + 1 : last + 3_600_000;
    if (what === 'stopped') stood.set(me, at);
    else if (what === 'joined') number({ fact: 'joined', me, node: `node-${me}`, lease: EXPIRY, until, generation: 1, inForce: true, list, knows: known() });
    else if (what === 'triggered') number({ fact: 'triggered', id });
    else if (what === 'started') {
      found.started += 1;
      const before = holders.get(id);
      if (before !== undefined) {
        const isExcused = gone.has(before.me) || stood.has(before.me);
        number({ fact: 'interrupted', id, me: before.me, fence: before.fence, why: isExcused ? 'unknown' : 'lapsed' });
        if (gone.has(before.me)) {
          found.again += 1;
          found.slowest = Math.max(found.slowest, at - gone.get(before.me));
        }
      }
      holders.set(id, { me, fence: n });
      begun.add(id);
      number({ fact: 'started', id, me, fence: n, due: null, attempt: 1, until });
    } else if (what === 'ended') {
      if (holders.get(id)?.fence === fence) holders.delete(id);
      else found.zombies += 1;
      number({ fact: 'ended', id, me, fence, until, failed: false, retry: null });
    }
  }
  for (const { me } of holders.values()) if (gone.has(me)) found.orphans += 1;
  // Somebody could have started something all the time: there were always two at least.
  facts.push({ n: facts.length, at: last, fact: 'served', me: count, since: facts[0].at });
  const trace = join(folder, 'trace.jsonl');
  const lines = facts.map((told) => JSON.stringify({ ev: 'task', wall: told.at * 1000, what: 'Cluster', cluster: which, told }));
  writeFileSync(trace, ['{"format":"hemiola-trace","version":1}', ...lines, ''].join('\n'));
  console.log(`${which}: ${counts.kills} killed, ${counts.stops} stood still; ${jobs} jobs, ${begun.size} begun, ${found.started} runs; `
    + `of runs whose process was killed ${found.again} were started again (the slowest after ${found.slowest} ms), ${found.orphans} were not; `
    + `${found.zombies} ends of runs that were somebody else's by then`);
  const verified = spawnSync(hemiola, ['verify', trace], { encoding: 'utf8', maxBuffer: 1 << 28 });
  process.stdout.write(verified.stdout);
  process.stderr.write(verified.stderr);
  if (verified.status === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`trace: ${trace}`);
  process.exit(0);
}

if (values.worker) await work(positionals[1], Number(positionals[2]));
else await test();
