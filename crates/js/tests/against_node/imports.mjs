// Named exports of built-in modules.
import process, { hrtime, memoryUsage, env, stdout, kill, pid, exit, nextTick, argv, cwd, emitWarning, version, getuid } from 'node:process';
console.log(typeof hrtime.bigint, typeof memoryUsage, env === process.env, stdout === process.stdout, pid === process.pid, typeof exit, process === globalThis.process);
import { createHash, randomUUID, webcrypto } from 'node:crypto'; import { performance, PerformanceObserver } from 'perf_hooks'; import { AsyncLocalStorage } from 'async_hooks'; import { tap } from 'node:test/reporters'; import c from 'constants'; import { isatty } from 'tty'; import { channel } from 'diagnostics_channel'; import con from 'console';
console.log(createHash('md5').digest('hex'), randomUUID().length, webcrypto === crypto, performance === globalThis.performance, typeof AsyncLocalStorage, typeof tap, c.SIGTERM, isatty(9), con === console);
