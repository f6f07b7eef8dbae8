// ECMA-262 15.8, 13.5: await in every kind of expression.
const { same, rejects } = require('./support/check.cjs');

(async () => {
  const p = (value) => Promise.resolve(value);
  same('sum', await p(1) + await p(2), 3);
  same('power', (await p(2)) ** 3, 8);
  same('power on the right', 2 ** await p(3), 8);
  same('minus', -await p(1), -1);
  same('not', !await p(0), true);
  same('typeof', typeof await p('a'), 'string');
  same('void', void await p(1), undefined);
  same('twice', await await p(p(1)), 1);
  same('call of what is awaited', (await p((a) => a + 1))(1), 2);
  same('argument order', await (async () => { const log = []; const f = (...all) => [...all, ...log]; return f(log.push(await 'a'), await p('b'), log.push('c')); })(), [1, 'b', 2, 'a', 'c']);
  same('template', `${await p('a')}-${await p('b')}`, 'a-b');
  same('tagged template', ((strings, a) => strings.raw.join(a))`x${await p('|')}y`, 'x|y');
  same('array', [await p(1), , ...await p([2, 3])], [1, , 2, 3]);
  same('object', { [await p('k')]: await p('v'), ...await p({ z: 1 }) }, { k: 'v', z: 1 });
  same('member', (await p({ a: 1 })).a, 1);
  same('computed member', ({ a: 2 })[await p('a')], 2);
  same('optional chain', (await p(null))?.a.b, undefined);
  same('optional key', ({ a: 3 })?.[await p('a')], 3);
  let evaluated = 0;
  const count = () => ++evaluated;
  same('and', false && await count(), false);
  same('or', 1 || await count(), 1);
  same('nullish', 0 ?? await count(), 0);
  same('nothing of these was evaluated', evaluated, 0);
  same('conditional', await p(0) ? await count() : await p('no'), 'no');
  same('comma', (await p(1), await p(2)), 2);
  let x = 1;
  x += await (x = 10, 5);
  same('compound assignment reads first', x, 6);
  const o = { get a() { return 1; }, set a(v) { this.b = v; } };
  o.a += await p(4);
  same('compound assignment to a property', o.b, 5);
  let y = null;
  y ??= await p(3);
  y &&= await p(4);
  y ||= await p(5);
  same('logical assignment', y, 4);
  const list = [0, 0];
  let at = 0;
  list[at++] = await (at++, 'v');
  same('the target is evaluated first', [list[0], at], ['v', 2]);
  const { a = await p('default'), [await p('key')]: b = await p('b'), ...rest } = { key: undefined, c: 1 };
  same('pattern', [a, b, Object.keys(rest).join()], ['default', 'b', 'c']);
  const [first = await p('f'), , ...others] = [undefined, 1, await p(2)];
  same('array pattern', [first, others.join()], ['f', '2']);
  class Base { static s = 'base'; }
  class Derived extends (await p(Base)) { [await p('m')]() { return 1; } static [await p('t')] = 2; }
  same('class heritage and keys', [Derived.s, new Derived().m(), Derived.t], ['base', 1, 2]);
  same('new', new (await p(Map))([[1, await p(2)]]).get(1), 2);
  same('in', await p('a') in await p({ a: 1 }), true);
  same('instanceof', await p([]) instanceof await p(Array), true);
  same('delete', delete (await p({ a: 1 })).a, true);
  same('relational', await p(1) < await p(2), true);
  same('regular expression after await', (await p(4)) / 2 / 2, 1);
  same('await of a regular expression', (await /a/g).flags, 'g');
  same('await of a function keeps its name', (await function () {}).name, '');
  same('await of an arrow keeps its name', (await (() => {})).name, '');
  same('await of a class keeps its name', (await class {}).name, '');
  const given = await function () {};
  same('awaiting names nothing', given.name, '');
  same('dynamic import is a promise', (await import('node:path')).sep, '/');
  same('this', await (async function () { return (await this).v; }).call({ v: 1 }), 1);
  same('spread arguments', Math.max(...await p([1, 5]), await p(3)), 5);
  same('immediately called', await (async () => await (async () => await 1)())(), 1);
  await rejects('an argument that fails leaves the call out', (async () => count(await Promise.reject('no')))(), 'no');
  same('it was left out', evaluated, 0);
  await rejects('a callee is looked up before', (async () => undefined_function(await count()))(), ReferenceError);
  same('so the argument was left out', evaluated, 0);
  const line = await
    p('next line');
  same('operand on the next line', line, 'next line');
  let n = 0
  await p(n++)
  ;[n] = [n + 1]
  await p(n++)
  same('without semicolons', n, 3)
})();
