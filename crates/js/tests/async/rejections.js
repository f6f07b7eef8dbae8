// Rejections that nobody handles: ECMA-262 27.2.1.9 leaves to the host what becomes of them; this is Node's.
const { same } = require('./support/check.cjs');

let told = [];
process.on('unhandledRejection', (reason, promise) => told.push(['unhandled', reason, promise instanceof Promise]));
process.on('rejectionHandled', (promise) => told.push(['handled', promise instanceof Promise]));
const soon = () => new Promise((yes) => setImmediate(yes));
async function expect(name, act, expected) {
  told = [];
  act();
  await soon();
  same(name, told, expected);
}
const unhandled = (...reasons) => reasons.map((reason) => ['unhandled', reason, true]);

(async () => {
  await expect('reject', () => { Promise.reject(1); }, unhandled(1));
  await expect('an async function that throws', () => { (async () => { throw 2; })(); }, unhandled(2));
  await expect('an async function that throws later', () => { (async () => { await null; throw 3; })(); }, unhandled(3));
  await expect('the end of a chain', () => { Promise.reject(4).then(() => {}).then(() => {}); }, unhandled(4));
  await expect('finally handles nothing', () => { Promise.reject(5).finally(() => {}); }, unhandled(5));
  await expect('a branch of two', () => { const p = Promise.reject(6); p.catch(() => {}); p.then(() => {}); }, unhandled(6));
  await expect('several, in order', () => { Promise.reject('a'); Promise.reject('b'); (async () => { throw 'c'; })(); }, unhandled('a', 'b', 'c'));
  await expect('handled at once', () => { Promise.reject(7).catch(() => {}); }, []);
  await expect('handled in a job', () => { const p = Promise.reject(8); Promise.resolve().then(() => p.catch(() => {})); }, []);
  await expect('handled some jobs later', () => { const p = Promise.reject(9); (async () => { await 0; await 0; await 0; try { await p; } catch {} })(); }, []);
  await expect('handled in a tick', () => { const p = Promise.reject(10); process.nextTick(() => p.catch(() => {})); }, []);
  await expect('handled by all', () => { Promise.all([Promise.reject(11), Promise.reject(12)]).catch(() => {}); }, []);
  await expect('all itself is not', () => { Promise.all([Promise.reject(13), Promise.reject(14)]); }, unhandled(13));
  await expect('allSettled handles', () => { Promise.allSettled([Promise.reject(15)]); }, []);
  await expect('race handles the losers', () => { Promise.race([Promise.resolve(), Promise.reject(16)]); }, []);
  await expect('await in try handles', () => { (async () => { try { await Promise.reject(17); } catch {} })(); }, []);
  await expect('resolved by a rejected promise', () => { new Promise((yes) => yes(Promise.reject(18))).catch(() => {}); }, []);
  await expect('resolved by a rejected promise, not handled', () => { new Promise((yes) => yes(Promise.reject(19))); }, unhandled(19));
  await expect('an async generator nobody asks again', () => { (async function* () { throw 20; })().next(); }, unhandled(20));
  await expect('an async generator that never began', () => { (async function* () { throw 21; })(); }, []);
  await expect('two promises awaited in turn', () => { (async () => { const [a, b] = [Promise.reject('x'), Promise.reject('y')]; try { await a; } catch {} try { await b; } catch {} })(); }, []);
  let late;
  await expect('handled too late: first', () => { late = Promise.reject(22); }, unhandled(22));
  await expect('handled too late: then', () => { late.catch(() => {}); }, [['handled', true]]);
  await expect('and only once', () => { late.catch(() => {}); }, []);
  await expect('undefined as a reason', () => { Promise.reject(); }, unhandled(undefined));
  await expect('a promise as a reason', () => { const p = Promise.resolve(); Promise.reject(p).catch((e) => told.push(['same', e === p])); }, [['same', true]]);
  await expect('a second reject', () => { new Promise((yes, no) => { no(23); no(24); }); }, unhandled(23));
  await expect('reject after resolve', () => { new Promise((yes, no) => { yes(); no(25); }); }, []);
  await expect('a throw after resolve', () => { new Promise((yes) => { yes(); throw 26; }); }, []);
  const log = [];
  process.once('unhandledRejection', () => { log.push('told'); Promise.resolve().then(() => log.push('its job')); process.nextTick(() => log.push('its tick')); });
  Promise.reject('order');
  Promise.resolve().then(() => { log.push('job'); process.nextTick(() => log.push('tick')); }).then(() => log.push('job 2'));
  setImmediate(() => log.push('immediate'));
  await soon();
  await soon();
  same('told after jobs and ticks', log, ['job', 'job 2', 'tick', 'told', 'its tick', 'its job', 'immediate']);
})();
