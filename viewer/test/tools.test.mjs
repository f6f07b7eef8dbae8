// What is done with a page besides reading it: the overview, pictures, the guide, choices and requests by name.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, end, file, open, overlaps, simulated, start, until, written } from './common.mjs';

let address;
before(async () => {
  await start();
  address = simulated('tools', join(ROOT, 'examples/papers/clocks-fig2-request.js'), '--until', '5s');
});
after(end);

/** The window as the address has it, in seconds. */
const windowOf = async (view) => {
  const given = new URLSearchParams((await view.hash()).slice(1));
  return ['from', 'to'].map((name) => Number(given.get(name)) / 1e6);
};

/** Waits until the window is about here. */
const windowed = (view, from, to) => until(view.page, async () => {
  const seen = await windowOf(view);
  return Math.abs(seen[0] - from) < 0.15 && Math.abs(seen[1] - to) < 0.15 ? 'there' : seen.join();
}, 'there');

describe('the overview', () => {
  const [low, high] = [-0.15, 5.3];

  test('is dragged with the mouse', async () => {
    const view = await open(address);
    const box = await view.page.getByRole('slider').boundingBox();
    const at = (seconds) => box.x + ((seconds - low) / (high - low)) * box.width;
    const drag = async (from, to) => {
      await view.page.mouse.move(at(from), box.y + 15);
      await view.page.mouse.down();
      await view.page.mouse.move(at((from + to) / 2), box.y + 15);
      await view.page.mouse.move(at(to), box.y + 15);
      await view.page.mouse.up();
    };
    // A new window, the window, its edges, a click beside it.
    await drag(1, 2);
    await windowed(view, 1, 2);
    await drag(1.5, 3);
    await windowed(view, 2.5, 3.5);
    await drag(3.5, 4.5);
    await windowed(view, 2.5, 4.5);
    await drag(2.5, 3.5);
    await windowed(view, 3.5, 4.5);
    await view.page.mouse.click(at(1.5), box.y + 15);
    await windowed(view, 1, 2);
    await view.page.mouse.dblclick(at(4), box.y + 15);
    await view.addressed('');
    await view.close();
  });

  test('is moved with the keyboard, and says where it is', async () => {
    const view = await open(`${address}#from=1000000&to=2000000`);
    const slider = view.page.getByRole('slider');
    await slider.focus();
    assert.equal(await slider.getAttribute('aria-valuetext'), 'from 21 to 39 percent of the run');
    await view.page.keyboard.press('ArrowRight');
    await windowed(view, 1.1, 2.1);
    await view.page.keyboard.press('End');
    await windowed(view, 4.3, 5.3);
    await view.page.keyboard.press('ArrowUp');
    await windowed(view, 4.4, 5.2);
    await view.page.keyboard.press('Home');
    await windowed(view, -0.15, 0.65);
    // Nothing was selected by these keys.
    assert.doesNotMatch(await view.hash(), /action/);
    await view.close();
  });
});

describe('pictures', () => {
  const saved = async (view, name) => {
    const [download] = await Promise.all([view.page.waitForEvent('download'), view.page.getByRole('button', { name }).click()]);
    return [download.suggestedFilename(), readFileSync(await download.path())];
  };

  test('are saved as SVG', async () => {
    const view = await open(`${address}#action=24&arrows=all`);
    const [name, bytes] = await saved(view, 'Save as SVG');
    assert.equal(name, 'tools.jsonl.svg');
    const text = bytes.toString();
    const found = await view.page.evaluate((text) => {
      const picture = new DOMParser().parseFromString(text, 'image/svg+xml');
      const all = (selector) => [...picture.querySelectorAll(selector)];
      return { root: picture.documentElement.tagName, texts: all('text').map((one) => one.textContent), paths: all('path').length };
    }, text);
    assert.equal(found.root, 'svg');
    for (const word of ['Program', 'A', 'raise', 'lower', 'report', 'main program', '1 s']) assert.ok(found.texts.includes(word), word);
    assert.ok(found.paths > 20);
    assert.doesNotMatch(text, /NaN|undefined|Infinity/);
    await view.close();
  });

  test('are saved as PNG', async () => {
    const view = await open(address);
    const [name, bytes] = await saved(view, 'Save as PNG');
    assert.equal(name, 'tools.jsonl.png');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.equal(bytes.readUInt32BE(16), 2800);
    const lanes = await view.page.locator('.lanes').evaluate((one) => parseFloat(one.style.height));
    assert.equal(bytes.readUInt32BE(20), lanes * 2);
    await view.close();
  });
});

