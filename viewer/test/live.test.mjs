// A program that is looked at while it runs.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { end, file, hemiola, open, ran, scratch, served, start, until } from './common.mjs';

before(start);
after(end);

/** A program that ticks until a file says how it is to end. */
const ticking = () => file('ticking.js', `const { existsSync } = require('node:fs');
let count = 0;
const timer = setInterval(function tick() {
  count += 1;
  console.log('tick ' + count);
  if (!existsSync(process.argv[2])) return;
  clearInterval(timer);
  throw new Error('enough of it');
}, 20, 'pulse');
`);

/** How many actions the page has heard of. */
const counted = async (view) => {
  const text = await view.page.locator('.facts div', { hasText: 'actions' }).innerText();
  return Number(/[\d,]+/.exec(text)[0].replaceAll(',', ''));
};

describe('a program that runs', () => {
  test('is followed to its end, which is a failure here', async () => {
    const sign = join(scratch, 'sign');
    const program = await ran('run', '--view', ticking(), sign);
    const view = await open(program.address, { asks: true });
    await view.page.getByRole('status').getByText('running').waitFor();
    const first = await counted(view);
    // It goes on, and what is shown with it.
    await until(view.page, async () => String(await counted(view) > first + 5), 'true');
    assert.deepEqual((await view.lanes()).slice(0, 2), ['main', 'clock pulse']);
    assert.equal(await view.page.getByRole('alert').count(), 0);
    writeFileSync(sign, '');
    await view.page.getByRole('status').getByText('ended', { exact: true }).waitFor();
    await view.page.getByRole('alert').getByText('Error: enough of it', { exact: true }).waitFor();
    // Its exit status is that of the program, and the page does without it.
    assert.equal(await program.code, 1);
    await view.page.keyboard.press('f');
    await view.headed(/^#\d+ tick$/);
    await view.told(/enough of it/);
    await view.close();
  });

  test('is not followed by who looks elsewhere', async () => {
    const sign = join(scratch, 'sign');
    rmSync(sign, { force: true });
    const program = await ran('run', '--view', ticking(), sign);
    const view = await open(program.address, { asks: true });
    const slider = view.page.getByRole('slider');
    // The whole run is in the window until a part of it is.
    const first = await counted(view);
    await until(view.page, async () => String(await counted(view) > first), 'true');
    assert.equal(await slider.getAttribute('aria-valuetext'), 'from 0 to 100 percent of the run');
    await view.page.keyboard.press('ArrowRight');
    await view.headed('#1 main program');
    await view.page.keyboard.press('+');
    await until(view.page, view.hash, /from=/);
    const looked = await view.hash();
    const options = (await view.options()).length;
    const shown = () => view.page.getByRole('alert').count();
    writeFileSync(sign, '');
    await until(view.page, async () => String(await shown()), '1');
    assert.equal(await view.hash(), looked);
    assert.ok(options > 0);
    assert.equal(await program.code, 1);
    await view.close();
  });

  test('is for the one who knows its address', async () => {
    const sign = join(scratch, 'sign');
    rmSync(sign, { force: true });
    const program = await ran('run', '--view', ticking(), sign);
    const { origin, pathname } = new URL(program.address);
    assert.match(pathname, /^\/[0-9a-f]{32}\/$/);
    for (const path of ['/', '/data?after=0', `${pathname}other`, pathname.slice(0, -2)]) {
      assert.equal((await fetch(origin + path)).status, 404, path);
    }
    assert.equal((await fetch(`${program.address}data?after=0`)).status, 200);
    writeFileSync(sign, '');
    // Whoever has got the end lets it go.
    for (let data = { seen: 0 }; !data.over; ) data = await (await fetch(`${program.address}data?after=${data.seen}`)).json();
    assert.equal(await program.code, 1);
  });
});

test('a run that has ended is for the one who knows its address, too', async () => {
  hemiola('run', '--record', file('short.js', `console.log('done');`));
  const { address, end: stop } = await served('latest');
  const { origin, pathname } = new URL(address);
  assert.match(pathname, /^\/[0-9a-f]{32}\/$/);
  for (const path of ['/', '/?x', `${pathname}other`, pathname.slice(0, -2)]) {
    assert.equal((await fetch(origin + path)).status, 404, path);
  }
  const answer = await fetch(`${address}#action=1`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
  stop();
});

test('a program that has ended is there until somebody has looked, or ends it', async () => {
  const program = await ran('run', '--view', file('short.js', `console.log('done');`));
  const view = await open(program.address, { asks: true });
  await view.page.getByRole('status').getByText('ended', { exact: true }).waitFor();
  assert.equal(await program.code, 0);
  assert.match(await view.page.locator('.details').innerText(), /done/);
  await view.close();
  const other = await ran('run', '--view', file('short.js', `console.log('done');`));
  await until(null, () => other.told(), /the program has ended/);
  other.end('SIGINT');
  assert.equal(await other.code, 'SIGINT');
});
