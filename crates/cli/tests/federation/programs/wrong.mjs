// What a program can do wrong, and what it is told.
import { join, memory, mqtt, nats } from 'hemiola:federation';
import { clock } from 'hemiola:clock';

async function told(what, promise) {
  try {
    await promise();
    console.log(what, 'nothing');
  } catch (error) {
    console.log(what, error.code ?? error.name, error.message.split('\n')[0]);
  }
}
const transport = memory();
await told('no name', () => join());
await told('empty name', () => join('', { as: 'a', transport }));
await told('no options', () => join('plant'));
await told('no member', () => join('plant', { transport }));
await told('no transport', () => join('plant', { as: 'a' }));
await told('another transport', () => join('plant', { as: 'a', transport: 'tcp://x' }));
await told('half a transport', () => join('plant', { as: 'a', transport: {} }));
await told('mqtt of nothing', () => mqtt());
await told('nats of an object', () => nats({}));
await told('itself', () => join('plant', { as: 'a', transport, inputs: { a: {} } }));
await told('inputs', () => join('plant', { as: 'a', transport, inputs: 5 }));
await told('an input', () => join('plant', { as: 'a', transport, inputs: { b: 50 } }));
await told('maxWait', () => join('plant', { as: 'a', transport, inputs: { b: { maxWait: -1 } } }));
await told('maxWait NaN', () => join('plant', { as: 'a', transport, inputs: { b: { maxWait: NaN } } }));
await told('after', () => join('plant', { as: 'a', transport, after: -1 }));
await told('founders', () => join('plant', { as: 'a', transport, founders: 'b' }));
await told('liveness', () => join('plant', { as: 'a', transport, liveness: 0 }));
await told('period', () => join('plant', { as: 'a', transport, period: 0.5 }));
await told('aborted', () => join('plant', { as: 'a', transport, signal: AbortSignal.abort() }));
await told('alone', () => join('plant', { as: 'a', transport, founders: ['b'], signal: AbortSignal.timeout(50) }));
await told('cannot connect', () => join('plant', { as: 'a', transport: { connect() { throw new Error('no road'); } } }));
clock('plant/used').setTimeout(() => {}, 100);
await told('a label in use', () => join('plant', { as: 'used', transport }));

const plant = await join('plant', { as: 'a', transport });
await told('the same name', () => join('plant', { as: 'a', transport }));
await told('the same name elsewhere', () => join('plant', { as: 'a', transport: memory() }));
const circle = {};
circle.circle = circle;
for (const [what, ...args] of [
  ['no topic'], ['empty topic', ''], ['undefined', 't'], ['a function', 't', { f() {} }], ['not a number', 't', [NaN]],
  ['a date', 't', new Date(0)], ['a circle', 't', circle], ['bigint', 't', 5n], ['negative', 't', 1, { after: -1 }],
  ['a half', 't', 1, { after: 0.5 }], ['options', 't', 1, 5], ['fine', 't', { a: [1, 'x', null, true] }, { after: 5 }],
]) await told(what, () => plant.send(...args));
await told('handler', () => plant.on('t'));
await told('tardy', () => plant.tardy('t', 'x'));
await told('missing', () => plant.missing());
await told('expel', () => plant.expel('nobody'));
// What is no message of a member is counted, and nothing more.
const channel = new BroadcastChannel('hemiola:federation/plant');
for (const text of [
  'no JSON', {}, '5', '{"v":2,"k":"bye","f":"b","i":1,"n":0}', '{"v":1,"k":"state","f":"b","i":1}',
  '{"v":1,"k":"data","f":"b","i":1,"n":1,"a":[0,0],"d":[0],"t":"x","x":1,"z":0}', '{"v":1,"k":"toString","f":"b","i":1}',
]) channel.postMessage(text);
await new Promise((resolve) => { setTimeout(resolve, 20); });
channel.close();
console.log('unreadable', plant.report().unreadable);
const left = plant.leave();
await told('leaves twice', async () => { if (plant.leave() !== left) throw new Error('another promise'); });
await left;
await told('send after it has left', () => plant.send('t', 1));
await told('on', () => plant.on('t', () => {}));
await told('timer', () => plant.clock.setTimeout(() => {}, 1));
console.log(plant.report().sent);

const fast = await join('plant', { as: 'fast', transport, after: 20 });
await told('less than promised', () => fast.send('t', 1, { after: 19 }));
await fast.leave();

// The transport breaks.
let fail;
const broken = await join('broken', { as: 'a', transport: { connect(name, { failed }) { fail = failed; return { send() {}, close() {} }; } } });
process.once('uncaughtException', (error) => console.log('uncaught', error.code, error.message, error.cause.message));
fail(new Error('cable'));
await told('send on what is broken', () => broken.send('t', 1));
console.log('over');
