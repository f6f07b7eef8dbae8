// ECMA-262 14: statements around an await.
const { same, rejects } = require('./support/check.cjs');

const fail = (value) => Promise.reject(value);
(async () => {
  same('catch', await (async () => { try { await fail(1); } catch (e) { return e; } })(), 1);
  same('catch without a parameter', await (async () => { try { await fail(1); } catch { return 2; } })(), 2);
  same('catch with a pattern', await (async () => { try { await fail({ a: 3 }); } catch ({ a, b = await 4 }) { return [a, b]; } })(), [3, 4]);
  same('finally runs', await (async () => { const log = []; try { await 1; log.push('try'); } finally { await 1; log.push('finally'); } return log; })(), ['try', 'finally']);
  same('return in finally wins', await (async () => { try { await fail(1); } finally { return 2; } })(), 2);
  same('return in finally wins over return', await (async () => { try { return await 1; } finally { await 0; return 2; } })(), 2);
  same('the value of return is taken before finally', await (async () => { let x = 1; try { return x; } finally { await 0; x = 2; } })(), 1);
  await rejects('throw in finally wins', (async () => { try { await fail(1); } finally { await 0; throw 2; } })(), 2);
  await rejects('throw goes through finally', (async () => { try { await fail(1); } finally { await 0; } })(), 1);
  await rejects('throw in catch', (async () => { try { await fail(1); } catch (e) { await 0; throw e + 1; } })(), 2);
  same('return await catches, return does not', await (async () => {
    const kept = async () => { try { return await fail('a'); } catch { return 'caught'; } };
    const passed = async () => { try { return fail('b'); } catch { return 'caught'; } };
    return [await kept(), await passed().catch((e) => e)];
  })(), ['caught', 'b']);
  same('nested', await (async () => {
    const log = [];
    try {
      try { await fail('inner'); } finally { log.push('f1'); await 0; log.push('f2'); }
    } catch (e) { log.push(e); } finally { log.push(await 'f3'); }
    return log;
  })(), ['f1', 'f2', 'inner', 'f3']);
  same('while', await (async () => { let n = 0; while (await (n < 3)) n += await 1; return n; })(), 3);
  same('do while', await (async () => { let n = 0; do { n++; } while (await (n < 3)); return n; })(), 3);
  same('for', await (async () => { const log = []; for (let i = await 0; i < await 3; i += await 1) log.push(i); return log; })(), [0, 1, 2]);
  same('a binding for every round', await (async () => { const all = []; for (let i = 0; i < 3; i++) { all.push(() => i); await 0; } return all.map((f) => f()); })(), [0, 1, 2]);
  same('for in', await (async () => { const log = []; for (const k in await { a: 1, b: 2 }) { await 0; log.push(k); } return log; })(), ['a', 'b']);
  same('for of closes its iterator after an await that fails', await (async () => {
    const log = [];
    const iterable = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return() { log.push('closed'); return {}; } }) };
    try { for (const _ of iterable) await fail('x'); } catch (e) { log.push(e); }
    return log;
  })(), ['closed', 'x']);
  same('switch', await (async () => { switch (await 2) { case await 1: return 'one'; case await 2: { const log = []; log.push(await 'two'); return log[0]; } default: return 'none'; } })(), 'two');
  same('switch evaluates cases until one matches', await (async () => { const log = []; const c = async (v) => { log.push(v); return v; }; switch (2) { case await c(1): case await c(2): case await c(3): } return log; })(), [1, 2]);
  same('labels', await (async () => {
    const log = [];
    outer: for (let i = 0; i < 3; i++) { for (let j = 0; ; j++) { await 0; if (j === 1) continue outer; if (i === 2) break outer; log.push(`${i}${j}`); } }
    return log;
  })(), ['00', '10']);
  same('break out of a labelled block', await (async () => { a: { await 0; if (await true) break a; return 'not here'; } return 'left'; })(), 'left');
  same('break through finally', await (async () => { const log = []; for (;;) { try { await 0; break; } finally { await 0; log.push('f'); } } return log; })(), ['f']);
  same('continue through finally', await (async () => { const log = []; for (let i = 0; i < 2; i++) { try { await 0; continue; } finally { await 0; log.push(i); } } return log; })(), [0, 1]);
  same('if and else', await (async () => { if (await false) return 1; else if (await true) return 2; else return 3; })(), 2);
  same('blocks have their own names', await (async () => { let x = 1; { let x = await 2; x++; } return x; })(), 1);
  await rejects('temporal dead zone', (async () => { await 0; x; let x; })(), ReferenceError);
  await rejects('constant', (async () => { const c = await 1; c = 2; })(), TypeError);
  same('closures see later values', await (async () => { let v = 1; const f = () => v; await 0; v = 2; return f(); })(), 2);
  same('var is hoisted over an await', await (async () => { v = 1; await 0; var v; return v; })(), 1);
  same('functions in blocks', await (async () => { { await 0; function f() { return 1; } } return f(); })(), 1);
  same('two activations do not share', await (async () => { const f = async (n) => { let x = n; await 0; x += n; await 0; return x; }; return Promise.all([f(1), f(2), f(3)]); })(), [2, 4, 6]);
  same('with', await Function('return (async () => { with ({ a: 1 }) { await 0; return a } })()')(), 1);
  same('direct eval sees the function', await (async () => { let secret = await 5; return eval('secret + 1'); })(), 6);
  same('delete of a name of with', await Function('var o = { a: 1 }; return (async () => { with (o) { delete a; await 0 } return "a" in o })()')(), false);
})();
