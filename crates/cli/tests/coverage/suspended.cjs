function y(){} function z(){} function w(){}
const never = () => new Promise(() => {});
async function c1() { await never() ; y(); }
async function c2() { y(await never()); y(); }
async function c3() { await never()
 y(); }
async function c4() { return await never(); }
async function c5() { const q = [await never(), 2]; y(); }
async function c6() { if (await never()) { y(); } z(); }
async function c7() { (await never()).y; z(); }
async function c8(x) { x = x || await never(); z(); }
async function c9(x) { for (const q of [1]) await never(); z(); }
async function d1(x) { for await (const q of [never()]) y(); z(); }
async function d2(x) { try { await never(); } finally { y(); } z(); }
async function d3(x) { await never(), y(); z(); }
async function d4(x) { return { a: await never(), b: y() }; }
const d5 = async (x) => await never();
const d6 = async (x) => [await never(), y()];
function* e1() { y(yield 1); z(); }
function* e2() { yield 1
 y(); }
function* e3() { yield* [1]; y(); }
function* e4() { yield; y(); }
function* e5() { try { yield 1; y(); } finally { z(); } w(); }
function* e6() { return yield 1; }
async function* e7() { yield 1; y(); await never(); z(); }
c1(); c2(); c3(); c4(); c5(); c6(); c7(); c8(); c9(); d1(); d2(); d3(); d4(); d5(); d6();
e1().next(); e2().next(); e3().next(); e4().next(); { const g = e5(); g.next(); g.return(); } e6().next(); { const g = e7(); g.next(); g.next(); }
