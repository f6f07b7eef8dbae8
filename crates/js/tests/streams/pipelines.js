// Every small pipeline with every stream failing, or closing too early, while any of the others never
// finish closing: whether and when the pipeline calls back. The output is Node 20's.
'use strict';

const { Readable, Writable, Transform, pipeline, promises } = require('stream');

function start(count, stuck, how, last) {
  const streams = [];
  for (let i = 0; i < count; i++) {
    const destroy = (error, done) => {
      if (!(stuck >> i & 1)) done(error);
    };
    if (i === 0) streams.push(new Readable({ read() {}, destroy }));
    else if (i === count - 1 && last === 'writable') streams.push(new Writable({ write(c, e, done) { done(); }, destroy }));
    else streams.push(new Transform({ transform(c, e, done) { done(); }, destroy }));
  }
  for (const stream of streams) stream.on('error', () => {});
  const parts = [...streams];
  if (last === 'function') parts.push(async (chunks) => { for await (const chunk of chunks); });
  if (last === 'generator') parts.push(async function* (chunks) { for await (const chunk of chunks) yield chunk; });

  let ticks = 0;
  let answer = 'never';
  const done = (error) => { answer = `${ticks} ${error && (error.code ?? error.message)}`; };
  const controller = new AbortController();
  if (how === 'abort') promises.pipeline(...parts, { signal: controller.signal }).then(done, done);
  else pipeline(...parts, done);
  return {
    go() {
      const [kind, index] = how.split(' ');
      if (kind === 'abort') controller.abort();
      else if (kind === 'end') streams[0].push(null);
      else streams[index].destroy(kind === 'error' ? new Error('x') : undefined);
      const tick = () => {
        if (++ticks < 30) process.nextTick(tick);
      };
      tick();
    },
    result: () => `${count} ${stuck.toString(2)} ${how} ${last}: ${answer}`,
  };
}

const all = [];
for (const last of ['writable', 'transform', 'function', 'generator']) {
  for (const count of [2, 3]) {
    const ways = ['abort', 'end'];
    for (let i = 0; i < count; i++) ways.push(`error ${i}`, `close ${i}`);
    for (let stuck = 0; stuck < 1 << count; stuck++) for (const how of ways) all.push([count, stuck, how, last]);
  }
}
function next() {
  const one = all.shift();
  if (one === undefined) return;
  const run = start(...one);
  setImmediate(() => {
    run.go();
    setImmediate(() => setImmediate(() => {
      console.log(run.result());
      next();
    }));
  });
}
next();
