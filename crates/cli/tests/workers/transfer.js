// Blobs are copied, signals and open files change hands: within a program, and to a worker and back.
const { Worker, isMainThread, parentPort, workerData, MessageChannel, receiveMessageOnPort } = require('worker_threads');
const { open } = require('fs').promises;
const util = require('util');

const attempt = async (name, act) => {
  try {
    console.log(name, await act());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const posted = (value, list) => {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(value, list);
  port1.close();
  return receiveMessageOnPort(port2).message;
};

async function within() {
  for (const [name, copy] of [['cloned', structuredClone], ['posted', posted]]) {
    const options = (list) => (copy === posted ? list : { transfer: list });
    const blob = new Blob(['abc', new Uint8Array([100])], { type: 'text/plain' });
    await attempt(`${name} blob`, async () => [copy(blob), copy(blob) === blob, await copy(blob).text()]);
    await attempt(`${name} part of a blob`, async () => copy({ part: blob.slice(1, 3) }).part.text());
    await attempt(`${name} blob twice`, () => { const { a, b } = copy({ a: blob, b: blob }); return a === b; });
    await attempt(`${name} plain signal`, () => copy(new AbortController().signal));
    await attempt(`${name} plain signal, listed`, () => { const { signal } = new AbortController(); return copy(signal, options([signal])); });
    const { signal } = util.transferableAbortController();
    await attempt(`${name} signal`, () => copy(signal));
    await attempt(`${name} signal, listed`, () => copy(signal, options([signal])));
    const handle = await open(__filename);
    await attempt(`${name} file`, () => copy(handle));
    let other;
    await attempt(`${name} file, listed`, () => { other = copy(handle, options([handle])); return [other.constructor.name, other.fd > 2, handle.fd]; });
    await attempt(`${name} file, read`, async () => `${(await other.read(Buffer.alloc(8), 0, 8, 0)).buffer}`);
    await attempt(`${name} file, read before`, () => handle.read(Buffer.alloc(8)));
    await other.close();
    await attempt(`${name} file, closed`, () => copy(other, options([other])));
  }
}

async function aborted() {
  const controller = util.transferableAbortController();
  const copy = structuredClone(controller.signal, { transfer: [controller.signal] });
  const heard = new Promise((resolve) => copy.addEventListener('abort', ({ isTrusted }) => resolve(isTrusted)));
  // The port between them keeps no program alive.
  const alive = setInterval(() => {}, 1000);
  controller.abort(new TypeError('why'));
  console.log(copy.aborted, await heard, copy.aborted, copy.reason.constructor.name, copy.reason.message);
  clearInterval(alive);
  console.log(structuredClone(controller.signal, { transfer: [controller.signal] }).aborted);
}

async function toWorker() {
  const controller = util.transferableAbortController();
  const handle = await open(__filename);
  const worker = new Worker(__filename, {
    workerData: { signal: controller.signal, blob: new Blob(['hello'], { type: 'a/b' }), handle }, transferList: [controller.signal, handle],
  });
  const told = [];
  worker.on('message', (message) => {
    told.push(message);
    if (message === 'ready') controller.abort('from the parent');
  });
  await new Promise((resolve) => worker.on('exit', resolve));
  for (const one of told) {
    if (one instanceof Blob) console.log(one, await one.text());
    else if (one.fd === undefined) console.log(one);
    else console.log(one.constructor.name, (await one.readFile('utf8')).length > 1000, await one.close());
  }
  console.log(handle.fd);
}

async function inWorker({ signal, blob, handle }) {
  parentPort.postMessage([signal.constructor.name, signal.aborted, blob.constructor.name, blob.type, await blob.text(), handle.fd > 2]);
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  const alive = setInterval(() => {}, 1000);
  parentPort.postMessage('ready');
  await aborted;
  clearInterval(alive);
  parentPort.postMessage([signal.aborted, signal.reason, `${(await handle.read(Buffer.alloc(8), 0, 8, 0)).buffer}`]);
  parentPort.postMessage(new Blob([blob, ' and back'], { type: 'c/d' }));
  parentPort.postMessage(handle, [handle]);
}

if (isMainThread) within().then(aborted).then(toWorker);
else inWorker(workerData);
