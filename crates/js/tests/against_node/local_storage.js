// Stores of AsyncLocalStorage: nested, replaced, kept, left by errors, with arguments; and what a stack says.
const { AsyncLocalStorage } = require('async_hooks');
const a = new AsyncLocalStorage(), b = new AsyncLocalStorage(), c = new AsyncLocalStorage();
const show = (...more) => console.log(a.getStore(), b.getStore(), c.getStore(), ...more);
a.run(1, () => b.run(2, () => c.run(3, () => { a.run(4, show, 'x', 'y'); b.run(undefined, show); c.run(3, show); show(); })));
show();
try { a.run(1, () => { b.enterWith('stays'); throw new Error('thrown'); }); } catch (e) { show(e.message); }
a.run(7, () => { a.enterWith(8); show(); });
show();
console.log(a.run(1, (...all) => all.length, 1, 2, 3, 4), a.run.length, a.run.name);
for (const bad of [undefined, null, 5, {}]) try { a.run(1, bad); } catch (e) { console.log(e.name, a.getStore()); }
a.run(1, function() { console.log(this === globalThis || this === undefined || this === null); });
a.run(NaN, () => a.run(NaN, show)); a.run(0, () => a.run(-0, () => console.log(Object.is(a.getStore(), -0))));
class Named extends AsyncLocalStorage { #name = 'named'; getStore() { return [super.getStore(), this.#name]; } }
const named = new Named();
console.log(named.getStore(), named.run(1, () => named.getStore()), new AsyncLocalStorage().getStore(), a.getStore.call({}), a.getStore.length, a.getStore.name);
for (const bad of [undefined, null]) try { a.getStore.call(bad); } catch (e) { console.log(e.name); }
a.disable(); show(); a.run(2, () => { a.disable(); show(); }); show();
console.log(named.getStore(), named.run(1, () => named.getStore()), c.run(9, () => c.getStore()), a.getStore.call({}));
(async () => { await a.run(5, async () => { await null; show(); b.enterWith(6); await 1; show(); }); show(); })();
a.run(1, () => { console.log(new Error('here').stack.split('\n').slice(1, 4).map((l) => l.trim().replace(/\/.*\//, '').replace(/node:.*/, 'node)'))); });
