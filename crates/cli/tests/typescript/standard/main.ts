const log = (...a: any[]) => console.log(...a);
(Symbol as any).metadata ??= Symbol('Symbol.metadata');
function order(name: string) { log('evaluate', name); return (value: any, context: any): any => { log('call', name, context.kind, String(context.name), context.static, context.private, typeof value); } }
function init(name: string) { return (value: any, context: any): any => { context.addInitializer(function (this: any) { log('init', name, typeof this, context.kind); }); } }
function key(name: string) { log('key', name); return name; }
@order('class1') @order('class2')
class A {
  @order('field') x: number = (log('x'), 1);
  @order('static field') static s = (log('s'), 2);
  @order('method') m() { return 1 }
  @order('static method') static sm() { return 2 }
  @order('getter') get g() { return 3 }
  @order('setter') set g(v) {}
  @order('computed') [key('comp')]() { return 4 }
  @order('private field') #p = 5;
  @order('private method') #pm() { return this.#p }
  @order('accessor') accessor acc = 6;
  @order('static accessor') static accessor sacc = 7;
  static { log('static block', typeof A, A.sacc) }
  all() { return [this.x, this.#p, this.#pm(), this.acc, this.g] }
}
log(new A().all(), A.s, A.sacc, A.name);
// replacing
const twice = (f: any, c: any): any => function (this: any, ...a: any[]) { return f.apply(this, a) * 2 };
const plus = (n: number) => (_: any, c: any): any => (v: any) => v + n;
const boxed = ({ get, set }: any, c: any): any => ({ get(this: any) { return 'got ' + get.call(this) }, set(this: any, v: any) { set.call(this, v + '!') }, init(v: any) { return 'init ' + v } });
class B {
  @twice m() { return 21 }
  @plus(1) @plus(10) f = 100;
  @plus(5) static sf = 1;
  @boxed accessor a = 'v';
  @boxed static accessor sa = 'w';
  @twice get g() { return 4 }
  @twice static sm() { return 3 }
  @twice #pm() { return 8 }
  @boxed accessor #pa = 'pv';
  @plus(2) #pf = 3;
  @twice get #pg() { return 6 }
  priv() { this.#pa = 'set'; return [this.#pm(), this.#pa, this.#pf, this.#pg] }
  @plus(1) none: any;
}
const b = new B(); log(b.m(), b.f, B.sf, b.a, B.sa, b.g, B.sm(), b.priv(), b.none, Object.keys(b)); b.a = 'x'; log(b.a);
// initializers
@init('C')
class C { @init('m') m() {} @init('f') f = log('f value'); @init('s') static s = log('s value'); @init('acc') accessor acc = log('acc value'); @init('sm') static sm() {} h = log('h value'); constructor() { log('constructor') } }
new C();
class D extends C { @init('D.m') m() {} x = log('D.x'); constructor() { log('before super'); super(); log('after super') } }
new D();
// metadata
const meta = (k: string, v: any) => (_: any, c: any) => { c.metadata[k] = v };
@meta('class', 1) class M { @meta('a', 2) a = 1; @meta('b', 3) b() {} }
@meta('sub', 4) class N extends M { @meta('a', 5) a = 2 }
const md = (c: any) => c[Symbol.metadata as any];
log(md(M), md(N), Object.getPrototypeOf(md(N)) === md(M), md(N).b);
// class replacement
const replace = (c: any, ctx: any): any => class extends c { extra = 'e'; static who = ctx.name };
@replace class R { v = 1; static make() { return new R() } self() { return R } }
log(new (R as any)().extra, (R as any).who, (R as any).make().extra, new R().self() === R, R.name);
const E = @order('expr') class { @order('in expr') m() {} };
log(E.name);
const F = class { @order('f m') m() {} }; log(F.name, new F().m());
export default @order('default') class G { @order('g') g = 1 }
log(new G().g);
// access
let acc: any; const grab = (_: any, c: any) => { acc = c.access };
class H { @grab #x = 1; read() { return this.#x } }
const h = new H(); log(acc.has(h), acc.has({}), acc.get(h)); acc.set(h, 9); log(h.read());
class I { @grab y = 1 } const i = new I(); log(acc.has(i), acc.get(i), Object.keys(acc)); 
class J { @grab m() {} } log(Object.keys(acc)); class K { @grab get m() { return 1 } } log(Object.keys(acc)); class L { @grab set m(v: any) {} } log(Object.keys(acc));
const bad = (v: any): any => (...a: any[]) => v;
for (const make of [() => class { @bad(1) m() {} }, () => class { @bad(1) f = 1 }, () => class { @bad(1) accessor a = 1 }, () => { @bad(1) class X {} return X }, () => class { @(((v: any, c: any) => { setTimeout(() => { try { c.addInitializer(() => {}) } catch (e) { log('late', String(e)) } }) }) as any) m() {} }, () => class { @(((v: any, c: any) => { c.addInitializer(1) }) as any) m() {} }]) { try { log(typeof make()) } catch (e) { log(String(e)) } }
class Plain { accessor p = 1; static accessor q = 2; accessor #r = 3; accessor u; r() { return this.#r++ + this.#r } }
const pl = new Plain(); pl.p++; Plain.q++; log(pl.p, Plain.q, pl.r(), pl.u, Object.keys(pl), Object.getOwnPropertyNames(Plain.prototype));
function make(n: number) { return class { @plus(n) v = 0 } } const [c1, c2] = [make(1), make(2)]; log(new c1().v, new c2().v, new c1().v);
