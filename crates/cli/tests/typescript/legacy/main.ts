import './reflect.js';
import { Imported, type OnlyType } from './types.js';
import type { TypeOnly } from './types.js';
import * as ns from './types.js';
const log = (...a: any[]) => console.log(...a);
function d(name: string): any { log('evaluate', name); return (target: any, key: any, desc: any) => { log('call', name, typeof target, String(key), typeof desc === 'object' ? Object.keys(desc).sort().join() : String(desc)); } }
interface Local { a: number }
type Alias = string | number;
enum Num { A, B } enum Str { A = 'a' } enum Mixed { A, B = 'b' }
class Dep {}
@d('class a') @d('class b')
class A<T> {
  @d('prop') prop: string = 'x';
  @d('static prop') static sprop: number = 1;
  @d('method') method(@d('p0') a: string, @d('p1') @d('p1b') b?: Dep, ...rest: number[]): Promise<void> { return Promise.resolve() }
  @d('static') static sm(a: T, b: Local, c: Alias) {}
  @d('get') get acc(): Date { return new Date }
  set acc(v: Date) {}
  constructor(@d('c0') private readonly dep: Dep, public x: Imported, @d('c2') y: OnlyType, q: TypeOnly, n: ns.Imported) { log('new', typeof this.dep) }
  @d('only param') plain() {}
  onlyParam(@d('op') a: any) {}
  async asyncNone() {}
  @d('async') async asyncDec() {}
  @d('arr') arr: string[]; @d('tuple') tuple: [string]; @d('fn') fn: () => void; @d('union') un: string | null | undefined; @d('mixed') mx: string | number; @d('bool') bool: true | false;
  @d('lit') lit: 'a' | 'b'; @d('big') big: bigint; @d('sym') sym: symbol; @d('any') any: any; @d('unk') unk: unknown; @d('obj') obj: { a: 1 }; @d('T') t: T; @d('enum') en: Num; @d('senum') sen: Str; @d('menum') men: Mixed; @d('map') map: Map<string, number>; @d('void') v: void; @d('null') nul: null; @d('undefined type') nothing; @d('ro') ro: readonly string[]; @d('tmpl') tm: `a${string}`; @d('partial') pa: Partial<Local>; @d('keyof') ko: keyof Local; @d('neg') neg: -1; @d('inter') inter: Local & Dep; @d('self') self: A<T>; @d('opt') opt?: Dep; @d('typeof') to: typeof log; @d('never') nv: never; @d('object') ob: object; @d('fnT') ft: Function; @d('buf') buf: Uint8Array; @d('qual') qual: ns.Imported; @d('cond') cond: T extends string ? string : string; @d('paren') par: (string);
}
const show = (f: any): any => Array.isArray(f) ? f.map(show) : f === undefined ? 'undefined' : f?.name ?? String(f);
for (const k of [...Object.getOwnPropertyNames(A.prototype), 'prop', 'arr', 'tuple', 'fn', 'un', 'mx', 'bool', 'lit', 'big', 'sym', 'any', 'unk', 'obj', 't', 'en', 'sen', 'men', 'map', 'v', 'nul', 'nothing', 'ro', 'tm', 'pa', 'ko', 'neg', 'inter', 'self', 'opt', 'to', 'nv', 'ob', 'ft', 'buf', 'qual', 'cond', 'par'])
  log(k, ...['design:type', 'design:paramtypes', 'design:returntype'].map((m) => (Reflect as any).hasMetadata(m, A.prototype, k) ? show((Reflect as any).getMetadata(m, A.prototype, k)) : '-'));
log('class', show((Reflect as any).getMetadata('design:paramtypes', A)), show((Reflect as any).getMetadata('design:paramtypes', A, 'sm')), show((Reflect as any).getMetadata('design:type', A, 'sprop')));
new A(new Dep, 1 as any, 2 as any, 3 as any, 4 as any);
const rep = (c: any): any => class extends c { extra = 1 };
@rep class R { static self = () => R; static inst = new R(); m() { return R } }
log(new (R as any)().extra, R.self() === R, (R.inst as any).extra, new R().m() === R);
const wrap = (t: any, k: string, desc: any) => ({ ...desc, value(...a: any[]) { return desc.value.apply(this, a) * 2 } });
class W { @wrap m() { return 21 } @wrap static s() { return 4 } }
log(new W().m(), W.s());
const def = (t: any, k: string): any => { Object.defineProperty(t, k, { get() { return 'from proto' }, set(v) { log('set', k, v) }, configurable: true }) };
class P { @def x: string; @def y = 'given'; constructor(public z: number, w = z) { log('ctor', w) } after = this.z }
const p = new P(5); log(p.x, p.y, p.z, p.after, Object.keys(p));
@d('exported') export class Ex { static v = 1 }
log(Ex.v);
@d('with newline')
// a comment
export default class Def {
  @d(
    'several' + // one
    ' lines'
  )
  m(@d(
    'parameter') x: number) {} }
log(Def.name);
class Sub extends P { own = 1; declare z: number; constructor() { super(7); log('sub', this.own, this.after) } } new Sub();
class NoCtor extends P { list = [1]; static st = 3; ['comp' + 1] = 2; 'quoted' = 4; 7 = 8 } const nc = new NoCtor(1); log(nc.list, NoCtor.st, (nc as any).comp1, nc.quoted, nc[7], Object.keys(nc));
@d('tight') class Tight{@d('tight field') v=1} log(new Tight().v);
