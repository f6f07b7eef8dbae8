// What scripts/cluster-kill does.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Proxy, Server } from './server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    time: { type: 'string', default: '5m' }, tasks: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' },
    lease: { type: 'string', default: '4000' }, keep: { type: 'boolean', default: false },
  },
});
const builds = ['target/release/hemiola', 'target/debug/hemiola'].filter((path) => existsSync(path));
const hemiola = positionals[0] ?? builds.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
if (hemiola === undefined) throw new Error('cannot find the binary of hemiola: build it, or name it');
const [, amount, unit] = /^([\d.]+)(s|m)$/.exec(values.time) ?? [];
const time = Number(amount) * (unit === 'm' ? 60_000 : 1000);
const lease = Number(values.lease);

// Numbers that look random and follow from the seed; when they are used does not.
let state = BigInt(values.seed) * 0x9E3779B97F4A7C15n | 1n;
function random(end) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xFFFFFFFFFFFFFFFFn;
  return Number(state >> 33n) % end;
}
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });

const folder = mkdtempSync(join(tmpdir(), 'hemiola-kill-'));
const shim = join(folder, 'clock.so');
execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', shim, join(here, 'clock.c'), '-ldl']);
const server = new Server('kill');
server.sql('postgres', 'CREATE DATABASE test');
const counts = { kills: 0, stops: 0, cuts: 0, restarts: 0 };

class Node {
  runs = 0;

  constructor(number) {
    this.number = number;
    this.proxy = new Proxy(server, `proxy-${number}`);
    this.start();
  }

  start() {
    this.runs += 1;
    const trace = join(folder, `node-${this.number}-${this.runs}.jsonl`);
    // Two nodes keep their names, and take their own place when they are back; two are others each time.
    const name = this.number <= 2 ? `node-${this.number}` : '';
    const offset = { 2: 3600, 4: -3600 }[this.number];
    const env = offset === undefined ? process.env : { ...process.env, LD_PRELOAD: shim, CLOCK_OFFSET: String(offset) };
    const args = ['run', '--trace', trace, join(here, 'node.mjs'), server.address(this.proxy.folder), name, values.tasks, values.lease];
    this.child = spawn(resolve(hemiola), args, { env, stdio: ['pipe', 'pipe', openSync(join(folder, `node-${this.number}.err`), 'a')] });
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (text) => {
      const clock = /clock (\d+)/.exec(text)?.[1];
      if (clock !== undefined) counts.clock = Math.max(counts.clock ?? 0, Math.abs(Number(clock) - Date.now()));
    });
    this.isBusy = false;
  }

  async kill() {
    this.isBusy = true;
    counts.kills += 1;
    this.child.kill('SIGKILL');
    await wait(random(3 * lease / 2));
    this.start();
  }

  async stand() {
    this.isBusy = true;
    counts.stops += 1;
    this.child.kill('SIGSTOP');
    await wait(lease * (1.1 + random(100) / 100));
    this.child.kill('SIGCONT');
    this.isBusy = false;
  }

  cut() {
    counts.cuts += 1;
    this.proxy.cut(random(2 * lease), random(2) === 0);
  }

  async end() {
    this.child.stdin.write('stop\n');
    const over = new Promise((done) => { this.child.once('exit', done); });
    await Promise.race([over, wait(10_000)]);
    this.child.kill('SIGKILL');
    this.proxy.end();
  }
}

const nodes = [1, 2, 3, 4].map((number) => new Node(number));
const end = Date.now() + time;
await wait(2000);
while (Date.now() < end) {
  const free = nodes.filter((node) => !node.isBusy);
  const node = free[random(Math.max(free.length, 1))];
  const what = random(8);
  if (what === 0) {
    counts.restarts += 1;
    server.stop(random(2) === 0 ? 'fast' : 'immediate');
    await wait(random(1500));
    server.begin();
  } else if (node !== undefined) {
    if (what < 3) node.kill();
    else if (what < 6) node.stand();
    else node.cut();
  }
  await wait(300 + random(1200));
}
// What is owed has time to start.
for (const node of nodes) node.child.stdin.write('calm\n');
await wait(2 * lease + 10_000);
await Promise.all(nodes.map((node) => node.end()));
server.end();

// What the nodes told.
const traces = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
const told = { started: 0, ended: 0, failed: 0, interrupted: 0, refused: 0, lost: 0, joined: 0 };
const facts = [];
for (const trace of traces) {
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    if (!line.includes('"what":"Cluster"')) continue;
    try {
      facts.push(JSON.parse(line).told);
    } catch {
      // The last line of a node that was killed.
    }
  }
}
facts.sort((a, b) => a.n - b.n);
const served = facts.filter(({ fact }) => fact === 'served').map(({ since, at }) => [since, at]).sort((a, b) => a[0] - b[0]);
let [able, until] = [0, 0];
for (const [since, at] of served) {
  able += Math.max(0, at - Math.max(since, until));
  until = Math.max(until, at);
}
const whole = Math.max(...facts.map(({ at }) => at)) - Math.min(...facts.map(({ at }) => at));
const orphans = new Map();
const delays = [];
for (const { fact, id, at, failed } of facts) {
  if (fact === 'ended' && failed) told.failed += 1;
  else if (fact in told) told[fact] += 1;
  if (fact === 'interrupted') orphans.set(id, at);
  if (fact === 'started' && orphans.has(id)) {
    delays.push(at - orphans.get(id));
    orphans.delete(id);
  }
}
delays.sort((a, b) => a - b);
const share = (part) => delays[Math.min(delays.length - 1, Math.floor(delays.length * part))];
console.log(`nodes: ${counts.kills} killed, ${counts.stops} stood still, ${counts.cuts} cut off; ${counts.restarts} restarts of the database; clocks up to ${Math.round((counts.clock ?? 0) / 60_000)} min wrong`);
console.log(`runs: ${told.started} started, ${told.ended} succeeded, ${told.failed} failed, ${told.interrupted} interrupted, ${told.refused} ends refused; ${told.joined} joined, ${told.lost} lost`);
console.log(`some node could start something in ${Math.round(able / whole * 100)}% of the time`);
console.log(`from the loss of a run to its next start: half within ${share(0.5)} ms, all within ${share(1)} ms; ${orphans.size} not started yet`);
const verified = spawnSync(resolve(hemiola), ['verify', ...traces], { encoding: 'utf8', maxBuffer: 1 << 28 });
process.stdout.write(verified.stdout);
process.stderr.write(verified.stderr);
const isWell = verified.status === 0 && told.started > 0 && counts.kills + counts.stops > 0;
if (isWell && !values.keep) rmSync(folder, { recursive: true, force: true });
else console.log(`traces: ${folder}`);
process.exit(isWell ? 0 : verified.status || 1);
