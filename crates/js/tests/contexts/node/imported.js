// A module that `import()` loads is evaluated in the context of whoever asked for it, with all that it imports.
const { AsyncLocalStorage } = require('async_hooks');

const als = globalThis.als = new AsyncLocalStorage();

async function main() {
  await als.run('one', async () => {
    const { later } = await import('./modules/waits.mjs');
    console.log('after', als.getStore(), 'a timer of the module', await later);
  });
  await als.run('two', () => import('./modules/common.cjs'));
  // It is evaluated once: who asks again changes nothing.
  await als.run('three', () => import('./modules/waits.mjs'));
  // Calls that wait at the same time have each their own.
  await Promise.all([
    als.run('four', () => import('./modules/a.mjs')), import('./modules/b.mjs'), als.run('five', () => import(`./modules/${'c'}.mjs`)),
  ]);
  console.log('main', als.getStore());
  als.run('six', () => import('./modules/throws.mjs').catch((error) => console.log(error.message, als.getStore())));
}
main();
