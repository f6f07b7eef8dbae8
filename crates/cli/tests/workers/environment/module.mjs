import { parentPort, workerData, isMainThread } from 'node:worker_threads';
import path from 'node:path';
await null;
parentPort.postMessage([workerData, isMainThread, path.basename(process.argv[1]), import.meta.url.endsWith('/environment/module.mjs')]);
