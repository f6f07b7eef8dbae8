// packages: pino@10.4.0
import pino from 'pino';
import { Writable } from 'node:stream';

const lines = [];
const sink = new Writable({ write(chunk, encoding, done) { lines.push(chunk.toString()); done(); } });
const log = pino({ base: { app: 'test' }, timestamp: () => ',"time":0', redact: ['user.password', '*.token'], serializers: { error: pino.stdSerializers.err } }, sink);
log.info('plain');
log.info({ user: { name: 'ada', password: 'x' }, a: { token: 't' } }, 'with %s and %d', 'text', 7);
log.child({ module: 'child' }, { level: 'debug' }).debug({ list: [1, 2] }, 'deeper');
log.trace('never');
log.level = 'trace';
log.trace('now');
log.error(new TypeError('as asked'));
console.log(lines.map((line) => JSON.parse(line)).map((line) => (line.err ? { ...line, err: { ...line.err, stack: line.err.stack.split('\n')[0] } } : line)));
console.log(pino.levels, log.isLevelEnabled('info'), log.bindings());

// To standard output by descriptor, synchronously.
const direct = pino({ base: null, timestamp: false }, pino.destination({ dest: 1, sync: true }));
direct.warn({ direct: true }, 'to standard output');
direct.flush();
const several = pino({ base: null, timestamp: false }, pino.multistream([{ stream: process.stdout }, { level: 'error', stream: sink }]));
several.info('one');
several.error('two');
console.log(lines.at(-1).trim());
