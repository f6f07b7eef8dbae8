function y(){} function z(){} function w(){}
const never = () => new Promise(() => {});
async function a1() { await never(); }
async function a2() { await never()   }
async function a3() { await never(); /* c */ }
async function a4() { if (1) { await never(); } }
async function a5() { return await never();   }
async function a6() { const q = await never();
}
a1(); a2(); a3(); a4(); a5(); a6();
function b1() { for (;;) { return 1; } }
function b2() { for (;;) { y(); return 1;   } /* x */ }
function b3(x) { if (x) { return 1; }   }
function b4(x) { if (x) { return 1; } else { y(); return 2; }   }
function b5(x) { if (x) return 1;
}
function b6(x) { if (x) return 1; ; }
function b7(x) { if (x) return 1; function q() {} }
function b8(x) { if (x) return 1; var q; }
b1(); b2(); b3(1); b4(1); b5(1); b6(1); b7(1); b8(1);
function c1(x) { switch (x) { case 1: return 1; } }
function c2(x) { switch (x) { case 1: return 1; y(); case 2: y(); } z(); }
function c3(x) { switch (x) { case 1:
    y();
    break;
  case 2:
  case 3:
    z();
    // comment
  default:
} z(); }
c1(1); c2(1); c3(1);
function d1(x) { try { return 1; } catch (e) { y(); } }
function d2(x) { try { return 1; } catch (e) { y(); } z(); }
function d3(x) { try { throw 1; } catch (e) { y(); throw 1 } finally { z(); } w(); }
function d4(x) { try { y(); } catch { } finally { return 1; } w(); }
d1(); d2(); try { d3(); } catch {} d4();
function e1(x) { x: { y(); break x; z(); } w(); }
function e2(x) { x: { y(); if (x) break x; z(); } w(); }
function e3(x) { while (x) { if (x) return 1; y(); } z(); }
function e4(x) { do { y(); return; } while (x); z(); }
function e5(x) { do { y(); } while (x && z()); z(); }
function e6(x) { for (let i = x ? 1 : 2; i < (x || 5); i += x ? 1 : 2) y(); }
e1(1); e2(1); e3(1); e4(1); e5(); e6(1);
function f1(x) { if (x) { y(); } if (!x) { z(); } w(); }
function f2(x) { if (x) y(); else if (x === 0) z(); else w(); y(); }
function f3(x) { if (x) { y(); } else if (x === 0) { z(); } else { w(); } y(); }
function f4(x) { if (x) { y(); }
  // comment
  else { z(); } }
function f5(x) { return x ? (y(), 1) : x === 0 ? 2 : 3; }
function f6(x) { return (x) || (y()); }
function f7(x) { return (x ? (1) : (2)) || (/* c */ y()  ); }
f1(1); f2(1); f3(1); f4(1); f5(1); f6(1); f7(1);
with_();
function with_() { debugger; }
if (y) { } else if (z) { }
if (!y) return;
z();
return;
w();
