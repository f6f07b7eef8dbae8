// Hooks of the module loader run in a thread of their own, with globals of their own; what they wait for is waited for.
import { register } from 'node:module';

const hooks = `
  import { setTimeout as wait } from 'node:timers/promises';
  let count = 0;
  export async function initialize({ names }) { globalThis.names = names; }
  export async function resolve(specifier, context, next) {
    if (!specifier.startsWith('made:')) return next(specifier);
    await wait(20);
    return { url: specifier, shortCircuit: true };
  }
  export async function load(url, context, next) {
    if (!url.startsWith('made:')) return next(url);
    await wait(20);
    count += 1;
    return { format: 'module', source: 'export default ' + JSON.stringify(names[url.slice(5)] + ' ' + count), shortCircuit: true };
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: { names: { a: 'first', b: 'second' } } });
globalThis.names = 'those of the program';
const [a, b] = [await import('made:a'), await import('made:b')];
console.log(a.default, b.default, names);
console.log(await import('made:a') === a, import.meta.resolve('made:c'));
