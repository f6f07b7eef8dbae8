function a(x) { if (x) { return 1; } return 2; }
a(1); a(1);
function b(x) { if (x) { y(); } else { z(); } w(); }
function y(){} function z(){} function w(){}
b(1);
function c(x) { if (x) y(); else z(); w(); }
c(0);
function d(x) { return x ? y() : z(); }
d(1);
function e(x) { return x && y() || z(); }
e(1);
function f(x) { for (let i = 0; i < x; i++) { y(); } w(); }
f(0); 
function g(x) { for (let i = 0; i < x; i++) { if (i == 1) continue; if (i == 2) break; y(); } w(); }
g(5);
function h(x) { switch (x) { case 1: y(); break; case 2: z(); default: w(); } y(); }
h(2);
function i(x) { try { y(x); } catch (e) { z(); } finally { w(); } y(); }
i(2);
function j(x) { try { throw 1; } catch (e) { z(); } y(); }
j(2);
function k(x) { while (x) { x--; } do { x++; } while (x < 3); y(); }
k(2);
function l(x) { throw 1; }
try { l() } catch {}
function m() { function inner() {} }
const n = () => { return 1; }; const o = () => 2; const p = x => x ? 1 : 2;
p(1);
var r = a ?? b;
r ??= y(); r ||= z(); r &&= w();
function s(q = y(), { t = z() } = {}) { return q; }
s(1);
lab: { if (r) break lab; y(); }
(function () { return })();
(() => {})();
for (const v of []) { y(); }
for (const v in {}) y();
