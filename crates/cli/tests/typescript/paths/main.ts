import { one } from '@lib/one';
import exact from 'exact';
import { special } from '@lib/special-x';
import { index } from 'src/deep/dir';
import { index as again } from './src/deep/dir/';
import { below } from './src/deep/below.mjs';
import old from './src/deep/old.cjs';
import { plain } from './src/plain.js';
import { plain as extensionless } from './src/plain';
import { both } from './src/both.js';
import { readFile } from 'fs/promises';
console.log(one, exact, special, index, again, below, old, plain, extensionless, both, typeof readFile);
const dynamic: string = '@lib/one';
console.log((await import(dynamic)).one);
for (const missing of ['@lib/nothing', './src/nothing', './src/nothing.js', 'never']) {
  await import(missing).catch((error) => console.log(error.code));
}
