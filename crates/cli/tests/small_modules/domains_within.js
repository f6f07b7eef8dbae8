// Domains within domains: who hears of an error, and what is entered for whoever hears of it.
'use strict';
const domain = require('domain');
const EventEmitter = require('events');
const { AsyncResource } = require('async_hooks');

const [outer, inner, deaf] = [domain.create(), domain.create(), domain.create()];
const name = (one) => [[outer, 'outer'], [inner, 'inner'], [deaf, 'deaf']].find(([known]) => known === one)?.[1] ?? one;
const log = (who) => (error) => console.log(who, error.message, domain._stack.length, name(process.domain), name(error.domain), error.domainThrown);
outer.on('error', log('outer'));
inner.on('error', log('inner'));
process.on('uncaughtException', log('uncaught'));
const fail = (message) => () => { throw new Error(message); };

const steps = [
  () => outer.run(() => outer.run(fail('twice'))),
  () => outer.run(() => inner.run(() => inner.run(fail('three')))),
  () => inner.run(() => outer.run(() => inner.run(() => inner.run(fail('in turns'))))),
  () => outer.run(() => deaf.run(fail('passed on'))),
  () => deaf.run(fail('not heard')),
  () => outer.run(() => deaf.run(() => setTimeout(fail('the innermost only'), 1))),
  () => outer.run(() => deaf.run(() => process.nextTick(fail('a tick of the innermost')))),
  () => { const emitter = outer.run(() => new EventEmitter()); inner.run(() => emitter.emit('error', new Error('emitted'))); },
  () => { const emitter = deaf.run(() => new EventEmitter()); outer.run(() => emitter.emit('error', new Error('emitted, not heard'))); },
  () => outer.run(() => inner.bind(fail('bound'))()),
  () => outer.run(() => inner.intercept(() => {})(new Error('intercepted'))),
  () => {
    try { outer.run(fail('caught')); } catch { console.log('caught', domain._stack.length); }
    throw new Error('still within');
  },
  () => { outer.enter(); inner.enter(); outer.exit(); console.log('both left', domain._stack.length, process.domain); },
  () => outer.run(() => new AsyncResource('Resource').runInAsyncScope(() => inner.run(fail('in a resource')))),
  () => outer.run(() => console.log('resource', new AsyncResource('Resource').domain === outer)),
  () => {
    const throwing = domain.create();
    throwing.on('error', (error) => { throw new Error(`again ${error.message}`); });
    outer.run(() => throwing.run(fail('first')));
  },
  () => console.log('process', Object.hasOwn(process, 'domain')),
];
let at = 0;
const interval = setInterval(() => {
  const step = steps[at++];
  if (step === undefined) clearInterval(interval);
  else step();
}, 20);
