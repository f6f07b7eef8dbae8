// The pictures of docs/view.md: node viewer/test/screenshots.mjs [HEMIOLA]
import { join } from 'node:path';
import { ROOT, end, hemiola, open, scratch, simulated, start, written } from './common.mjs';

const shoot = async (address, name, size) => {
  const view = await open(address, size);
  // The pointer is not in the picture, and the last frame is.
  await view.page.waitForTimeout(300);
  await view.page.screenshot({ path: join(ROOT, 'docs/images', `${name}.png`) });
  await view.close();
};

await start();
try {
  hemiola('run', '--record', join(ROOT, 'viewer/test/programs/fig3.js'));
  await shoot(written('fig3'), 'fig3', { width: 1320, height: 560 });
  const fig7 = simulated('fig7', join(ROOT, 'examples/papers/loop-context.js'));
  await shoot(`${fig7}#action=4&axis=order&arrows=all`, 'fig7', { width: 1320, height: 400 });
  await shoot(`${fig7}#action=4&tab=trees`, 'fig7-trees', { width: 1000, height: 330 });
} finally {
  await end();
}
console.log(`docs/images is new; ${scratch} is gone`);
