// Descriptors are numbers of the process: workers use those of others. With an argument, whether what a worker leaves
// open is closed with it.
const fs = require('fs');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

const told = (name, f) => {
  try {
    console.log(name, f());
  } catch (error) {
    console.log(name, error.code);
  }
};
const begin = (fd) => {
  const bytes = Buffer.alloc(14);
  return bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, 14, 0));
};

async function main() {
  for (const trackUnmanagedFds of [undefined, true, false]) {
    const given = fs.openSync(__filename);
    const worker = new Worker(__filename, { workerData: given, trackUnmanagedFds });
    const fds = await new Promise((resolve) => worker.once('message', resolve));
    console.log(fds.begin);
    told('of the worker', () => begin(fds.open));
    worker.postMessage('end');
    await new Promise((resolve) => worker.on('exit', resolve));
    told('given', () => begin(given));
    if (process.argv.length > 2 || trackUnmanagedFds === false) told('left open', () => begin(fds.open));
    told('closed by the worker', () => begin(fds.closed));
    if (trackUnmanagedFds === false) fs.closeSync(fds.open);
    fs.closeSync(given);
    told('closed', () => begin(given));
  }
}

if (isMainThread) {
  main();
} else {
  const closed = fs.openSync(__filename);
  const open = fs.openSync(__filename);
  fs.closeSync(closed);
  parentPort.postMessage({ begin: begin(workerData), open, closed });
  parentPort.once('message', () => {});
}
