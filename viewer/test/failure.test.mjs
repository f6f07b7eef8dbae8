// Runs that fail: what is said of them, and where.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { end, file, hemiola, open, overlaps, recorded, scratch, start, until, written } from './common.mjs';

before(start);
after(end);

/** The colours at the place where an action is drawn, as far as they are of a kind. */
const hasRed = (view, lane) => view.page.evaluate((lane) => {
  const canvas = document.querySelector('canvas[role=application]');
  const box = document.querySelector(`[data-lane="${lane}"][role=listitem]`);
  const ratio = canvas.width / canvas.clientWidth;
  const { data } = canvas.getContext('2d').getImageData(0, box.offsetTop * ratio, canvas.width, box.offsetHeight * ratio);
  let red = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] === 0xc8 && data[i + 1] === 0x1e && data[i + 2] === 0x3a) red++;
  return red;
}, lane);

describe('a program that throws', () => {
  let address;
  before(() => {
    mkdirSync(join(scratch, 'lib'));
    // Nothing is registered in this file: the page has its text because the stack names it.
    file('lib/stock.js', `const stock = new Map([['tea', 1]]);

exports.sell = function sell(item) {
\tif (!stock.get(item)) throw new TypeError('no tea </script> left');
\tstock.set(item, 0);
};
`);
    const program = file('shop.js', `const { sell } = require('./lib/stock.js');
setTimeout(function first() { sell('tea'); }, 5, 'shop');
setTimeout(function second() { sell('tea'); }, 10, 'shop');
`);
    address = recorded('shop', program);
  });

  test('shows the failure first', async () => {
    const view = await open(address);
    const banner = view.page.getByRole('alert');
    assert.match(await banner.innerText(), /^Failed\s+TypeError: no tea <\/script> left\s+lib\/stock\.js:4:30\s+Go to #3$/);
    // Nothing is selected, and the stack is there.
    await view.told(/hemiola run --record shop\.js[^]*TypeError: no tea[^]*sell lib\/stock\.js:4:30/);
    await view.page.getByRole('button', { name: 'Go to #3' }).click();
    await view.headed('#3 second');
    await view.addressed('#action=3');
    await view.close();
  });

  test('shows its stack with carets below the columns', async () => {
    const view = await open(`${address}#action=3`);
    const stack = view.page.getByRole('region', { name: 'Failure' });
    const text = await stack.innerText();
    assert.ok(!text.includes(scratch), text);
    assert.match(text, /second[^\n]*\s+shop\.js:3:32/);
    const lines = await stack.locator('.here code').evaluateAll((all) => all.map((code) => code.textContent.split('\n')));
    const under = lines.map(([line, caret]) => line.slice(caret.length - 1));
    assert.deepEqual(under, ["new TypeError('no tea </script> left');", "sell('tea'); }, 10, 'shop');"]);
    // On the screen, too, though the line begins with a tab.
    const places = await stack.locator('.here code').first().evaluate((code) => {
      const at = (node, from, to) => {
        const range = document.createRange();
        range.setStart(node, from);
        range.setEnd(node, to);
        return range.getBoundingClientRect().left;
      };
      const caret = code.querySelector('.caret').firstChild;
      const column = caret.textContent.length - 2;
      return [at(code.firstChild, column, column + 1), at(caret, caret.length - 1, caret.length)];
    });
    assert.ok(Math.abs(places[0] - places[1]) < 1, places.join());
    await view.close();
  });

  test('is red where it failed, and the key f leads there', async () => {
    const view = await open(address);
    assert.ok(await hasRed(view, 'clock shop') > await hasRed(view, 'main') + 50);
    await view.page.keyboard.press('f');
    await view.headed('#3 second');
    await view.close();
  });
});

test('a rejection is told with its cause', async () => {
  const view = await open(recorded('rejected', file('rejected.mjs', `import { setTimeout as wait } from 'node:timers/promises';
async function work() {
  await wait(1);
  throw new Error('lost', { cause: new Error('of that') });
}
work();
`)));
  await view.page.getByRole('alert').getByText('Error: lost', { exact: true }).waitFor();
  const text = await view.page.getByRole('region', { name: 'Failure' }).innerText();
  assert.match(text, /\[cause\]: Error: of that/);
  assert.match(text, /rejected\.mjs:4:\d+/);
  assert.ok(!text.includes('file://'), text);
  // It is the action that rejected, and not the one in which the runtime noticed.
  await view.page.keyboard.press('f');
  await view.headed(/^#\d+ rejected\.mjs:3$/);
  await view.close();
});

test('an exit status is a failure, with what was written last', async () => {
  const view = await open(recorded('status', file('status.js', `setTimeout(function leave() {
  console.error('cannot go on');
  process.exit(3);
}, 1);
`)));
  await view.page.getByRole('alert').getByText('The program ended with exit status 3').waitFor();
  await view.page.keyboard.press('f');
  await view.headed('#2 leave');
  await view.told(/exit status 3\s+cannot go on/);
  await view.close();
});

test('a run that ends well has no banner', async () => {
  const view = await open(recorded('well', file('well.js', `console.error('TypeError: only a word');`)));
  assert.equal(await view.page.getByRole('alert').count(), 0);
  await view.close();
});

describe('twenty clocks with long names', () => {
  let address;
  before(() => {
    const program = file('long.js', `for (let i = 0; i < 20; i++) {
  const clock = 'the clock of department number ' + i + ' of the whole company';
  setTimeout(function aCallbackWithAVeryLongNameIndeed() {}, i, clock);
  setTimeout(function anotherCallbackWhoseNameIsLong() {}, i + 1, clock);
}
`);
    const trace = join(scratch, 'clocks.jsonl');
    hemiola('simulate', '--trace', trace, program);
    address = written('clocks', trace);
  });

  for (const [width, height] of [[390, 844], [800, 600], [1400, 800]]) {
    test(`have labels beside each other, ${width} pixels wide`, async () => {
      const view = await open(address, { width, height });
      assert.equal((await view.lanes()).filter((lane) => lane.startsWith('clock ')).length, 20);
      assert.deepEqual(await overlaps(view.page, '.lane-title, .row-label, .lane-program'), []);
      const outside = await view.page.locator('.lane-title, .row-label').evaluateAll((all) => all.filter((one) => {
        const [inner, outer] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
        return inner.top < outer.top || inner.bottom > outer.bottom || inner.left < outer.left || inner.right > outer.right;
      }).map((one) => one.textContent));
      assert.deepEqual(outside, []);
      await view.close();
    });
  }

  test('have a table that scrolls', async () => {
    const view = await open(`${address}#tab=sites`, { width: 390, height: 844 });
    const sheet = view.page.locator('.sheet');
    const isWide = () => sheet.evaluate((one) => one.scrollWidth > one.clientWidth);
    assert.equal(await isWide(), true);
    assert.equal(await view.page.evaluate(() => document.documentElement.scrollWidth), 390);
    await sheet.evaluate((one) => one.scrollBy(1000, 0));
    await until(view.page, () => sheet.evaluate((one) => String(one.scrollLeft > 0)), 'true');
    await view.close();
  });
});