describe('the guide', () => {
  test('is asked for, goes through its cards, and is closed', async () => {
    const view = await open(address);
    const guide = view.page.getByRole('region', { name: 'First visit' });
    assert.equal(await guide.count(), 0);
    await view.page.keyboard.press('?');
    await view.page.getByRole('button', { name: 'Show me around' }).click();
    for (const heading of ['What ran', 'Why it ran', 'The whole run', 'Keys and links']) {
      await guide.getByRole('heading', { name: heading }).waitFor();
      assert.deepEqual(await overlaps(view.page, '.guide, .bar, .details'), []);
      // The page works meanwhile.
      await view.page.keyboard.press(']');
      await guide.getByRole('button', { name: /Next|Done/ }).click();
    }
    await guide.waitFor({ state: 'detached' });
    await view.headed(/^#4 /);
    await view.close();
  });

  test('comes on the first visit of a person, and not again', async () => {
    const view = await open(address);
    // A browser that nobody drives.
    await view.page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { value: false }));
    const guide = view.page.getByRole('region', { name: 'First visit' });
    await view.page.reload();
    await guide.waitFor();
    await view.page.emulateMedia({ media: 'print' });
    await guide.waitFor({ state: 'hidden' });
    await view.page.emulateMedia({ media: 'screen' });
    await guide.getByRole('button', { name: 'Close' }).click();
    await guide.waitFor({ state: 'detached' });
    await view.page.reload();
    await view.page.getByRole('option').first().waitFor({ state: 'attached' });
    assert.equal(await guide.count(), 0);
    await view.close();
  });
});

test('a choice is named with what was not taken, where it is drawn', async () => {
  const program = file('choices.js', `setImmediate(function one() {});
setImmediate(function two() {});
`);
  const trace = file('named.jsonl', [
    '{"format":"hemiola-trace","version":1}',
    '{"ev":"began","n":1,"link":1,"cause":1,"at":0}',
    '{"ev":"queued","queued":1,"class":"immediate","link":1}',
    `{"ev":"site","file":${JSON.stringify(program)},"line":1,"column":1}`,
    '{"ev":"queued","queued":2,"class":"immediate","link":1}',
    `{"ev":"site","file":${JSON.stringify(program)},"line":2,"column":1}`,
    '{"ev":"ended","n":1}',
    '{"ev":"chose","taken":1,"of":2}',
    '{"ev":"began","n":2,"class":"immediate","queued":2,"link":1,"cause":1,"at":5}',
    '{"ev":"ended","n":2}',
    '{"ev":"began","n":3,"class":"immediate","queued":1,"link":1,"cause":1,"at":9}',
    '{"ev":"ended","n":3}',
    '',
  ].join('\n'));
  const view = await open(`${written('named', trace)}#action=2&axis=order`);
  await view.told(/Alternative 2 of 2 was taken: took #2 two, 2 of 2; not taken: #3 one\./);
  // Pointed at, the diamond says so, too.
  const canvas = await view.page.locator('canvas[role=application]').boundingBox();
  const lane = await view.page.locator('[data-lane="immediates"][role=listitem]').boundingBox();
  const middle = lane.y + lane.height / 2;
  const left = canvas.x + (1.5 / 4) * canvas.width;
  await view.page.mouse.move(left - 22, middle);
  await view.page.locator('.tip', { hasText: 'took #2 two, 2 of 2; not taken: #3 one' }).waitFor();
  await view.close();
});

test('a request is a bar with what it waited', async () => {
  const view = await open(`${address}#action=11`);
  await view.headed('#11 GET /');
  await view.told(/request\s+GET \/: [\d.]+ \S+, of that [\d.]+ \S+ waiting/);
  const lane = await view.page.locator('[data-lane="requests"][role=listitem]').boundingBox();
  const canvas = await view.page.locator('canvas[role=application]').boundingBox();
  // Where it is worked on it is dark, in between it is light.
  const colors = await view.page.locator('canvas[role=application]').evaluate((one, top) => {
    const ratio = one.width / one.clientWidth;
    const { data } = one.getContext('2d').getImageData(0, Math.round(top * ratio), one.width, 1);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add([...data.subarray(i, i + 3)].join());
    return [...seen];
  }, lane.y - canvas.y + 10 + 24 - 8);
  assert.ok(colors.includes('159,18,57'), colors.join(' '));
  assert.ok(colors.includes('251,216,224'), colors.join(' '));
  await view.close();
});
