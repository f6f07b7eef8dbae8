// Names, texts, `this`, scopes, defaults, classes, labels, semicolons that nobody wrote.
let a = 1, later, named, arrow
later = function () {}
named ||= class {}
arrow = () => a
console.log(later.name, named.name, arrow.name, (() => {}).name)
;[a] = [2]
a
++a
console.log(a)
function outer(q = a, { r = q, ...s } = { t: 3 }, ...[u = r]) {
  let inner = q
  const grow = () => { inner += 1; q = inner; return inner }
  grow()
  return [inner, q, r, s, u, grow(), typeof this, arguments.length]
}
console.log(outer(), outer.length, outer.call(1, 5, { r: 6 }, 7), outer.toString().length)
console.log(outer.toString())
const object = {
  a, later, get got() { return a }, set got(v) { a = v }, ['k' + a]: a, method() { return super.toString === Object.prototype.toString },
  async am() { return a }, *gm() { yield a; a = yield a }, async *agm() { yield a },
}
object.got = 10
console.log(object.got, object.method(), Object.keys(object), object.method.toString(), [...object.gm()])
console.log((object.method)(), (0, object.method) === object.method, object?.method(), (object?.method)())
a = 10
class Base { static made = 0; #secret = 1; x = a; constructor() { Base.made++; this.#secret += a } get secret() { return this.#secret } has(o) { return #secret in o } static { Base.block = a } 'quoted' = 2; [`c${a}`]() { return a } }
class Derived extends Base { constructor() { const early = () => this; super(); this.y = early().x; super.z = 4 } get secret() { return super.secret + 100 } }
const d = new Derived
console.log(d, d.secret, Base.made, d.has(d), d.has({}), Base.block, d.quoted, d.c10())
const closures = []
for (let i = 0, j = 10; i < 3; i++, j--) { closures.push(() => [i, j, i++]) }
for (const k of [7, 8]) { let m = k; closures.push(() => m++ + k) }
for (var v = 0; v < 2; v++) closures.push(() => v)
for (const k in { p: 1, q: 2 }) closures.push(() => k)
let w = 0; while (w < 2) { let n = w++; closures.push(() => n++) }
console.log(closures.map((f) => f()), closures.map((f) => f()))
outer: for (const i of [1, 2]) { inner: for (const j of [1, 2]) { if (j === 2) continue outer; if (i === 2) break outer; console.log(i, j) } }
switch (a) { case 10: let s = 1; const g = () => s++; g(); console.log(s); break; default: }
try { throw { code: 5, list: [1, 2] } } catch ({ code, list: [one] }) { const f = () => code++; f(); console.log(code, one) }
function strict(p) { 'use strict'
  const f = () => p++; f(); return [p, typeof this] }
console.log(strict(1), strict.toString())
console.log(typeof undeclared, (() => { try { undeclared } catch (e) { return e.message } })(), (() => { try { tdz; let tdz = 1; return () => tdz++ } catch (e) { return e.message } })())
sloppy = 1; sloppy++; globalThis.sloppy += 1; console.log(sloppy, delete globalThis.sloppy, typeof sloppy)
with ({ a: 'with', f() { return this.a } }) { console.log(a, f()); a = 'changed' }
console.log(a, eval('a + 1'), new Function('return typeof a')(), eval('let q = a; (() => q++)()'))
console.log([, a, ...[a]], { ...object, a: 3 }.a, (a, 5), a ? a : 0, a ?? 0, !a, ~a, +a, a instanceof Object, a ** 2, new Date(0).getTime(), /x/.test('x'))
const frozen = Object.freeze({ f: 1 }); frozen.f = 2; (function () { 'use strict'; try { frozen.f = 3 } catch (e) { console.log(e.message) } })()
function patterns({ k, l: [m] = [1], ...n }, [o] = [2], p) { return [k, m, n, o, p, arguments.length] }
console.log(patterns({ k: 1, z: 2 }), patterns.length, patterns.toString(), ((function (o) { 'use strict'; return o.k })({ k: 3 })))
let callable; const clears = () => { callable = undefined }
for (const wrong of [() => { clears(); null.x }, () => callable.x(), () => new callable(), () => { new Promise((yes) => { yes = 1; yes() }).catch(() => {}); throw new Error('caught') }, () => null.x, () => undefined.x.y, () => ({}).f(), () => a.f.g, () => { null.x = 1 }, () => { undefined[a] }, () => object.nothing(), () => new object.got(), () => { const { z } = null }, () => [...a], () => { for (const q of a); }, () => 'k' in a]) {
  try { wrong() } catch (e) { console.log(e.name, e.message, /:(\d+:\d+)/.exec(e.stack)?.[1]) }
}
var hoisted = typeof hoistee; function hoistee() { return hoisted } console.log(hoisted, hoistee())
if (true) { function block() { return blockVar++ } let blockVar = 1; console.log(block(), blockVar) }
do var once = () => a; while (false)
console.log(once(), [1, 2, 3].map((n) => n * a), ((n) => ({ n, a }))(1), (() => { return { a } })())
const tag = { t(s, ...v) { return s.raw.length + v.length + (this === tag) } }; console.log(tag.t`x${a}y`)
console.log([..."ab"].entries().next(), Math.max(...[1, a]), Reflect.ownKeys({ a, [Symbol.iterator]: 1 }))
let chain = { b: { c() { return this.d }, d: 4, e: null }, f: [() => chain.b] }
console.log(chain?.b?.c(), chain.b?.c?.(), chain?.b.e?.x.y.z, chain.f?.[0]().d, chain?.f[0]?.()?.c(), chain.zip?.[a++]?.(a++), a, chain?.["b"]?.["c"]())
