// Workers for `scripts/soak workers`: each is started, sent messages with memory that moves there and back, and ended;
// and how long a message takes there and back.
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { once } from 'node:events';

if (!isMainThread) {
  parentPort.on('message', (message) => parentPort.postMessage(message, [message.bytes.buffer]));
} else {
  let late = [];
  let count = 0;
  setInterval(() => {
    console.log(JSON.stringify({ late, count }));
    late = [];
    count = 0;
  }, 500);
  for (let round = 0; ; round++) {
    const worker = new Worker(new URL(import.meta.url));
    await once(worker, 'online');
    let bytes = new Uint8Array(1000 + round % 1000);
    for (let number = 0; number < 20; number++) {
      const began = performance.now();
      worker.postMessage({ number, text: 'x'.repeat(number), bytes }, [bytes.buffer]);
      const [answer] = await once(worker, 'message');
      ({ bytes } = answer);
      late.push(performance.now() - began);
      count++;
    }
    await worker.terminate();
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}
