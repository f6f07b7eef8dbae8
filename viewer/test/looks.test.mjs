// How the page looks: three sizes, both themes, paper; and whether it can be used without seeing it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT, end, file, open, overlaps, recorded, start, until } from './common.mjs';
import { PICTURES } from './screenshots.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = join(ROOT, 'target/page');
let address;

before(async () => {
  await start();
  mkdirSync(pictures, { recursive: true });
  address = recorded('looks', file('looks.js', `const { readFile } = require('node:fs');
function sell(item) {
  console.log('sold', item);
  if (item === 'coffee') throw new TypeError('there is no coffee in the shop of this town, nor in any other shop around');
}
readFile(__filename, function read() {
  setTimeout(function first() { sell('tea'); }, 5, 'shop');
  setTimeout(function second() { Promise.resolve().then(() => sell('coffee')); }, 10, 'shop');
});
`));
});
after(end);

/** Everything that goes beyond the right edge of the screen, unless something around it scrolls or hides it. */
const tooWide = (page) => page.evaluate(() => {
  const scrolls = (element) => {
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== 'visible' && up.getBoundingClientRect().right <= innerWidth + 0.5) return true;
    }
    return false;
  };
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5 && !scrolls(element))
    .map((element) => `${element.tagName} ${element.className} ${element.textContent.slice(0, 40)}`);
});

/** What axe finds that keeps somebody from using the page. */
async function barriers(page) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}

const CONTROLS = '.bar h1, .bar button, .bar select, .bar input, .banner > *';

const PLACES = { first: '#', selected: '#action=3', trees: '#action=3&tab=trees', sites: '#tab=sites', choices: '#tab=choices', races: '#tab=races' };

for (const [width, height] of [[390, 844], [1024, 768], [1600, 1000]]) {
  for (const scheme of ['light', 'dark']) {
    test(`it fits at ${width} by ${height}, ${scheme}`, async () => {
      const view = await open(address, { width, height, scheme });
      for (const [name, hash] of Object.entries(PLACES)) {
        await view.page.evaluate((hash) => (location.hash = hash), hash);
        const tab = new URLSearchParams(hash.slice(1)).get('tab') ?? 'timeline';
        await view.page.getByRole('tab', { selected: true, name: new RegExp(`^${tab}`, 'i') }).waitFor();
        await view.page.screenshot({ path: join(pictures, `${name}-${width}-${scheme}.png`) });
        assert.deepEqual(await tooWide(view.page), [], name);
        assert.deepEqual(await overlaps(view.page, CONTROLS), [], name);
        assert.deepEqual(await overlaps(view.page, '.lane-title, .row-label'), [], name);
        assert.deepEqual(await overlaps(view.page, '.bar, .banner, .view, .details'), [], name);
        // What the page is for has room.
        const box = await view.page.locator('.view').boundingBox();
        assert.ok(box.height > 250 && box.width > 380, `${name} ${JSON.stringify(box)}`);
        assert.deepEqual(await barriers(view.page), [], name);
      }
      await view.close();
    });
  }
}

test('the list of keys is a dialog that a phone has room for', async () => {
  const view = await open(address, { width: 390, height: 844 });
  await view.page.getByRole('button', { name: 'Keys' }).click();
  const dialog = view.page.getByRole('dialog', { name: 'Keys' });
  const box = await dialog.boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.height <= 844, JSON.stringify(box));
  assert.deepEqual(await barriers(view.page), []);
  await view.close();
});

test('every control is reached with the tabulator, and what has the focus is seen', async () => {
  const view = await open(address);
  const wanted = await view.page.locator('button:visible, input:visible, select:visible, canvas[tabindex]').count();
  const reached = new Set();
  for (let i = 0; i < wanted + 5; i++) {
    await view.page.keyboard.press('Tab');
    const [name, outline] = await view.page.evaluate(() => {
      const element = document.activeElement;
      const all = [...document.querySelectorAll('*')];
      return [`${all.indexOf(element)} ${element.tagName}`, getComputedStyle(element).outlineStyle];
    });
    if (name.endsWith('BODY')) continue;
    assert.notEqual(outline, 'none', name);
    reached.add(name);
  }
  assert.ok(reached.size >= wanted, `${reached.size} of ${wanted}: ${[...reached]}`);
  await view.close();
});

test('paper shows all lanes, in light colours, without what cannot be pressed there', async () => {
  const view = await open(`${address}#action=3`, { width: 1400, height: 300, scheme: 'dark' });
  const canvas = view.page.locator('canvas[role=application]');
  const lanes = await view.page.locator('.lanes').evaluate((one) => one.offsetHeight);
  await view.page.emulateMedia({ media: 'print' });
  await until(view.page, () => canvas.evaluate((one) => String(one.clientHeight)), String(lanes));
  assert.equal(await view.page.getByRole('tab').first().isVisible(), false);
  assert.equal(await view.page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  const corner = await canvas.evaluate((one) => [...one.getContext('2d').getImageData(2, one.height - 40, 1, 1).data]);
  assert.ok(corner[0] > 200, corner.join());
  await view.page.screenshot({ path: join(pictures, 'paper.png'), fullPage: true });
  assert.ok(await view.page.evaluate(() => document.documentElement.scrollWidth) <= 1400);
  const paper = await view.page.pdf({ preferCSSPageSize: true });
  assert.equal(paper.subarray(0, 5).toString(), '%PDF-');
  await view.page.emulateMedia({ media: 'screen' });
  await view.page.getByRole('tab').first().waitFor();
  await view.close();
});

test('the pictures of the documentation are those that a script makes', () => {
  const made = Object.keys(PICTURES).map((name) => `${name}.png`).sort();
  assert.deepEqual(readdirSync(join(ROOT, 'docs/images')).sort(), made);
  const text = readFileSync(join(ROOT, 'docs/view.md'), 'utf8');
  for (const picture of made) assert.ok(text.includes(`](images/${picture})`), picture);
});
