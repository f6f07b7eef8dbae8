// Awaits, generators and promises between reads and writes.
const state = { n: 0, list: [], map: new Map(), nested: { deep: { n: 1 } } };
let count = 0, text = '';
const tick = (v) => new Promise((resolve) => setImmediate(() => resolve(v)));
async function add(i) {
  state.n += await tick(i); state.n = state.n + (await tick(1)); state['n'] ||= await tick(5);
  count += await tick(i); count = await tick(count); text += `${await tick(i)}:${count};`;
  state.list.push(await tick(i), ...[await tick(i + 10)]); state.map.set(await tick(`k${i}`), await tick(i));
  state.nested.deep.n ??= await tick(1); state.nested.deep['x' + await tick(i)] = await tick(i); state.list[await tick(0)]++;
  state.list.push(await tick('last'),);
  for (const item of state.list) { await null; if (state.list.length > 40) break; if (item === i) state.list.push('more'); }
  for (const [k, v] of state.map) { await null; state.map.set(k, v); }
  const { n, list: [first = await tick('none')] } = await tick(state); let local = await tick(n); const grow = () => local++; await null; local += await tick(1); grow();
  return [n, first, local, (await tick(state))?.nested?.deep?.n, state?.map?.get(await tick('k1'))];
}
async function* numbers() { let i = 0; const next = () => i++; while (i < 3) { yield next(); await null; } return i; }
function* plain() { const got = yield count; count += got; try { count = yield* [1, 2]; } finally { text += 'closed'; } }
const arrow = async (x) => (state.n = await x, state.n), deferred = async () => state.list.push(await 1);
const simple = async (x = count) => state.extra ||= await x;
(async () => {
  console.log(await Promise.all([add(1), add(2), add(3)]));
  console.log(state, count, text);
  for await (const i of numbers()) { count = i; text += i; }
  const g = plain(); console.log(g.next(), g.next(5), g.return(7), count, text);
  console.log(await arrow(9), await deferred(), await simple(), simple.length, arrow.toString(), await simple());
  console.log(await Promise.race([tick('slow'), 'fast', tick('slower')]), await Promise.any([Promise.reject(1), tick('any')]), await Promise.allSettled([Promise.reject(2), 3]));
  let settle; const p = new Promise(function (yes, no) { settle = { yes, no }; console.log(arguments.length, yes.name, yes.length, typeof no); });
  console.log(settle.yes('one'), settle.no('two'), await p, settle.yes === settle.yes);
  console.log(await new Promise((yes) => yes(new Promise((yes) => setTimeout(yes, 1, 'later')))), await new Promise((_, no) => no(1)).catch((e) => e + 1));
  await new Promise(() => { throw new Error('thrown'); }).catch((e) => console.log(e.message, e.stack.split('\n').length > 1));
  try { new Promise(5); } catch (e) { console.log(e.name); } try { Promise(() => {}); } catch (e) { console.log(e.message); }
  await Promise.race(5).catch((e) => console.log(e.name));
  class Mine extends Promise { static get [Symbol.species]() { return Promise; } } console.log(new Mine((y) => y(1)) instanceof Mine, await Mine.all([1, tick(2)]));
})();
const EventEmitter = require('events'); const emitter = new EventEmitter();
emitter.once('x', (...args) => console.log('x', args)); emitter.on('x', () => count++); console.log(emitter.emit('x', 1), emitter.emit('x', 2), emitter.listenerCount('x'), emitter.eventNames());
const target = new EventTarget(); target.addEventListener('y', (event) => console.log(event.type), { once: true }); console.log(target.dispatchEvent(new Event('y')), target.dispatchEvent(new Event('y')));
const set = new Set([1]), weak = new WeakMap([[state, 1]]), typed = new Uint8Array([3, 1, 2]);
set.add(1).add(2).delete(1); typed.sort()[0] = 9; typed.set([5], 1); console.log(set, weak.get(state), typed, [...set.keys()], typed.at(-1), Array.from(set, (x) => x * 2), Object.assign({ a: 1 }, { b: set }), Object.entries({ q: 1 }));
const sorted = [3, 1, 2]; sorted.sort((x, y) => x - y).reverse(); sorted.length = 2; sorted[5] = 1; console.log(sorted, sorted.indexOf(2), sorted.slice(1), JSON.stringify({ sorted, state }), structuredClone(sorted), sorted.pop(), sorted.shift(), sorted.unshift(0), sorted.splice(1, 1), 5 in sorted, delete sorted[0], sorted.concat(sorted).flat().join('-'));
