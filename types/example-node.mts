/// <reference path="./hemiola.d.ts" />
// With the types of Node.
import { setTimeout as sleep, setInterval as every } from 'node:timers/promises';

const value: string = await sleep(10, 'v', { label: 'A', ref: false });
for await (const tick of every(10, 5, { label: 'A', signal: AbortSignal.timeout(50) })) console.log(tick + 1);
const unlabelled: NodeJS.Timeout = setTimeout((x: number) => console.log(x), 10, 5);
const labelled: NodeJS.Timeout = setTimeout((label: string, x: number) => console.log(label, x), 10, 'A', 5);
console.log(value, unlabelled.hasRef(), labelled.hasRef());

import { readFile, stat } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { lookup } from 'node:dns';
import { createSocket } from 'node:dgram';
import { execFile, spawn } from 'node:child_process';
readFile('file', (error, data) => console.log(error?.message, data.length), 'low');
readFile('file', { priority: 'background' }, (error, data) => console.log(error?.message, data.length));
readFile('file', 'utf8', (error, data) => console.log(error?.code, data.trim()));
stat('file', { priority: 'high' }, () => {});
request({ host: 'localhost', priority: 'high' });
createServer({ priority: 'high' }, (incoming, response) => response.end(incoming.url));
connect({ port: 1, priority: 'background' });
lookup('localhost', { priority: 'high' }, () => {});
createSocket({ type: 'udp4', priority: 'background' }).bind({ port: 0, priority: 'high' });
spawn('true', [], { priority: 'background' });
execFile('true', [], { priority: 'high' }, () => {});
// @ts-expect-error: there is no such level
request({ priority: 'urgent' });
