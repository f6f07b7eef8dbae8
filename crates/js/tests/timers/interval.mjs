// The asynchronous iterator of setInterval: what it yields late, and how it ends.
import { setInterval } from 'node:timers/promises';

let n = 0;
for await (const value of setInterval(2, 'v')) {
  console.log(value, ++n);
  if (n === 3) break;
}
const iterator = setInterval(1, 'k');
console.log(Object.prototype.toString.call(iterator), iterator[Symbol.asyncIterator]() === iterator);
console.log(await iterator.return('end'), await iterator.next());
const thrown = setInterval(1, 'k');
console.log(await thrown.next(), await thrown.throw(new Error('mine')).catch((error) => error.message), await thrown.next());
// Nothing is lost while nobody asks.
const slow = setInterval(1, 'late');
await slow.next();
const until = Date.now() + 5;
await new Promise((resolve) => { setTimeout(resolve, 10); });
console.log(Date.now() >= until, await slow.next(), await slow.next(), await slow.next());
await slow.return();
