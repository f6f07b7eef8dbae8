function y(){} function z(){} function w(){}
var o = {};
foo(() => {});
foo(function () {});
foo(function named() {});
function foo() {}
const a1 = foo(() => {});
const a2 = [() => {}];
o.a={};o.a.b = () => {};
var o; o = function () {};
module.exports = function () {};
module.exports.x = () => {};
exports.y = function () {};
exports.z = foo(() => {});
o['q'] = () => {};
o[1] = () => {};
this.t = () => {};
let a4; a4 = () => {};
const { a5 = () => {} } = {};
const [a6 = () => {}] = [];
function a7(p = () => {}) {}
a7(1);
const a8 = y() || (() => {});
const b1 = (() => {});
const b2 = (0, () => {});
new (class { m() { return () => {}; } })().m();
function b3() { return () => {}; }
b3();
function b4() { return function () {}; }
b4();
foo({ a() {}, b: () => {} });
const b5 = foo({ a() {}, b: () => {}, c: function () {} });
foo(foo(() => {}));
[1].map((x) => x);
const b7 = [1].map((x) => x);
o={p:{q:{}},a:{b:{c(){}}}};o.p.q.r = class { m() {} };
const b8 = class { constructor() {} m() {} };
const b9 = async () => {};
const c1 = async function () {};
const c2 = function* () {};
class K { a = () => {}; static b = () => {}; 'c d' = () => {}; #e = () => {}; }
new K();
a4 ||= () => {};
a4 &&= () => {};
o.x ??= () => {};
var c3 = c4 = () => {};
if (0) ; else foo(() => {});
Object.defineProperty(o, 'x', { get: function () {}, set() {} });
o.a.b.c(function () {});
(function () { })();
!function () { }();
const c6 = (function () { return () => {} })();
exports.default = (x) => (y) => (z) => {};
exports.default(1)(2);
function c7() { return { m() {}, n: () => {} } }
c7();
setTimeout(() => {}, 1);
process.on('exit', () => {});
let d1 = null, d2 = () => {};
const d3 = await_(async () => {});
function await_() {}
