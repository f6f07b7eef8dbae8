// Messages from thread to thread.
const { Worker, postMessageToThread, threadId } = require('worker_threads');
const failed = (error) => console.log(error.code, error.message);
(async () => {
  await postMessageToThread(threadId, 1).catch(failed);
  await postMessageToThread(99, 1).catch(failed);
  const worker = new Worker(`
    const { postMessageToThread, parentPort, threadId } = require('worker_threads');
    process.on('workerMessage', (value, source) => {
      parentPort.postMessage(['worker got', value, source]);
      if (value === 'end') parentPort.close();
    });
    parentPort.on('message', () => postMessageToThread(0, { from: threadId }).then(() => parentPort.postMessage('answered')));
    parentPort.postMessage('ready');
  `, { eval: true });
  worker.on('message', async (message) => {
    console.log(message);
    if (message === 'ready') worker.postMessage('go');
    else if (message === 'answered') {
      process.removeAllListeners('workerMessage');
      await postMessageToThread(worker.threadId, 'hi');
      await postMessageToThread(worker.threadId, 'end');
    }
  });
  worker.on('exit', (code) => {
    console.log('exit', code,);
    postMessageToThread(1, 'too late').catch(failed);
  });
  process.on('workerMessage', (value, source) => console.log('main got', value, source));
})();
