// The order of evaluation, and that everything is evaluated once.
const log = [];
const t = (name, value) => { log.push(name); return value; };
const show = (title) => { console.log(title, log.join(' ')); log.length = 0; };
const watched = (name, target) => new Proxy(target, {
  get(object, key) { log.push(`get ${name}.${String(key)}`); return Reflect.get(object, key); },
  set(object, key, value) { log.push(`set ${name}.${String(key)}`); return Reflect.set(object, key, value); },
  has(object, key) { log.push(`has ${name}.${String(key)}`); return Reflect.has(object, key); },
  deleteProperty(object, key) { log.push(`delete ${name}.${String(key)}`); return Reflect.deleteProperty(object, key); },
  ownKeys(object) { log.push(`keys ${name}`); return Reflect.ownKeys(object); },
  getOwnPropertyDescriptor(object, key) { log.push(`own ${name}.${String(key)}`); return Reflect.getOwnPropertyDescriptor(object, key); },
  getPrototypeOf(object) { log.push(`proto ${name}`); return Reflect.getPrototypeOf(object); },
});
const p = watched('p', { a: 1, list: [1, 2], f(x) { return x; }, zero: 0 });
t('o', p).a; show('read');
t('o', p)[t('k', 'a')] = t('v', 5); show('write');
t('o', p).a += t('v', 1); show('compound');
t('o', p)[t('k', 'a')]++; show('update');
t('o', p).zero ||= t('v', 3); show('or');
t('o', p).a ||= t('v', 3); show('or not');
t('o', p).missing ??= t('v', 3); show('nullish');
t('o', p).a &&= t('v', 3); show('and');
t('o', p).f(t('x', 1), ...t('y', [2])); show('call');
t('o', p)?.f?.(t('x', 1)); show('optional call');
t('o', p)?.list?.[t('k', 0)]; show('optional');
t('o', null)?.list[t('k', 0)].x(t('y')); show('short');
t('o', undefined)?.[t('k', 0)]; show('short key');
t('k', 'a') in t('o', p); show('in');
'a' in p; show('in literal');
delete t('o', p)[t('k', 'a')]; show('delete');
delete p?.zero; show('delete optional');
for (const k in { ...p }) t(k); show('for in');
const { list: [first], ...rest } = p; show('pattern');
[t('o', p).x, t('q', p)[t('k', 'y')]] = t('v', [1, 2]); show('targets');
({ a: t('o', p).z = t('d', 1) } = t('v', {})); show('target default');
const spread = { ...p }; show('spread');
const key = { toString() { log.push('toString'); return 'a'; } };
p[key]; p[key] = 1; show('object keys');
const symbol = Symbol('s'); p[symbol] = 1; p[symbol]; show('symbol');
`${t('x', 1)}${p.a}`; show('template');
((x, ...y) => log.push(x.raw.join('|'), y.join()))`a${t('x', 1)}b${p.a}c`; show('tag');
new (t('o', { C: class { constructor(x) { log.push(x); } } }).C)(t('x', 1)); show('new');
t('o', p)[t('k', 'a')] = t('v', 1), t('o', p).b = t('w', 2); show('sequence');
const o = { get g() { log.push('getter'); return { deep: 1 }; }, set g(v) { log.push(`setter ${v}`); } };
o.g.deep; o.g = 1; o.g?.deep; show('accessors');
let x = 0; const bump = () => x++;
x = t('a', x) + bump() + x; bump(); console.log(x, x++ + ++x, x--, -x, typeof x, void x);
x ||= t('no'); x &&= bump(); x ??= t('no'); console.log(x);
[x] = [x + 1]; ({ x } = { x: x + 1 }); ({ y: x = 9 } = {}); console.log(x);
for (x of [1, 2, 3]) bump(); console.log(x);
for (x in { k: 1 }) bump.last = x; console.log(x, bump.last);
console.log(log.length);
