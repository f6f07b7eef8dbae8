/// <reference path="./hemiola.d.ts" />
// With the types of Node.
import { setTimeout as sleep, setInterval as every } from 'node:timers/promises';

const value: string = await sleep(10, 'v', { label: 'A', ref: false });
for await (const tick of every(10, 5, { label: 'A', signal: AbortSignal.timeout(50) })) console.log(tick + 1);
const unlabelled: NodeJS.Timeout = setTimeout((x: number) => console.log(x), 10, 5);
const labelled: NodeJS.Timeout = setTimeout((label: string, x: number) => console.log(label, x), 10, 'A', 5);
console.log(value, unlabelled.hasRef(), labelled.hasRef());
