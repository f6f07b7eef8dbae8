// ECMA-262 16.2.1.5: modules that await.
import check from './support/check.cjs';
import { log } from './modules/log.mjs';
import { value, live, change } from './modules/slow.mjs';
import quick from './modules/quick.mjs';
import * as a from './modules/cycle-a.mjs';

const { same, rejects } = check;
same('siblings do not wait for each other, the importer does', log.slice(0, 2), ['slow starts', 'quick']);
same('it has ended', log.includes('slow ends'), true);
same('its exports', [value, quick], ['slow', 'quick']);
same('a cycle', log.filter((line) => !/slow|quick/.test(line)), ['b', 'ReferenceError', 'a', 'a sees b']);
same('a cycle is whole in the end', [a.a, a.late()], ['a', 'b']);
same('this', this, undefined);
const here = await 1;
same('await at the top', here, 1);
await change();
same('live bindings', live, 2);
const all = [];
for await (const x of [Promise.resolve(1), 2]) all.push(x);
same('for await at the top', all, [1, 2]);
label: for await (const x of [1, 2]) { for (;;) { await null; continue label; } }
try {
  await Promise.reject('caught');
  same('not here', 1, 2);
} catch (error) {
  same('try at the top', error, 'caught');
} finally {
  same('finally at the top', await 'f', 'f');
}
if (await true) same('if', await 1, 1);
switch (await 's') { case await 's': same('switch', 1, 1); }
class A extends (await Object) { static [await 'name2'] = await0(); }
function await0() { return 'value'; }
same('class', A.name2, 'value');
export const exported = await 'exported';
export default await Promise.resolve('default');
export const { x, y: [z] = [await 'z'] } = { x: await 'x' };
same('patterns of exports', [exported, x, z], ['exported', 'x', 'z']);
const own = import('./top-level-await.mjs');
same('import of itself is pending', await Promise.race([own.then(() => 'over'), new Promise((yes) => setTimeout(yes, 1, 'pending'))]), 'pending');
own.then((namespace) => same('and gives its namespace in the end', [namespace.default, namespace.exported], ['default', 'exported']));
const jobs = [];
Promise.resolve().then(() => jobs.push(1)).then(() => jobs.push(2)).then(() => jobs.push(3));
await null;
jobs.push('await');
await Promise.resolve();
jobs.push('again');
same('jobs between', jobs, [1, 'await', 2, 'again']);
await rejects('a function of a module', (async () => { await null; throw 'r'; })(), 'r');
same('arrow', await (async () => await 1)(), 1);
