// packages: zora@5.2.0 xstate@5.33.3 bottleneck@2.19.5 toad-scheduler@4.1.0
import { test as zora } from 'zora';
import { createMachine, createActor, assign, fromPromise } from 'xstate';
import Bottleneck from 'bottleneck';
import { ToadScheduler, SimpleIntervalJob, Task } from 'toad-scheduler';

const machine = createMachine({
  id: 'light', initial: 'green', context: { count: 0 },
  states: {
    green: { on: { TIMER: { target: 'yellow', actions: assign({ count: ({ context }) => context.count + 1 }) } } },
    yellow: { after: { 5: 'red' } },
    red: { invoke: { src: fromPromise(async () => 'loaded'), onDone: { target: 'done', actions: assign({ data: ({ event }) => event.output }) } } },
    done: { type: 'final' },
  },
});
const actor = createActor(machine);
actor.subscribe({ next: (snapshot) => console.log(snapshot.value, snapshot.context), complete: () => console.log('complete') });
actor.start();
actor.send({ type: 'TIMER' });
await new Promise((resolve) => setTimeout(resolve, 30));

const limiter = new Bottleneck({ maxConcurrent: 1, minTime: 3 });
console.log(await Promise.all([1, 2, 3].map((n) => limiter.schedule(async () => n * 2))), limiter.counts().DONE ?? 0);
const scheduler = new ToadScheduler();
let runs = 0;
await new Promise((resolve) => scheduler.addSimpleIntervalJob(new SimpleIntervalJob({ milliseconds: 3 }, new Task('t', () => { if (++runs === 3) { scheduler.stop(); resolve(); } }))));
console.log('runs', runs);
zora('zora', (t) => { t.equal([1], [1], 'equal'); t.ok(true); t.throws(() => { throw new Error('x'); }, 'throws'); });
