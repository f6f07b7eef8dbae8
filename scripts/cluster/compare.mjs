// What scripts/cluster-compare does.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Server } from './server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tasks: { type: 'string', default: '1000' }, only: { type: 'string', default: 'hemiola,graphile-worker,pg-boss' } },
});
const builds = ['target/release/hemiola', 'target/debug/hemiola'].filter((path) => existsSync(path));
const hemiola = resolve(positionals[0] ?? builds.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]);
const count = Number(values.tasks);
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
const VERSIONS = ['pg-boss@10.4.2', 'graphile-worker@0.17.3', 'pg@8'];

const folder = mkdtempSync(join(tmpdir(), 'hemiola-compare-'));
for (const file of ['compare-hemiola.mjs', 'compare-graphile-worker.mjs', 'compare-pg-boss.mjs']) copyFileSync(join(here, file), join(folder, file));
writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...VERSIONS], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

const server = new Server('compare', { settings: "shared_preload_libraries = 'pg_stat_statements'" });
server.sql('postgres', 'CREATE EXTENSION pg_stat_statements');
/// How many statements the server has had, whoever's.
const statements = (database) => Number(server.sql('postgres',
  `SELECT coalesce(sum(calls), 0) FROM pg_stat_statements JOIN pg_database d ON d.oid = dbid WHERE d.datname = '${database}'`));

async function measure(which) {
  const database = which.replace('-', '_');
  server.sql('postgres', `CREATE DATABASE ${database}`);
  // The beginning of a minute that leaves time to get ready.
  const due = Math.ceil((Date.now() + 25_000) / 60_000) * 60_000;
  const starts = [];
  let ready = 0;
  const children = [1, 2, 3, 4].map((number) => {
    const program = join(folder, `compare-${which}.mjs`);
    const command = which === 'hemiola' ? [hemiola, 'run', '--record=off', program] : ['node', program];
    const child = spawn(command[0], [...command.slice(1), server.folder, database, String(due), String(count), String(number)], {
      cwd: folder, stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'ready') ready += 1;
      else if (/^\d+( \d+)*$/.test(line)) starts.push(...line.split(' ').map(Number));
    });
    return child;
  });
  while (ready < 4) await wait(50);
  if (Date.now() > due - 1000) throw new Error(`${which} was not ready in time`);
  await wait(due - 500 - Date.now());
  const before = statements(database);
  const began = Date.now();
  while (starts.length < count && Date.now() < began + 120_000) await wait(20);
  await wait(1500);
  const perStart = (statements(database) - before) / starts.length;
  const late = starts.map((at) => at - due).sort((a, b) => a - b);
  const share = (part) => late[Math.min(late.length - 1, Math.floor(late.length * part))];
  // A minute with nothing to do, after everybody has calmed down.
  await wait(5000);
  const idle = statements(database);
  await wait(60_000);
  const perMinute = statements(database) - idle;
  for (const child of children) child.kill('SIGKILL');
  return {
    started: starts.length, early: late.filter((ms) => ms < 0).length, perSecond: Math.round(count * 1000 / Math.max(1, share(1))),
    p50: share(0.5), p99: share(0.99), perStart: Number(perStart.toFixed(1)), perMinute,
  };
}

console.log('| | started | starts per second | lateness p50 | p99 | statements per start | statements per minute, idle |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const which of values.only.split(',')) {
  const { started, perSecond, p50, p99, perStart, perMinute } = await measure(which);
  console.log(`| ${which} | ${started} | ${perSecond} | ${p50} ms | ${p99} ms | ${perStart} | ${perMinute} |`);
}
server.end();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
