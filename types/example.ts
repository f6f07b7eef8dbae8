/// <reference path="./hemiola.d.ts" />
// Uses everything that hemiola.d.ts declares; scripts/check-types compiles it.
import { clock, spend, type Clock, type Policy, type Ticks, type Unit, type Watch } from 'hemiola:clock';
import { obs as show, observe } from 'hemiola:observe';

const timer: NodeJS.Timeout = setTimeout((label: string) => console.log(label), 10, 'A');
const interval = setInterval((label, count: number, name: string) => console.log(label, count, name), 10, 'A', 1, 'x');
timer.ref().unref().refresh().close();
const numbered: number = +timer + timer[Symbol.toPrimitive]();
clearInterval(interval);
const physical: number = currentTime();
const logical: number | undefined = currentTime('A');
obs('a');
show({ b: 1 });
observe();

const a: Clock = clock('A', { unit: 'us' });
const unit: Unit = a.unit;
const handle: NodeJS.Timeout = a.setTimeout((x: number, y: string) => console.log(x, y), 5, 1, 'y');
a.clearTimeout(handle);
a.clearInterval(a.setInterval(() => {}, 5));
const policy: Policy = a.policy('skip');
const { signal } = new AbortController();

async function main(): Promise<void> {
  await a.sleep(10);
  const value: string = await a.sleep(10, { signal, value: 'v' });
  const ticks: Ticks = a.ticks(5, { signal });
  for await (const time of ticks) {
    const exact: number = time;
    if (exact > 100) break;
  }
  const late: Watch = a.deadline(5, (lag) => console.log(lag.toFixed(1)));
  a.onLag(20, (lag: number) => { if (lag > 100) a.close(); });
  late.remove();
  late[Symbol.dispose]();
  spend(5);
  console.log(value, a.now() ?? 'not in use', a.lag()?.toFixed(), a.skipped(), a.policy(), a.label, unit, policy);
  a.close();
}
void main();
console.log(numbered, physical, logical);

// @ts-expect-error: a label is a text
clock(5);
// @ts-expect-error: there is no such policy
a.policy('some');
// @ts-expect-error: the logical time of a label may be undefined
const wrong: number = currentTime('A');
console.log(wrong);
