// An error in a worker of a worker of a worker reaches the first parent as what it was.
const { Worker, isMainThread, workerData } = require('worker_threads');
const { types } = require('util');

class Own extends RangeError {
  name = 'Own';
}
const kinds = {
  error: () => new Error('deep'),
  fields: () => Object.assign(new TypeError('with fields'), { code: 'ERR_X', extra: 5 }),
  own: () => new Own('mine'),
  cause: () => new Error('outer', { cause: new SyntaxError('inner') }),
  aggregate: () => new AggregateError([new Error('a')], 'several'),
  text: () => 'text',
  object: () => ({ a: 1 }),
};

function show(kind, error) {
  const first = error.stack.split('\n')[0];
  console.log(kind, Object.prototype.toString.call(error), error.constructor.name, error.name, error.message, first);
  console.log(' ', error instanceof Error, types.isNativeError(error), JSON.stringify(error), error.cause?.message, error.errors?.length);
}

async function main() {
  for (const kind of Object.keys(kinds)) {
    const worker = new Worker(__filename, { workerData: { kind, depth: 2 } });
    worker.on('error', (error) => show(kind, error));
    await new Promise((resolve) => worker.on('exit', resolve));
  }
}

if (isMainThread) main();
else if (workerData.depth > 0) new Worker(__filename, { workerData: { ...workerData, depth: workerData.depth - 1 } });
else throw kinds[workerData.kind]();
