function y(){} function z(){} function w(){}
class A { x = 1; m() {} }
class B extends A { static y = 2; z = 3; }
new B();
class C { m() {} }
new C();
const D = class { a = 1; b = 2; constructor() {} };
class E { static a = 1; m() { } static b = 2; }
class F { m() {} 
 q = 3; n() {} }
class G { 'x y'() {} 12() {} static async *k() {} set v(q) {} [Symbol.iterator]() {} static get u() { return 1 } }
G.u;
class G1 { #p() {} }
class G2 { get #p() { return 1 } static #q() {} }
class G3 { static a = 1; static b = 2; static c = 3; m() {} }
class G4 { static a = 1; m() {} n() {} static b = y(); o() {} static c = 3; p() {} }
class G5 { static { y(); } m() {} static { z(); } }
class G6 { m() {} a; static b; }
class G7 { m() {} ['a' + 1] = 2; static ['b'] = 3; }
class G8 { a = () => y() ; b = function () {} }
new G8().a();
class G9 { static a = 1 }
class H1 { static a = (() => 1)(); static b = function () {}; }
class Q1 { constructor() { this.a = 1; } m() { return 1; } static s() {} get g() { return 1 } fld = y(); static sf = z(); static { w(); } arrow = () => 1; #p() {} }
new Q1();
