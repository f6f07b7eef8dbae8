// The page in a browser: what is on it, and what keys, clicks and addresses do.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, end, file, hemiola, open, recorded, scratch, served, simulated, start, until, written } from './common.mjs';

before(start);
after(end);

const paper = (name) => join(ROOT, 'examples/papers', name);

describe('the joined trace of a fleet', () => {
  let address;
  before(() => {
    const program = (name) => ({ program: join(ROOT, 'crates/cli/tests/joined', name) });
    const fleet = file('shop.fleet.json', JSON.stringify({
      hosts: { api: program('api.js'), store: program('store.js'), user: program('user.js') },
      link: { latency: '2ms..5ms' },
      faults: ['cut store at 50ms for 100ms'],
      until: '2s',
    }));
    const trace = join(scratch, 'shop.jsonl');
    hemiola('fleet', 'simulate', fleet, '--trace', trace);
    address = written('shop', trace);
  });

  test('has lanes for each host', async () => {
    const view = await open(address);
    const lanes = await view.lanes();
    for (const host of ['api', 'store', 'user']) {
      assert.ok(lanes.includes(`${host} main`) && lanes.includes(`${host} io`), lanes.join());
    }
    assert.deepEqual(await view.page.locator('.lane-program').evaluateAll((all) => all.map((one) => one.firstChild.textContent)), ['api', 'store', 'user']);
    await view.close();
  });

  test('shows messages and faults', async () => {
    const view = await open(address);
    assert.deepEqual(await view.page.locator('[data-fault]').allTextContents(), ['cut store at 50ms for 100ms']);
    const messages = await view.page.locator('[data-message]').allTextContents();
    assert.match(messages[0], /^a request for a connection from #\d+ to #\d+$/);
    // The fault is a band through the lanes of its host, and through no others.
    const colors = await view.page.evaluate(() => {
      const canvas = document.querySelector('canvas[role=application]');
      const box = (lane) => document.querySelector(`[data-lane="${lane}"]`);
      const top = (lane) => box(lane).offsetTop + 4;
      const ratio = canvas.width / canvas.clientWidth;
      const hash = (x, y) => [...canvas.getContext('2d').getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data].join();
      const line = (lane) => new Set(Array.from({ length: canvas.clientWidth }, (_, x) => hash(x, top(lane))));
      return { store: [...line('store main')].length, api: [...line('api main')].length };
    });
    assert.ok(colors.store > colors.api, JSON.stringify(colors));
    await view.close();
  });

  test('leads from an action to who sent its message', async () => {
    const view = await open(address);
    const options = await view.options();
    const asked = options.find((text) => text.includes('store: GET /items/7'));
    assert.ok(asked, options.join('\n'));
    await view.page.goto(`${address}#action=${/^#(\d+)/.exec(asked)[1]}`);
    await view.page.waitForFunction(() => document.querySelector('.details h2')?.innerText.includes('GET /items/7'));
    const text = await view.details.innerText();
    assert.match(text, /on store/);
    assert.match(text, /got \d+ bytes, [\d.]+ ms under way, from api/);
    const chain = await view.page.getByRole('region', { name: 'Cause chain' }).getByRole('button').evaluateAll((all) => all.map((one) => one.title));
    assert.match(chain[0], /api: /);
    assert.match(chain.at(-1), /user: main program/);
    await view.page.keyboard.press('c');
    await view.page.waitForFunction(() => document.querySelector('.details .sub')?.innerText.includes('on api'));
    await view.page.getByRole('searchbox').fill('host:user main');
    await view.page.getByText(/of 1$/).waitFor();
    await view.close();
  });

  test('shows and searches paths as seen from the project', async () => {
    const view = await open(`${address}#tab=sites`);
    const text = await view.page.getByRole('table', { name: 'Sites' }).innerText();
    assert.match(text, /\tstore\.js:\d+\t/);
    assert.ok(!text.includes(ROOT), text);
    // The directories above the project are no part of what an action is.
    await view.page.getByRole('searchbox').fill(join(ROOT, 'crates'));
    await view.page.getByText('nothing', { exact: true }).waitFor();
    await view.close();
  });
});

describe('the program of Fig. 3', () => {
  let address;
  before(() => {
    address = simulated('fig3', paper('clocks-fig2-request.js'), '--until', '5s');
  });

  test('has a lane for its clock, and for everything else', async () => {
    const view = await open(address);
    assert.deepEqual(await view.lanes(), ['main', 'clock A', 'timers', 'tail', 'io', 'requests']);
    const rows = view.page.locator('[data-lane="clock A"] .row-label');
    assert.deepEqual(await rows.allTextContents(), ['raise', 'lower', 'report']);
    await view.close();
  });

  test('shows its actions in their order, at their logical times', async () => {
    const view = await open(address);
    const ofClock = (await view.options()).filter((text) => text.includes('clock A'));
    assert.deepEqual(ofClock.map((text) => text.replace(/^#\d+ (\w+) \(timer\), clock A at /, '$1 ')), [
      'raise 1.000 s',
      'raise 2.000 s', 'lower 2.000 s', 'report 2.000 s',
      'raise 3.000 s', 'report 3.000 s',
      'raise 4.000 s', 'lower 4.000 s', 'report 4.000 s',
      'raise 5.000 s', 'report 5.000 s',
    ]);
    await view.close();
  });

  test('draws atomic actions as bands, and logical times as strokes', async () => {
    const view = await open(address);
    // The canvas is read back: a column of a band is darker than the ground beside it.
    const [band, ground] = await view.page.evaluate(() => {
      const canvas = document.querySelector('canvas[role=application]');
      const context = canvas.getContext('2d');
      const [from, to] = [-0.15, 5.3];
      const at = (seconds) => Math.round(((seconds - from) / (to - from)) * canvas.width);
      const y = canvas.height - 60;
      const color = (x) => [...context.getImageData(x, y, 1, 1).data];
      return [color(at(3) + 3), color(at(3.4))];
    });
    assert.notDeepEqual(band, ground);
    await view.close();
  });

  test('says of a selected action all that is known', async () => {
    const view = await open(`${address}#action=21`);
    await view.headed('#21 report');
    const text = await view.details.innerText();
    assert.match(text, /clock A at 2\.000 s/);
    const source = view.page.getByRole('region', { name: 'Source' });
    assert.match(await source.innerText(), /Registered at clocks-fig2\.js:19:3/);
    assert.equal((await source.locator('.here code').innerText()).trim(), "setInterval(report, 1000, 'A');\n  ^");
    assert.match(text, /stdout\s+0/);
    const chain = view.page.getByRole('region', { name: 'Link chain' });
    assert.deepEqual((await chain.getByRole('button').allInnerTexts()).map((text) => text.split(/\s+/)[0]), ['#11', '#9', '#2', '#1']);
    // The atomic action, in its order.
    assert.match(text, /Atomic action of 3[\s\S]*raise[\s\S]*lower[\s\S]*report/);
    await view.close();
  });

  test('can be looked at along three axes', async () => {
    const view = await open(address);
    await view.page.getByRole('radio', { name: 'Physical time' }).click();
    await view.addressed('#axis=physical');
    await view.page.getByRole('radio', { name: 'Order' }).click();
    await view.page.waitForFunction(() => location.hash === '#axis=order');
    await view.page.getByRole('radio', { name: 'Order', checked: true }).waitFor();
    await view.close();
  });

  test('is searched', async () => {
    const view = await open(address);
    await view.page.keyboard.press('/');
    await view.page.keyboard.type('report');
    await assert.doesNotReject(view.page.getByText('– of 4').waitFor());
    await view.page.keyboard.press('Enter');
    await view.headed('#21 report');
    await view.page.keyboard.press('Enter');
    await view.headed('#23 report');
    await view.page.keyboard.press('Shift+Enter');
    await view.headed('#21 report');
    await view.page.getByRole('searchbox').fill('no such thing');
    await view.page.getByText('nothing', { exact: true }).waitFor();
    await view.page.getByRole('searchbox').fill('net.accept');
    await view.page.getByText(/of 1$/).waitFor();
    await view.close();
  });

  test('is walked with the keyboard', async () => {
    const view = await open(address);
    const press = async (...words) => {
      const expected = words.pop();
      for (const key of words) await view.page.keyboard.press(key);
      await view.headed(expected);
    };
    await press('ArrowRight', '#1 main program');
    await press('ArrowDown', 'ArrowRight', '#19 raise');
    await press('ArrowDown', '#20 lower');
    await press('ArrowRight', '#21 report');
    await press('l', '#11 GET /');
    await press('c', '#9 net.accept');
    await press('Backspace', '#11 GET /');
    await press(']', '#12 stream.read');
    await view.page.keyboard.press('?');
    assert.match(await view.page.getByRole('dialog', { name: 'Keys' }).innerText(), /go to the link/);
    await view.page.keyboard.press('Escape');
    await view.page.getByRole('dialog').waitFor({ state: 'detached' });
    await view.page.keyboard.press('Escape');
    await view.addressed('');
    await view.close();
  });

  test('gives every selection an address', async () => {
    const view = await open(address);
    await view.page.locator('#a1-23').dispatchEvent('click');
    await view.addressed('#action=23');
    await view.page.locator('#a1-4').dispatchEvent('click');
    await view.addressed('#action=4');
    await view.page.goBack();
    await view.headed('#23 report');
    await view.page.keyboard.press('+');
    await view.page.waitForFunction(() => location.hash.includes('from='));
    const again = await open(`${address}${await view.hash()}`);
    await again.headed('#23 report');
    const shown = (await again.options()).join('\n');
    assert.ok(shown.split('\n').length < 33);
    await until(view.page, async () => (await view.options()).join('\n'), shown);
    await again.close();
    await view.close();
  });

  test('is clicked', async () => {
    const view = await open(address);
    const canvas = view.page.locator('canvas[role=application]');
    const box = await canvas.boundingBox();
    // At 3 s, in the row of report.
    const label = await view.page.locator('[data-lane="clock A"] .row-label').nth(2).boundingBox();
    await view.page.mouse.click(box.x + ((3 + 0.15) / 5.45) * box.width + 3, label.y + label.height / 2);
    await view.headed('#23 report');
    await view.close();
  });

  test('zooms with the wheel and moves with the mouse', async () => {
    const view = await open(address);
    const box = await view.page.locator('canvas[role=application]').boundingBox();
    await view.page.mouse.move(box.x + box.width / 2, box.y + 100);
    for (let i = 0; i < 10; i++) await view.page.mouse.wheel(0, -100);
    await view.page.waitForFunction(() => location.hash.includes('from='));
    const zoomed = await view.hash();
    await view.page.mouse.down();
    await view.page.mouse.move(box.x + box.width / 2 - 200, box.y + 100, { steps: 5 });
    await view.page.mouse.up();
    await view.page.waitForFunction((zoomed) => location.hash !== zoomed, zoomed);
    await view.page.keyboard.press('0');
    await view.page.waitForFunction(() => !location.hash.includes('from='));
    await view.close();
  });

  test('shows how late the clock is', async () => {
    const view = await open(address);
    await view.page.getByRole('button', { name: 'Lag' }).click();
    await until(view.page, () => view.page.locator('[data-lane="clock A"] .row-label').last().innerText(), 'lag');
    await view.page.waitForFunction(() => location.hash === '#lag=on');
    await view.close();
  });

  test('lists where callbacks come from', async () => {
    const view = await open(`${address}#tab=sites`);
    const table = view.page.getByRole('table', { name: 'Sites' });
    await table.getByRole('button', { name: 'ran' }).click();
    const row = table.locator('tr', { hasText: 'report' });
    assert.match(await row.innerText(), /report\s+clocks-fig2\.js:19\s+timer\s+4/);
    await row.click();
    await view.headed('#21 report');
    await table.getByRole('button', { name: 'callback' }).click();
    await table.getByRole('columnheader', { name: 'callback ▴' }).waitFor();
    const names = await table.locator('tbody tr td:first-child').allInnerTexts();
    assert.deepEqual(names, [...names].sort());
    await view.close();
  });
});

describe('the program of Fig. 7', () => {
  let address;
  before(() => {
    address = recorded('fig7', paper('loop-context.js'));
  });

  test('has both trees', async () => {
    const view = await open(`${address}#tab=trees&action=4`);
    const tree = async (name) => {
      const items = view.page.getByRole('region', { name }).getByRole('treeitem');
      const nested = async (item) => item.evaluate((element) => {
        const number = (element) => Number(/#(\d+)/.exec(element.textContent)[1]);
        const parent = element.parentElement.closest('[role=treeitem]');
        return [parent ? number(parent) : 0, number(element)];
      });
      return Promise.all((await items.all()).map(nested));
    };
    assert.deepEqual((await tree('Linking context')).filter(([, child]) => child <= 4), [[0, 1], [1, 2], [2, 4], [1, 3]]);
    assert.deepEqual((await tree('Causal context')).filter(([, child]) => child <= 4), [[0, 1], [1, 2], [1, 3], [3, 4]]);
    await view.close();
  });

  test('goes from an action to its link and to its cause', async () => {
    const view = await open(`${address}#action=4&axis=order`);
    await view.headed('#4 greet');
    await view.page.keyboard.press('l');
    await view.headed('#2 subscribe');
    await view.page.keyboard.press('Backspace');
    await view.page.waitForFunction(() => location.hash.includes('action=4'));
    await view.page.keyboard.press('c');
    await view.headed('#3 settle');
    await view.close();
  });
});

describe('recordings', () => {
  const program = (word) => `
    const { readFile } = require('node:fs');
    function ${word}() {
      console.log('${word}');
      obs(7);
      setImmediate(() => { throw new Error('on </script> purpose'); });
    }
    readFile(__filename, function read(error, bytes) {
      setTimeout(${word}, 4, 'A');
    });
  `;

  test('are served', async () => {
    hemiola('run', '--record', file('app.js', program('shown')));
    const { address, end } = await served();
    try {
      const view = await open(address);
      assert.deepEqual((await view.lanes()).filter((lane) => lane !== 'tail').slice(0, 2), ['main', 'clock A']);
      const threw = view.page.locator('[role=option]', { hasText: 'immediate' });
      await threw.first().dispatchEvent('click');
      await view.told(/stderr[\s\S]*Error: on <\/script> purpose/);
      await view.close();
    } finally {
      end();
    }
  });

  test('are shown side by side, with their first difference', async () => {
    hemiola('run', '--record', file('app.js', program('one')));
    const [first] = hemiola('runs', 'list').split(/\s/);
    hemiola('run', '--record', file('app.js', program('two')));
    const [second] = hemiola('runs', 'list').split(/\s/);
    const view = await open(written('two', first, second));
    assert.equal(await view.page.locator('.pane').count(), 2);
    const status = view.page.getByRole('status', { name: 'First difference' });
    const text = await status.innerText();
    assert.match(text, new RegExp(`${first}.*observed 7`, 's'));
    assert.match(text, /out "one\\n"/);
    assert.match(text, /out "two\\n"/);
    await view.page.keyboard.press('x');
    await view.headed(/^#\d+ one$/);
    await view.page.keyboard.press('o');
    await view.headed(/^#\d+ two$/);
    await until(view.page, view.hash, /run=2/);
    await view.close();
    // A run does not differ from itself.
    const same = await open(written('same', first, first));
    assert.match(await same.page.getByRole('status').innerText(), /Both runs do the same/);
    await same.close();
  });

  test('show what comes in either order', async () => {
    hemiola('run', '--record', file('race.js', `let x = 0;
      setTimeout(() => { x = 1; }, 1);
      require('fs').readFile(__filename, () => { console.log(x); });`));
    const path = join(scratch, 'race.html');
    hemiola('view', '--races', '--out', path);
    const view = await open(`file://${path}#tab=races`);
    assert.match(await view.page.getByRole('table', { name: 'Races' }).innerText(), /variable x/);
    await view.close();
  });
});

test('a choice shows what was not taken', async () => {
  const trace = file('choice.jsonl', [
    '{"format":"hemiola-trace","version":1}',
    '{"ev":"began","n":1,"link":1,"cause":1,"at":0}',
    '{"ev":"queued","queued":1,"class":"immediate","link":1}',
    '{"ev":"queued","queued":2,"class":"immediate","link":1}',
    '{"ev":"ended","n":1}',
    '{"ev":"chose","taken":1,"of":2}',
    '{"ev":"began","n":2,"class":"immediate","queued":2,"link":1,"cause":1,"at":5}',
    '{"ev":"ended","n":2}',
    '{"ev":"began","n":3,"class":"immediate","queued":1,"link":1,"cause":1,"at":9}',
    '{"ev":"ended","n":3}',
    '',
  ].join('\n'));
  const view = await open(`${written('choice', trace)}#action=2`);
  assert.match(await view.details.innerText(), /Alternative 2 of 2 was taken[\s\S]*#3\s+immediate/);
  await view.page.getByRole('tab', { name: 'Choices 1' }).click();
  assert.match(await view.page.getByRole('table', { name: 'Choices' }).innerText(), /2 of 2/);
  await view.close();
});

test('light and dark are both readable', async () => {
  const address = simulated('dark', paper('loop-context.js'));
  for (const scheme of ['light', 'dark']) {
    const view = await open(`${address}#action=4`, { scheme });
    const [ink, back] = await view.page.evaluate(() => {
      const style = getComputedStyle(document.body);
      return [style.color, style.backgroundColor].map((color) => color.match(/\d+/g).slice(0, 3).map(Number));
    });
    const light = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const [low, high] = [light(ink), light(back)].sort((a, b) => a - b);
    assert.ok((high + 0.05) / (low + 0.05) > 7, `${scheme}: ${ink} on ${back}`);
    assert.equal(light(back) > light(ink), scheme === 'light');
    await view.close();
  }
});

test('addresses that mean nothing are taken for what they can mean', async () => {
  const address = simulated('odd', paper('loop-context.js'));
  for (const hash of ['#action=999', '#action=x&axis=up&tab=none', '#from=5&to=1', '#run=7', '#%', '#search=%E0']) {
    const view = await open(`${address}${hash}`);
    assert.equal(await view.page.locator('.pane').count(), 1);
    await view.close();
  }
});

test('a hundred thousand actions can be looked at', async () => {
  const lines = ['{"format":"hemiola-trace","version":1}', '{"ev":"began","n":1,"link":1,"cause":1,"at":0}', '{"ev":"ended","n":1}'];
  for (let n = 2; n <= 100_000; n++) {
    const kind = n % 3 ? '"class":"tick"' : '"class":"io"';
    lines.push(`{"ev":"began","n":${n},${kind},"link":${n - 1},"cause":${n >> 1},"at":${n * 7}}`, `{"ev":"ended","n":${n}}`);
  }
  const trace = join(scratch, 'long.jsonl');
  writeFileSync(trace, `${lines.join('\n')}\n`);
  const view = await open(`${written('long', trace)}#action=77777`);
  await view.headed(/^#77777 /);
  await view.page.keyboard.press('z');
  await view.page.waitForFunction(() => location.hash.includes('from='));
  await view.page.waitForFunction(() => document.querySelector('#a1-77777'));
  await view.page.keyboard.press('/');
  await view.page.keyboard.type('#99999');
  await view.page.getByText(/of 1$/).waitFor();
  await view.page.keyboard.press('Enter');
  await view.headed(/^#99999 /);
  await view.close();
  assert.ok(readFileSync(join(scratch, 'long.html')).length < 10_000_000);
});
