// A browser, and pages of recorded programs.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

export const ROOT = resolve(import.meta.dirname, '../..');
const HEMIOLA = resolve(process.env.HEMIOLA ?? join(ROOT, 'target/debug/hemiola'));
const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  .find((path) => path && existsSync(path));

export const scratch = mkdtempSync(join(tmpdir(), 'hemiola-view-'));

const env = { ...process.env, HEMIOLA_RUNS: join(scratch, 'runs'), HEMIOLA_RECORD: 'off', NO_COLOR: '1' };
delete env.DISPLAY;
delete env.WAYLAND_DISPLAY;

/** Runs hemiola and gives what it prints; a program may end with any code. */
export function hemiola(...words) {
  try {
    return execFileSync(HEMIOLA, words, { env, cwd: scratch, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    if (words[0] === 'run' && error.status > 0) return error.stdout;
    throw error;
  }
}

/** A file of that name with that text. */
export function file(name, text) {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

/** The page of a trace that a program writes in virtual time. */
export function simulated(name, program, ...flags) {
  const trace = join(scratch, `${name}.jsonl`);
  hemiola('simulate', '--instrument', ...flags, '--trace', trace, program);
  return written(name, trace);
}

/** The page of a recording of a program. */
export function recorded(name, program, ...flags) {
  hemiola('run', '--record', program);
  return written(name, 'latest', ...flags);
}

/** The page of runs. */
export function written(name, ...runs) {
  const path = join(scratch, `${name}.html`);
  hemiola('view', ...runs, '--out', path);
  return `file://${path}`;
}

/** A server with a run, and its address. */
export async function served(...words) {
  const child = spawn(HEMIOLA, ['view', '--no-open', ...words], { env, cwd: scratch, stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((done, fail) => {
    child.stdout.once('data', (text) => done(String(text).trim()));
    child.once('exit', (code) => fail(new Error(`hemiola view ended with ${code}`)));
  });
  return { address, end: () => child.kill() };
}

/** A command whose first note is the address of a page; `code` is its exit code or the signal that ended it. */
export async function ran(...words) {
  const child = spawn(HEMIOLA, words, { env, cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  const code = new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));
  const address = await new Promise((done, fail) => {
    child.stderr.on('data', (text) => {
      told += text;
      const found = /http:\/\/\S+/.exec(told);
      if (found) done(found[0]);
    });
    child.once('exit', (code) => fail(new Error(`hemiola ${words.join(' ')} ended with ${code}: ${told}`)));
  });
  return { address, code, told: () => told, end: (signal) => child.kill(signal) };
}

let browser;

export async function start() {
  if (!CHROMIUM) throw new Error('no chromium; set CHROMIUM to its path');
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: 180_000 });
}

export async function end() {
  await browser?.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** Which elements of a selector lie on each other, by what is on them; those that scroll out of sight do not count. */
export const overlaps = (page, selector) => page.evaluate((selector) => {
  const seen = [...document.querySelectorAll(selector)].map((element) => [element, element.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && box.height > 0);
  const found = [];
  seen.forEach(([one, a], i) => seen.slice(i + 1).forEach(([other, b]) => {
    if (one.contains(other) || other.contains(one)) return;
    const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (x > 0.5 && y > 0.5) found.push(`${one.textContent} / ${other.textContent}`);
  }));
  return found;
}, selector);

/** Looks until it sees what it expects, a text or like a pattern, and gives it: a page is drawn when it gets to it. */
export async function until(page, look, expected) {
  const isIt = (text) => (expected instanceof RegExp ? expected.test(text) : text === expected);
  const late = Date.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (isIt(seen)) return seen;
    if (Date.now() > late) throw new Error(`expected ${expected}, saw ${seen}`);
    if (page) await page.evaluate(() => new Promise(requestAnimationFrame));
    else await new Promise(setImmediate);
  }
}

/** Opens an address in a page of its own. Whatever goes wrong there, or goes out, is a failure. */
export async function open(address, { scheme = 'light', width = 1400, height = 800, asks = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  // What is waited for comes, however busy the machine is.
  page.setDefaultTimeout(180_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.stack));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => {
    const url = request.url();
    if (asks && url.startsWith(`${address}data?`)) return;
    if (!url.startsWith('data:') && url.split('#')[0] !== address.split('#')[0]) problems.push(`asked for ${url}`);
  });
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector('[role=option], .sheet'));
  return {
    page,
    /** The lanes, by name. */
    lanes: () => page.locator('[data-lane][role=listitem]').evaluateAll((lanes) => lanes.map((lane) => lane.dataset.lane)),
    /** The actions in view, in one line each. */
    options: () => page.locator('[role=option][data-action]').allTextContents(),
    details: page.getByRole('complementary', { name: 'Selected action' }),
    /** Waits until the heading of what is selected is this. */
    headed: (expected) => until(page, () => page.locator('.details h2').first().innerText(), expected),
    /** Waits until what is said of the selection is like this, and gives it. */
    told: (expected) => until(page, () => page.locator('.details').innerText(), expected),
    /** Waits until the address ends with this. */
    addressed: (hash) => page.waitForFunction((hash) => location.hash === hash, hash),
    hash: () => page.evaluate(() => location.hash),
    async close() {
      await context.close();
      if (problems.length) throw new Error(problems.join('\n'));
    },
  };
}
