// ES modules: live bindings, awaits at the top, cycles.
import fs, { readFileSync as read } from 'node:fs';
import * as self from './module.mjs';
export let count = early('first');
export const bump = () => ++count;
export { total as sum };
let total = 0;
export default class { static n = bump(); }
function early(when) { try { return count + total; } catch (error) { console.log(when, error.name); return 1; } }
early('again');
console.log(count, self.count, self.default.n, self.sum);
const value = await new Promise((resolve) => setImmediate(() => { total += 5; resolve(total); }));
total += await value;
console.log(value, self.sum, Object.keys(self), import.meta.url.endsWith('module.mjs'), typeof read, fs.existsSync('/nowhere'));
for (const item of [1, 2]) { total = await item + total; setTimeout(() => console.log(item, total++)); }
const { sep: again = await 3 } = await import('node:path');
console.log(again, this, typeof require);
