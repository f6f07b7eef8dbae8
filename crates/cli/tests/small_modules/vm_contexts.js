// Scripts in contexts of their own.
'use strict';
const vm = require('vm');
const util = require('util');


const show = (name, f) => {
  try {
    console.log(name, util.inspect(f(), { depth: 3 }));
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const c = vm.createContext({ a: 1 });
show(1, () => vm.runInContext('x = 40; var y = a + 1; function f() { return x + y } f()', c));
show(2, () => c.x + c.y + c.f());
show(3, () => Object.keys(c).sort());
show(4, () => vm.runInContext('let l = 1; const k = 2; class C {}; l + k', c));
show(5, () => vm.runInContext('l += 5; [l, k, typeof C, typeof nothing, typeof process, typeof console, typeof setTimeout, typeof require]', c));
show(6, () => vm.runInContext('nothing', c));
show(7, () => vm.runInContext('k = 3', c));
show(8, () => vm.runInContext('let l = 1', c));
show(9, () => vm.runInContext('this.a + globalThis.a', c));
show(10, () => vm.runInContext('(function () { return this === globalThis })()', c));
show(11, () => vm.runInContext('(function () { "use strict"; return this })()', c));
show(12, () => vm.runInContext('"use strict"; var s1 = 1; function s2() { return ++s1 } s2()', c));
show(13, () => [c.s1, c.s2(), c.s1, vm.runInContext('s1', c)]);
show(14, () => vm.runInNewContext('a = b * 2; a', { b: 21 }));
show(15, () => vm.runInNewContext('Function("return typeof a + this.b")()', { b: 21 }));
show(16, () => vm.runInNewContext('eval("var e = 3; e + b")', { b: 21 }));
show(17, () => vm.isContext(c) + ' ' + vm.isContext({}));
show(18, () => vm.runInContext('1', {}));
show(19, () => vm.runInNewContext('throw new TypeError("x")'));
show(20, () => vm.runInNewContext('while (true) {}', {}, { timeout: 20 }));
show(21, () => new vm.Script('n++; n').runInContext(vm.createContext({ n: 5 })));
show(22, () => { const s = new vm.Script('n = (typeof n === "undefined" ? 0 : n) + 1'); const a = vm.createContext({}), b = vm.createContext({ n: 9 }); s.runInContext(a); s.runInContext(a); s.runInContext(b); return [a, b]; });
show(23, () => vm.compileFunction('return a + b + this.q', ['b'], { parsingContext: c }).call({ q: 1 }, 5));
show(24, () => vm.compileFunction('return a + z', ['a'], { contextExtensions: [{ z: 4 }] })(3));
show(25, () => vm.runInNewContext('Array = 5; Array', {}));
show(26, () => { const s = {}; vm.runInNewContext('var Promise = Promise || 1; typeof Promise', s); return Object.keys(s); });
show(27, () => { const s = { console }; return vm.runInNewContext('globalThis.q = 1; Object.getOwnPropertyNames(globalThis).includes("Array") + " " + ("q" in this) + " " + delete this.q + " " + typeof q', s); });
show(28, () => vm.runInNewContext('var g = (function () { return this })(); g.tt = 4; tt', {}));
show(29, () => vm.runInNewContext('for (var i = 0, s = 0; i < 5; i++) s += i; s', {}));
show(30, () => vm.runInNewContext('f(); function f() { return g() } function g() { return 7 } f()', {}));
show(32, () => vm.runInNewContext('delete a; typeof a', { a: 1 }));
show(33, () => vm.runInNewContext('({ get x() { return y } }).x', { get y() { return 5 } }));
show(34, () => { const seen = []; const s = vm.createContext(new Proxy({}, { get(t, k) { seen.push(String(k)); return t[k]; }, has(t, k) { return k in t; }, set(t, k, v) { t[k] = v; return true; } })); return [vm.runInContext('p = 5; p + 1', s)]; });
show(35, () => vm.runInNewContext('f.toString()', { f() { return 1; } }));
show(36, () => vm.runInNewContext('(function g() { this.x; return typeof zz; }).toString()', {}));
show(37, () => vm.createContext(1));
show(38, () => vm.runInNewContext('eval("1")', {}, { contextCodeGeneration: { strings: false } }));
show(39, () => vm.runInNewContext('let q = 1; function r() { return q } q = 2; r', {})());
show(40, () => vm.runInContext('var l', c));
show(41, () => { const g = vm.createContext(vm.constants.DONT_CONTEXTIFY); vm.runInContext('var z = 1', g); return g.z; });
show(42, () => vm.runInNewContext('[1,2].map(x => x * 2).concat(Math.max(1, 2)).join()', {}));
show(43, () => vm.runInNewContext('undefined === void 0 && NaN !== NaN && Infinity > 1', {}));
show(44, () => vm.runInNewContext('try { nope } catch (e) { e instanceof ReferenceError && e.message }', {}));
show(45, () => vm.runInNewContext('Object.prototype.toString.call(this)', {}));
show(46, () => vm.runInNewContext('a\nthis.b = 1; this.b', { a: 1 }));
show(47, () => vm.runInNewContext('"use strict"; undeclared = 1', {}));
show(48, () => vm.runInNewContext('{ function blocky() { return 3 } } blocky()', {}));
show(49, () => vm.runInNewContext('var { a, b: [c] } = o; a + c', { o: { a: 1, b: [2] } }));
show(50, () => vm.runInNewContext('', {}));
show(51, () => vm.runInNewContext('var u;', {}));
show(52, () => vm.runInNewContext('1;var u = 2;', {}));
show(53, () => vm.runInNewContext('var g = 1; (0, eval)("var h = g + 1"); h + globalThis.eval("h")'));
show(54, () => vm.runInNewContext('(function (local) { return eval("local + 1") })(1)'));
show(55, () => { const o = vm.createContext({}); vm.runInContext('var g = 1', o); return vm.runInContext('eval', o)('g + 1'); });
show(56, () => vm.runInNewContext('eval("1 +")'));
show(57, () => vm.runInNewContext('eval', { eval: 5 }));
show(58, () => vm.runInNewContext('globalThis.window === window && this === window', (() => { const w = {}; w.window = w; return w; })()));
show(59, () => vm.runInContext('var y = x + 1; z = y + 1; [y, z]', vm.createContext(Object.freeze({ x: 1 }))));
show(60, () => vm.runInNewContext('undefined = NaN = 3; [undefined, NaN]'));
show(61, () => { const o = vm.createContext(new Proxy({ a: 1 }, {})); return vm.runInContext('var b = a + 1; typeof Map + b', o); });
show(62, () => {
  try {
    vm.runInNewContext('\n  function deep() { gone() }\n  deep()', {}, 'my.vm');
  } catch (error) {
    // Frames of the library are each runtime's own, and Node shows the place in the stack, too.
    return error.stack.replaceAll(__dirname, '').split('\n').filter((line) => /^ {4}at (?!.*node:)/.test(line)).slice(0, 4);
  }
});
show(63, () => vm.compileFunction('return [typeof process, a, b, this.c]', ['a'], { parsingContext: vm.createContext({ b: 2 }) }).call({ c: 3 }, 1));
show(64, () => vm.runInNewContext('switch (1) { case 1: function inner() { return 4 } } inner()'));
show(65, () => vm.runInNewContext('[1, 2].forEach(function () { if (this !== globalThis) throw 1 }); "ok"'));
vm.runInNewContext('setTimeout(() => { console.log("timer", typeof process, this === globalThis) }, 5)', { setTimeout, console });
vm.runInNewContext('(async () => { await null; log(typeof nope, this === globalThis); })()', { log: console.log });

// Time and chance are the world's, in a context as elsewhere.
const world = vm.runInNewContext('({ now: Date.now(), drawn: Math.random(), made: new Date() })');
console.log(Math.abs(Date.now() - world.now) < 1000, world.drawn < 1);
