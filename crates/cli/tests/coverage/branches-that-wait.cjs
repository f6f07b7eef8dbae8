async function y() {} function z() {}
async function f1(x) { x = x || await y(); z(); }
f1(1);
async function f2(x) { x = x ? 1 : await y(); z(); }
f2(1);
async function f3(x) { if (x) z(); else await y(); z(); }
f3(1);
async function f4(x) { z(x && await y(), 2); z(); }
f4(0);
async function f5(x) { const a = x && (await y()); z(); }
f5(0);
async function f6(x) { if (x) await y(); else z(); }
f6(0);
async function f7(x) { await y(); await y(); z(); }
f7(0);
async function f8(x) { while (await y()) { z(); } z(); }
f8(0);
async function f9(x) { return x ? await y() : z(); }
f9(0);
async function g1(x) { for (const a of [1]) { await y(); } z(); }
g1(0);
async function g2(x) { await Promise.all([y(), y()].map(async (q) => { await q; })); z(); }
g2(0);
