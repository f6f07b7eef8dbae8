// The pictures of docs/view.md, from the real page: node viewer/test/screenshots.mjs [HEMIOLA]
import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT, end, open, recorded, scratch, start } from './common.mjs';

/** The page of a program as its author would run it: in its directory, by its name. */
const page = (path) => () => {
  copyFileSync(join(ROOT, path), join(scratch, basename(path)));
  return recorded(basename(path), basename(path));
};
const fig3 = page('viewer/test/programs/fig3.cjs');
const fig7 = page('examples/papers/loop-context.js');
const shop = page('viewer/test/programs/shop.cjs');

/** Each picture by its name: the run, the place in the page, and the size. */
export const PICTURES = {
  fig3: [fig3, '', { width: 1320, height: 560 }],
  fig7: [fig7, '#action=4&axis=order&arrows=all', { width: 1320, height: 400 }],
  'fig7-trees': [fig7, '#action=4&tab=trees', { width: 1000, height: 330 }],
  failure: [shop, '', { width: 1320, height: 620 }],
  'failure-phone': [shop, '#axis=order', { width: 390, height: 844, scheme: 'dark' }],
};

async function shoot(address, name, size) {
  const view = await open(address, size);
  // The pointer is not in the picture, and the last frame is.
  await view.page.waitForTimeout(300);
  await view.page.screenshot({ path: join(ROOT, 'docs/images', `${name}.png`) });
  await view.close();
}

if (process.argv[1] === import.meta.filename) {
  await start();
  try {
    for (const [name, [run, hash, size]] of Object.entries(PICTURES)) await shoot(`${run()}${hash}`, name, size);
  } finally {
    await end();
  }
}
