// Who waits for what fails is in its stack.
'use strict';

const told = (error) => error.stack.split('\n').slice(1).map((line) => line.replace(/\/.*\//, '')).join('\n');
const say = (title, error) => console.log(`== ${title}\n${told(error)}`);

async function inner() {
  await 1;
  return new Error('x');
}
async function outer() { return await inner(); }
class Kind {
  async method() { return await outer(); }
  static async still() {
    await null;
    return await new Kind().method();
  }
}
async function thrower() {
  await 1;
  throw new Error('thrown');
}
async function missing() {
  await 1;
  return null.property;
}
async function twice() {
  const promise = inner();
  promise.then(() => {});
  return await promise;
}
async function several() {
  return await Promise.all([1, outer(), inner()]);
}
async function over() {
  const value = 1 +
    (await inner());
  return value;
}
async function deep(levels) {
  if (levels === 0) return await inner();
  return await deep(levels - 1);
}

async function main() {
  say('a function', await outer());
  say('methods', await new Kind().method());
  say('a static one', await Kind.still());
  const [, first, second] = await several();
  say('of several', first);
  say('of several, the last', second);
  say('an arrow function', await (async () => await inner())());
  say('then', await inner().then((error) => error));
  say('allSettled', (await Promise.allSettled([inner()]))[0].value);
  say('race', await Promise.race([inner()]));
  const pending = outer();
  say('awaited later', await pending);
  say('nobody', await new Promise((resolve) => { (async () => { await 1; resolve(new Error('x')); })(); }));
  say('two', await twice());
  say('deep', await deep(20));
  await thrower().catch(() => {});
  try {
    await thrower();
  } catch (error) {
    say('thrown', error);
  }
  try {
    await missing();
  } catch (error) {
    say('by the engine', error);
  }
  await over();
  Error.stackTraceLimit = 2;
  say('limited', await new Kind().method());
}
main();
