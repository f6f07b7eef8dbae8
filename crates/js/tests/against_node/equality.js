// `==` and `!=`, also of long texts that were joined.
const a = 'x'.repeat(600);
let b = ''; for (let i = 0; i < 600; i++) b += 'x';
let c = 'x'.repeat(300); c = c + 'x'.repeat(300);
console.log(a == b, b == a, a != b, c == a, a == c, c != a, b == c);
console.log(new String(a) == c, c == new String(a), a === c);
console.log([a] == c, c == 5, 5 == '5', null == undefined, ({}) == '[object Object]', NaN != NaN);
function f(x, y) { return x == y && x != null || x /* a == b */ != y; }
console.log(f.toString());
console.log(f(a, c), f(1, '1'));
const g = async (x) => await x == a;
g(Promise.resolve(c)).then(console.log);
console.log(g.toString());
class K { #p = a; eq(o) { return this.#p == o; } static { console.log(c == a); } d = c == a; }
console.log(new K().eq(c), new K().d, K.toString());
const o = { x: 1 };
try { o.y.z == a } catch (e) { console.log(e.message, e.stack.split('\n')[1].replace(/.*equality/, "")) }
try { null == undefinedThing } catch (e) { console.log(e.message) }
try { o.foo() == c } catch (e) { console.log(e.message) }
switch (c) { case a: console.log('case'); }
console.log(a == c ? 'yes' : 'no', (a, b) == c)
console.log([c].indexOf(a), [c].includes(a), new Set([c]).has(a), ({[c]: 1})[a]);
