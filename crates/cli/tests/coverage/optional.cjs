function y(){} function z(){} function w(){}
function f1(x) { return x.a?.b?.c.d; }
f1({}); f1({a:{}}===1 || {a:{b:{c:{d:1}}}});
function f2(x) { return x?.a; }
f2({});
function f3(x) { return x?.a.b(y()) + z(); }
f3();
function f4(x) { return x?.[y()]; }
f4();
