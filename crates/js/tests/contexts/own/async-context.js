// The AsyncContext of TC39's proposal.
const { Variable, Snapshot } = AsyncContext;
const user = new Variable({ name: 'user', defaultValue: 'nobody' });
const plain = new Variable();
const see = (what) => console.log(what, user.get(), plain.get());
console.log(user.name, plain.name === '', Object.prototype.toString.call(user), Object.prototype.toString.call(AsyncContext));
see('at first');
console.log(user.run('ann', (a, b) => `${user.get()} ${a}${b}`, 1, 2));
const snapshot = user.run('bob', () => {
  setTimeout(() => see('timer'), 1);
  Promise.resolve().then(() => see('then'));
  (async () => { await null; see('await'); plain.run(7, () => see('nested')); see('after nested'); })();
  return new Snapshot();
});
see('after run');
snapshot.run(() => see('snapshot'));
user.run('eve', () => { snapshot.run(() => see('snapshot within')); see('after snapshot'); });
const wrapped = user.run('dan', () => Snapshot.wrap(function named(a, b) { return `${user.get()} ${this.x} ${a} ${b}`; }));
console.log(wrapped.call({ x: 1 }, 2, 3), wrapped.name, wrapped.length);
user.run(undefined, () => see('undefined is a value'));
try { user.run('fay', () => { throw new Error('x'); }); } catch { see('after a throw'); }
const attempt = (act) => { try { console.log(act()); } catch (error) { console.log(error.name, error.message); } };
attempt(() => user.run('x'));
attempt(() => new Variable(1));
attempt(() => Variable());
attempt(() => Snapshot.wrap(1));
attempt(() => new Snapshot().run(1));
attempt(() => Variable.prototype.get.call({}));
console.log(Object.keys(globalThis).includes('AsyncContext'), 'AsyncContext' in globalThis);
