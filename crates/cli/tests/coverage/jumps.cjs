function y(){} function z(){} function w(){}
function a1(x) { for (;;) { if (x) break; foo(x ? 1 : 2); bar(x || y()); } }
a1(1);
function a2(x) { if (x) return; y(x ? 1 : 2); z(); if (x) w(); }
a2(1);
function a3(x) { { return 1; } y(); }
a3(1);
function a4(x) { { y(); return 1; } }
a4(1);
function a5(x) { try { y(); return 1; } finally { z(); } w(); }
a5(1);
function a6(x) { try { y(); } finally { z(); } w(); }
a6(1);
function a7(x) { try { throw 1; } catch { return 2; } w(); }
a7(1);
function a8(x) { if (x) { return 1; } else { return 2; } w(); }
a8(1);
function a9(x) { switch (x) { case 1: return 1; case 2: { y(); break; } case 3: y(); z(); break; default: return 5; } w(); }
a9(1); a9(2);
function b1(x) { while (true) { y(); if (x--) continue; break; z(); } w(); }
b1(3);
const b2 = (x) => x && y();
b2(0);
const b3 = (x) => { if (x) return 1; return 2 };
b3(1);
function b4(x) { const q = x ? { a: 1 } : { b: 2 }; z(); return q; }
b4(1);
function b5(x) { x || y() || z(); w(); }
b5(0); b5(1);
function b6(x) { x && y() && z() && w(); }
b6(0);
function b7(x) { return x ?? y() ?? z(); }
b7(1);
if (y === z) { function never() {} }
throw1: for (;;) { break throw1; y(); }
function d1() { return; y(); }
d1();
function d2() { throw 1; y(); }
try { d2() } catch {}
function d3(x) { if (x) throw 1; y(); }
try { d3(1) } catch {}
function d4(x) { do { if (x) break; y(); } while (x); z(); }
d4(1);
function d5(x) { for (const k in x) if (k) y(); z(); }
d5({});
function d6(x) { for (const k of x) if (k) y(); else z(); z(); }
d6([1]);
function d7(x) { l: for (;;) { for (;;) { break l; } } z(); }
d7([1]);
function d8(x) { return x?.y?.(z()); }
d8();
function d9(a, b = y(), ...c) { return a ? b : c; }
d9();
