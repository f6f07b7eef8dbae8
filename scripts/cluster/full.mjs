// A server whose disk is really full for a while: its database is in a tablespace on a small file system in memory, which
// needs root. A node enqueues jobs with large payloads all the time. What is refused is refused by name, and whatever was
// accepted is run once.
//
//   node scripts/cluster/full.mjs [HEMIOLA]
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Server } from './server.mjs';

if (process.getuid() !== 0) {
  console.log('skipped: only root mounts file systems');
  process.exit(0);
}
const hemiola = resolve(process.argv[2] ?? ['target/debug/hemiola', 'target/release/hemiola'].find((path) => existsSync(path)));
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
const server = new Server('full');
const small = join(server.folder, 'small');
mkdirSync(small);
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', small]);
let isWell = false;
try {
  const { uid, gid } = statSync(server.folder);
  const place = join(small, 'space');
  mkdirSync(place);
  chownSync(place, uid, gid);
  server.sql('postgres', `CREATE TABLESPACE small LOCATION '${place}'`);
  server.sql('postgres', 'CREATE DATABASE test TABLESPACE small');
  const program = join(server.folder, 'node.mjs');
  writeFileSync(program, `
    import { enqueue, initialize, stop } from 'hemiola:scheduler';
    import { randomBytes } from 'node:crypto';
    process.on('warning', ({ message }) => console.log('warning', message));
    const accepted = new Set();
    const runs = new Map();
    await initialize([{ id: 'work', run: ({ job }) => { runs.set(job, (runs.get(job) ?? 0) + 1); } }], {
      store: process.argv[2], lease: 60_000, log: false, jobs: 4, history: 1,
    });
    console.log('joined');
    let isOver = false;
    process.stdin.once('data', () => { isOver = true; });
    const refused = {};
    for (let key = 0; !isOver; key += 1) {
      try {
        accepted.add((await enqueue('work', randomBytes(8000).toString('hex'), { key: String(key) })).job);
      } catch ({ code }) {
        if (refused[code] === undefined) console.log('refused', code);
        refused[code] = (refused[code] ?? 0) + 1;
        await new Promise((done) => { setTimeout(done, 20); });
      }
    }
    for (let left = 400; left > 0 && [...accepted].some((job) => !runs.has(job)); left -= 1) await new Promise((done) => { setTimeout(done, 50); });
    const missing = [...accepted].filter((job) => !runs.has(job)).length;
    const twice = [...runs.values()].filter((count) => count > 1).length;
    console.log('result', JSON.stringify({ accepted: accepted.size, refused, missing, twice }));
    await stop();
  `);
  const node = spawn(hemiola, ['run', '--record=off', program, server.address()], { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = [];
  createInterface({ input: node.stdout }).on('line', (line) => { said.push(line); console.log(line); });
  const hear = async (word) => {
    for (const end = Date.now() + 60_000; !said.some((line) => line.startsWith(word));) {
      if (Date.now() > end) throw new Error(`it does not say ${word}`);
      await wait(20);
    }
  };
  await hear('joined');
  await wait(500);
  const filler = join(small, 'filler');
  const fill = () => {
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'], { stdio: 'ignore' });
    } catch {
      // It is full.
    }
  };
  fill();
  console.log('the disk is full');
  await hear('refused ENOSPC');
  await wait(1500);
  rmSync(filler);
  console.log('there is room');
  await wait(2000);
  node.stdin.write('over\n');
  await hear('result');
  const { accepted, missing, twice } = JSON.parse(said.findLast((line) => line.startsWith('result')).slice(7));
  isWell = accepted > 0 && missing === 0 && twice === 0;
  node.kill('SIGKILL');
} finally {
  server.stop('immediate');
  execFileSync('umount', ['-l', small]);
  server.end();
}
console.log(isWell ? 'nothing was lost, and nothing was run twice' : 'FAILED');
process.exit(isWell ? 0 : 1);
