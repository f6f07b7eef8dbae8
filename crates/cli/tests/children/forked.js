// fork: messages both ways, in both forms, and how a channel ends.
const cp = require('child_process');
const { inspect } = require('util');

const show = (value) => (value instanceof Error ? `${value.name}: ${value.message} ${value.cause}` : inspect(value, { depth: 5 }));
const ends = (child) => new Promise((resolve) => child.on('close', (...args) => resolve(args)));

const children = {
  echo() {
    process.on('message', (message) => (message === 'end' ? process.disconnect() : process.send(message)));
  },
  facts() {
    process.send({
      argv: process.argv.slice(3), execArgv: process.execArgv, connected: process.connected, send: typeof process.send,
      fd: process.env.NODE_CHANNEL_FD, mode: process.env.NODE_CHANNEL_SERIALIZATION_MODE, keys: Object.keys(process.env).includes('NODE_CHANNEL_FD'),
      channel: process.channel.constructor.name,
    });
  },
  // Nobody who does not listen is kept alive; who listened once is not, either.
  once() {
    process.once('message', (message) => { process.send(`once ${message}`); });
  },
  unreferenced() {
    process.on('message', () => {});
    process.channel.unref();
    process.send('alone');
  },
  disconnects() {
    process.on('disconnect', () => { console.log('child: disconnected', process.connected, process.channel); });
    process.send('now');
    process.disconnect();
    process.send('late', (error) => console.log('child:', error.code, error.message));
    process.once('error', (error) => console.log('child:', error.code));
    process.disconnect();
  },
  waits() {
    process.on('disconnect', () => { console.log('child: the parent is gone'); process.exit(7); });
    process.send('ready');
  },
  late() {
    // What came before somebody listened is not lost.
    process.channel.ref();
    setTimeout(() => process.on('message', (message) => { console.log('child: late', message); setImmediate(() => process.disconnect()); }), 50);
  },
  throws() { throw new Error('in the child'); },
  many() {
    let count = 0;
    process.on('message', ({ at, text }) => {
      if (at !== count++ || text.length !== 1000) throw new Error('out of order');
      if (count === 2000) process.send(count, () => process.disconnect());
    });
  },
  long() {
    process.on('message', (text) => { process.send(text + text, () => process.disconnect()); });
  },
};
const role = process.argv[2];
if (role !== undefined) children[role]();
else main();

function start(role, options, ...args) {
  return cp.fork(__filename, [role, ...args], options);
}

function values() {
  const cycle = { a: 1 };
  cycle.self = cycle;
  return [
    1, -1, 0.5, -0, NaN, Infinity, 2 ** 31, -(2 ** 31), 2 ** 53, 'abc', '', 'äöü', '日本', 'x日', true, false, null, undefined, 10n, -(2n ** 70n), 0n,
    [], [1, , 3], [1, 2, 3], Object.assign([1], { p: 1 }), {}, cycle, { 1: 2, b: [{}] }, new Map([[1, { x: 1 }], ['k', new Set([1, 2])]]), new Date(5),
    /a+/gi, Buffer.from('buf'), new Uint8Array([1, 2]), new Float64Array([1.5]), new BigInt64Array([5n]), new Uint8Array([7, 8]).buffer,
    new TypeError('tt'), new Error('e', { cause: 'c' }), Object('s'), Object(5), Object(true), Object(3n), [cycle, cycle], 'x'.repeat(300), '日'.repeat(100),
  ];
}

async function echoes(serialization, values) {
  const child = start('echo', { serialization });
  const got = [];
  for (const value of values) {
    child.send({ value });
    got.push((await new Promise((resolve) => child.once('message', resolve))).value);
  }
  child.send('end');
  console.log(serialization, got.map(show), await ends(child));
}

async function main() {
  await echoes('json', values().filter((value) => typeof value !== 'bigint' && !(value?.self) && !(value?.[0]?.self) && !(value instanceof BigInt) && !(value instanceof BigInt64Array)));
  await echoes('advanced', values());

  // CHILD-17.
  let child = start('facts', {}, 'x', 'y');
  console.log(child.connected, child.channel.constructor.name, child.stdio.length, child.stdin);
  child.on('message', (message, handle) => console.log(message, handle));
  child.on('disconnect', () => console.log('disconnect', child.connected, child.channel));
  console.log(await ends(child));

  // CHILD-22.
  child = start('once');
  child.send('hello', (error) => console.log('sent', error));
  child.on('message', (message) => console.log(message));
  console.log(await ends(child));

  child = start('unreferenced');
  child.on('message', (message) => console.log(message));
  console.log(await ends(child));

  // CHILD-21.
  child = start('disconnects', { silent: true });
  let told = '';
  child.stdout.on('data', (text) => { told += text; });
  child.on('message', (message) => console.log(message));
  console.log(await ends(child), told);

  child = start('waits', { silent: true });
  child.stdout.on('data', (text) => process.stdout.write(text));
  child.on('message', () => child.disconnect());
  // Node does not tell the end of the streams of a child that it has disconnected from itself.
  console.log(await new Promise((resolve) => child.on('exit', (...args) => resolve(args))));
  // CHILD-18 and CHILD-21: nobody is there any more.
  child.on('error', (error) => console.log(error.code, error.message));
  console.log(child.send('x'), child.send('x', (error) => console.log(error.code)));
  child.disconnect();
  await new Promise(setImmediate);

  // CHILD-19.
  child = start('late');
  child.send('early');
  console.log(await ends(child));

  child = start('throws', { silent: true });
  let said = '';
  child.stderr.on('data', (text) => { said += text; });
  console.log(await ends(child), said.includes('Error: in the child'));

  child = start('many');
  for (let at = 0; at < 2000; at++) child.send({ at, text: 'x'.repeat(1000) });
  child.on('message', (count) => console.log('many', count));
  console.log(await ends(child));

  child = start('long', { serialization: 'advanced' });
  child.send('y'.repeat(3e6));
  child.on('message', (text) => console.log('long', text.length));
  console.log(await ends(child));

  // CHILD-18.
  child = start('waits');
  for (const args of [[], [undefined], [Symbol('s')], [() => {}], [1n], ['x', {}], ['x', undefined, 1]]) {
    try { child.send(...args); } catch (error) { console.log(error.name, error.code, error.message); }
  }
  child.on('message', () => child.kill('SIGKILL'));
  console.log(await ends(child));

  // CHILD-17.
  for (const args of [[], [1], ['x', 1], ['x', [], 1], ['x', [], { stdio: ['pipe'] }], ['x', [], { stdio: 'wrong' }], ['x', [], { execArgv: ['\0'] }], ['a\0']]) {
    try { cp.fork(...args); } catch (error) { console.log(error.name, error.code, error.message); }
  }
}
