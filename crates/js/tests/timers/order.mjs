// How many jobs lie between a timer and what waits for its promise.
import { setTimeout as sleep, setImmediate as soon, scheduler } from 'node:timers/promises';

const jobs = (name, count) => {
  let chain = Promise.resolve();
  for (let i = 1; i <= count; i++) chain = chain.then(() => console.log(name, i));
};
const { signal } = new AbortController();
sleep(5).then(() => console.log('timeout'));
sleep(5, undefined, { signal }).then(() => console.log('timeout with a signal'));
setTimeout(() => { console.log('plain timeout'); process.nextTick(() => console.log('tick')); jobs('after timeout', 9); }, 5);
sleep(5).then(() => console.log('second timeout'));
await sleep(20);
soon().then(() => console.log('immediate'));
soon(0, { signal }).then(() => console.log('immediate with a signal'));
setImmediate(() => { console.log('plain immediate'); process.nextTick(() => console.log('tick')); jobs('after immediate', 9); });
scheduler.yield().then(() => console.log('yield'));
await sleep(5);
const aborting = new AbortController();
sleep(1000, 0, { signal: aborting.signal }).catch(() => console.log('aborted'));
soon(0, { signal: aborting.signal }).catch(() => console.log('immediate aborted'));
jobs('before abort', 9);
aborting.abort();
process.nextTick(() => console.log('tick after abort'));
