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

import { bindCausal, bindLink, causeChain, current, label, linkChain, unpack } from 'hemiola:context';
label('main');
const bound = bindCausal(bindLink((a: number, b: string) => a + b.length));
const sum: number = unpack(bound)(1, 'x');
const first: number = linkChain()[0]?.index ?? causeChain().length;
console.log(sum, first, current().label, current().link);
const user = new AsyncContext.Variable<string>({ name: 'user', defaultValue: 'nobody' });
const length: number = user.run('ann', (more: number) => (user.get() ?? '').length + more, 1);
const wrapped: (n: number) => string = AsyncContext.Snapshot.wrap((n: number) => String(n));
console.log(length, wrapped(2), new AsyncContext.Snapshot().run(() => user.name));
// @ts-expect-error: only a function is bound
bindLink(5);
// @ts-expect-error: a callback is unpacked once it is bound
unpack(() => {});

import { currentLevel, resourceEstimate, runTask, withLevel, type Level, type Usage } from 'hemiola:tasks';
const level: Level = currentLevel();
const length3: number = withLevel('background', (text: string) => text.length, 'abc');
const disk: Usage | undefined = resourceEstimate(() => {})?.disk;
console.log(level, length3, disk?.inclusive.mean, resourceEstimate()?.time.exclusive.stdev, runTask(() => {}, level).cancel());
void a.sleep(1, { priority: 'high' });
// @ts-expect-error: there is no such level
withLevel('urgent', () => {});

import { join, memory, mqtt, nats, type Federation, type Report, type Tag, type Transport } from 'hemiola:federation';
const road: Transport = memory();
async function member(): Promise<void> {
  const plant: Federation = await join('plant', {
    as: 'controller', transport: road, inputs: { 'sensor-1': { maxWait: 50 }, 'sensor-2': {} }, founders: ['sensor-1'],
    after: 20, period: 500, liveness: 2000, signal,
  });
  const handler: Watch = plant.on('celsius', (value: number, { from, tag }) => {
    const at: Tag = tag;
    plant.send('heater', { from, on: value < 20, list: [1, null, 'x'] }, { after: 20 + at.microstep });
  });
  plant.tardy('celsius', (value, { late, clock: { time } }) => console.log(value, late.toFixed(), time));
  plant.missing((name, { silent }) => { if (silent > 10_000) plant.expel(name); });
  await plant.clock.sleep(10);
  handler.remove();
  const report: Report = plant.report();
  console.log(report.inputs['sensor-1']?.clock?.error, report.inputs['sensor-1']?.latency.mean);
  await plant.leave();
}
void member();
console.log(mqtt({}), nats({}));
const own: Transport = { connect: (name, { receive }) => ({ send: (text) => receive(name + text), close() {} }) };
console.log(own);
// @ts-expect-error: a member has a name
void join('plant', { transport: road });
// @ts-expect-error: there is no such transport
void join('plant', { as: 'a', transport: 'tcp' });

import type { Expected, Fleet, Host } from 'hemiola:fleet';
const room: Host = { program: { file: 'room.js', args: [1], env: { ROOM: 1 }, restart: 'never', mayFail: true }, clock: { offset: '-2s', drift: 100, steps: [{ at: '1m', by: -500 }] } };
const come: Expected = { host: 'a', obs: 'warm' };
const fleet = {
  hosts: { a: room, b: { programs: ['control.js'], disk: 'data' } },
  link: { latency: '1ms..20ms', loss: 0.01, doubled: 0, bandwidth: 1e6 },
  links: [{ between: ['a', 'b'], latency: 5 }, { from: 'a', to: 'b' }],
  faults: { crash: '2/h', schedule: ['cut a at 3s'] },
  invariant: 'invariant.js',
  eventually: [come, 'done', 3],
  until: '10m',
} satisfies Fleet;
const listed: Fleet = { hosts: [{ name: 'a', program: 'room.js' }], faults: ['pause a at 2s'] };
console.log(fleet, listed);
// @ts-expect-error: a program has a file
const nothing: Fleet = { hosts: { a: { program: { args: ['x'] } } } };
console.log(nothing);
