function y() {}
function a1(x) { do { if (x) return; y(); } while (x); y(); }
function a2(x) { do { break; } while (x); y(); }
function a3(x) { do return; while (x); y(); }
function a4(x) { do { y(); throw 1; } while (x); y(); }
function a5(x) { do { if (x) { return; } } while (x); y(); }
function a6(x) { do { continue; } while (x--); y(); }
a1(1); a2(1); a3(1); try { a4(1) } catch {} a5(1); a6(2);
function b1(x) { { throw 1; } }
function b2(x) { { y(x()); } y(); }
function b3(x) { y(x()); y(); }
function b4(x) { if (x) { x(); } y(); }
function b5(x) { for (;;) { x(); } y(); }
function b6(x) { try { x(); } finally { y(); } y(); }
function b7(x) { try { x(); y(); } catch (e) { y(); throw e; } y(); }
for (const f of [b1, b2, b3, b4, b5, b6, b7]) try { f(() => { throw 1 }) } catch {}
function c1(x) { return x ? y() : x ? 2 : 3; }
c1(0);
function c2(x) { l: for (const a of [1, 2]) { for (const b of [1, 2]) { if (b == 2) continue l; y(); } y(); } y(); }
c2(0);
function c3(x) { switch (x) { case 1: case 2: y(); break; case 3: { return 1; } } y(); }
c3(2); c3(3);
function c4(x) { switch (x) { } y(); }
c4(2);
var c5 = function () { return 1; }, c6 = function named() { return 2; };
c5(); c6();
function c7(x) { if (x) { y(); } else y(); } c7(0); c7(1); c7(1);
function c8(x) { while (x-- > 0) y(); y(); } c8(2);
function c9(x) { try { try { throw 1 } catch (e) { throw 2 } } catch (e) { y() } finally { } } c9();
function d1(x) { try { throw 1 } catch (e) { return 2 } finally { y() } } d1();
function d2(x) { if (x) { if (x > 1) { return 1; } y(); } else { return 3; } return y() } d2(1); d2(2); d2(0);
