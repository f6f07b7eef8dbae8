// Errors of a domain go to it, whatever callback throws them; so do errors of its emitters.
'use strict';
const domain = require('domain');
const EventEmitter = require('events');

console.log(process.domain, domain.active, domain._stack.length);
const d = domain.create();
console.log(d instanceof EventEmitter, d instanceof domain.Domain, d.members.length);
d.on('error', (error) => console.log('caught', error.message, error.domain === d, error.domainThrown, error.domainEmitter === undefined, process.domain === d));

const steps = [
  () => d.run(() => setTimeout(() => { console.log('timer', process.domain === d); throw new Error('timer'); }, 1)),
  () => d.run(() => process.nextTick(() => { throw new Error('tick'); })),
  () => d.run(() => setImmediate(() => { throw new Error('immediate'); })),
  () => d.run(() => { Promise.resolve().then(() => console.log('promise', process.domain === d)); }),
  () => d.run(() => require('fs').readFile('/there/is/none', (error) => { throw error; })),
  () => d.run(() => { throw new Error('at once'); }),
  () => d.run(() => {
    const emitter = new EventEmitter();
    console.log('emitter', emitter.domain === d, Object.keys(emitter));
    setTimeout(() => emitter.emit('error', new Error('emitted')), 1);
  }),
  () => console.log('outside', process.domain == null, d.run((a, b) => a + b, 1, 2)),
  () => d.bind((x) => { throw new Error(`bound ${x}`); })(1),
  () => {
    const f = d.intercept((x) => console.log('got', x, process.domain === d));
    f(null, 2);
    f(new Error('intercepted'));
  },
  () => {
    const emitter = new EventEmitter();
    d.add(emitter);
    console.log(d.members.length, emitter.domain === d);
    emitter.emit('error', new Error('added'));
    d.remove(emitter);
    console.log(d.members.length, emitter.domain);
  },
  () => {
    const other = domain.createDomain();
    other.enter();
    console.log(process.domain === other, domain.active === other, domain._stack.length);
    other.exit();
    console.log(domain._stack.length);
  },
  () => {
    try {
      process.setUncaughtExceptionCaptureCallback(() => {});
    } catch (error) {
      console.log(error.code);
    }
  },
];
let at = 0;
const interval = setInterval(() => {
  const step = steps[at++];
  if (step === undefined) clearInterval(interval);
  else step();
}, 200);
