// How long the page of a long run takes to open, and how smoothly it moves. Records an HTTP server under
// load until the run has about as many actions as asked for, makes its page, and opens that in Chromium.
//
//   node benches/view/run.mjs [HEMIOLA] [ACTIONS]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const require = createRequire(join(here, '../../viewer/package.json'));
const { chromium } = require('playwright-core');

const hemiola = resolve(process.argv[2] ?? join(here, '../../target/release/hemiola'));
const wanted = Number(process.argv[3] ?? 100_000);
// What a request takes here: the connection is kept, so reading, answering and their tails.
const PER_REQUEST = 8;
const scratch = mkdtempSync(join(tmpdir(), 'hemiola-bench-'));
const env = { ...process.env, HEMIOLA_RUNS: join(scratch, 'runs') };

async function record(requests) {
  const server = spawn(hemiola, ['run', '--record', join(here, 'server.js'), String(requests)], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((done) => server.once('exit', done));
  const port = await new Promise((done) => server.stdout.once('data', (text) => done(Number(text))));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  let next = 0;
  const client = async () => {
    while (next < requests) {
      const path = `/item/${next++ % 100}`;
      await new Promise((done) => {
        const request = http.get({ host: '127.0.0.1', port, path, agent }, (response) => {
          response.resume().on('end', done);
        });
        request.on('error', done);
      });
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
  agent.destroy();
  await ended;
}

const timed = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

await record(Math.ceil(wanted / PER_REQUEST));
const page = join(scratch, 'page.html');
const made = timed(() => execFileSync(hemiola, ['view', '--out', page], { env }));

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const opened = [];
let result;
for (let i = 0; i < 5; i++) {
  const tab = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const start = performance.now();
  await tab.goto(`file://${page}`);
  await tab.waitForFunction(() => document.querySelector('[role=option]'));
  opened.push(performance.now() - start);
  if (i < 4) {
    await tab.close();
    continue;
  }
  // Zooms in until single actions can be seen, moves along, and zooms out again, one step a frame.
  result = await tab.evaluate(async () => {
    const canvas = document.querySelector('canvas[role=application]');
    const box = canvas.getBoundingClientRect();
    const turn = (options) => canvas.dispatchEvent(new WheelEvent('wheel', {
      bubbles: true, cancelable: true, clientX: box.x + box.width / 3, clientY: box.y + 200, ...options,
    }));
    const frames = [];
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let last = await frame();
    for (let step = 0; step < 180; step++) {
      if (step < 60) turn({ deltaY: -60, ctrlKey: true });
      else if (step < 120) turn({ deltaX: 40, shiftKey: true });
      else turn({ deltaY: 60, ctrlKey: true });
      const now = await frame();
      frames.push(now - last);
      last = now;
    }
    frames.sort((a, b) => a - b);
    const navigation = performance.getEntriesByType('navigation')[0];
    return {
      actions: document.querySelector('.details').innerText.match(/actions\s+([\d,]+)/)?.[1],
      shown: performance.getEntriesByName('shown')[0].startTime - navigation.startTime,
      median: frames[frames.length >> 1],
      p95: frames[Math.floor(frames.length * 0.95)],
    };
  });
}
await browser.close();
opened.sort((a, b) => a - b);
console.log(`actions              ${result.actions}`);
console.log(`page, bytes          ${statSync(page).size.toLocaleString('en')}`);
console.log(`hemiola view --out   ${(made / 1000).toFixed(2)} s`);
console.log(`open, median of 5    ${(opened[2] / 1000).toFixed(2)} s`);
console.log(`of that in the page  ${(result.shown / 1000).toFixed(2)} s`);
console.log(`frame, median        ${result.median.toFixed(1)} ms`);
console.log(`frame, 95 of 100     ${result.p95.toFixed(1)} ms`);
rmSync(scratch, { recursive: true, force: true });
