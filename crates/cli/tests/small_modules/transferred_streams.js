// Streams change hands: within a thread, to a worker and back.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const attempt = (f) => { try { return f(); } catch (e) { return `${e.name} ${e.code}: ${e.message}`; } };
const move = (stream) => structuredClone(stream, { transfer: [stream] });
const of = (...chunks) => new ReadableStream({ start(it) { chunks.forEach((one) => it.enqueue(one)); it.close(); } });

async function within() {
  const numbers = of(1, { two: 2 });
  const moved = move(numbers);
  console.log(numbers.locked, moved instanceof ReadableStream, moved !== numbers);
  for await (const chunk of moved) console.log(chunk);

  const written = [];
  let end;
  const ended = new Promise((resolve) => { end = resolve; });
  const sink = new WritableStream({ write(chunk) { written.push(chunk); }, close() { end(); } });
  const writer = move(sink).getWriter();
  writer.write('a');
  writer.write('b');
  writer.close();
  await ended;
  console.log(sink.locked, written);

  const doubling = new TransformStream({ transform(chunk, it) { it.enqueue(chunk + chunk); } });
  const { readable, writable } = move(doubling);
  of('x', 'y').pipeTo(writable);
  for await (const chunk of readable) console.log(chunk);

  const failing = move(new ReadableStream({ start(it) { it.error(new RangeError('it failed')); } }));
  await failing.getReader().read().catch((e) => console.log(e.name, e.message));
  const cancelled = new Promise((resolve) => { move(new ReadableStream({ cancel: resolve })).cancel('enough'); });
  console.log(await cancelled);

  const reading = new ReadableStream();
  reading.getReader();
  const sides = new TransformStream();
  console.log([
    () => structuredClone(new ReadableStream()), () => structuredClone(new WritableStream()), () => structuredClone(new TransformStream()),
    () => move(reading), () => structuredClone([sides.readable, sides], { transfer: [sides.readable, sides] }),
  ].map(attempt));
}

async function there() {
  const worker = new Worker(__filename);
  const [words, both] = [of('one', 'two'), new TransformStream({ transform(chunk, it) { it.enqueue(`${chunk}!`); } })];
  worker.postMessage({ words, both }, [words, both]);
  const { back } = await new Promise((resolve) => { worker.once('message', resolve); });
  for await (const chunk of back) console.log('back', chunk);
  await worker.terminate();
}

// Node's ports keep nothing alive here.
const awake = isMainThread ? setInterval(() => {}, 1000) : undefined;
if (isMainThread) within().then(there).then(() => clearInterval(awake));
else parentPort.once('message', ({ words, both }) => {
  const back = words.pipeThrough(both);
  parentPort.postMessage({ back }, [back]);
});
