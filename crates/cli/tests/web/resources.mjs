// fetch leaves an entry for `performance` when a response has ended, or when there will be none: with its time and its
// sizes, whatever became of it, but only over HTTP.
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { once } from 'node:events';

const packed = gzipSync('a'.repeat(1000));
const server = createServer((request, response) => {
  const { url } = request;
  if (url === '/moved') response.writeHead(302, { location: '/cut' }).end();
  else if (url === '/round') response.writeHead(302, { location: '/round' }).end();
  else if (url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  else if (url === '/none') response.writeHead(204).end();
  else if (url === '/proxy') response.writeHead(407).end();
  else if (url === '/cut') request.socket.destroy();
  else response.writeHead(201).end('abc');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${server.address().port}`;

// Those that come get told, one by one.
let next = withResolvers();
function withResolvers() {
  const all = {};
  all.promise = new Promise((resolve) => { all.resolve = resolve; });
  return all;
}
new PerformanceObserver((list) => {
  next.resolve(list.getEntries());
  next = withResolvers();
}).observe({ entryTypes: ['resource'] });

async function show(path, init = {}) {
  const { promise } = next;
  const before = performance.now();
  const sent = fetch(base + path, init);
  const after = performance.now();
  let end;
  try {
    end = (await (await sent).text()).length;
  } catch (error) {
    end = error.message;
  }
  const [entry, ...more] = await promise;
  const { startTime, redirectStart, redirectEnd, fetchStart, requestStart, responseStart, responseEnd, duration } = entry;
  const size = entry.encodedBodySize === packed.length ? 'packed' : entry.encodedBodySize;
  console.log(init.method ?? 'GET', entry.name.slice(base.length), end, entry.entryType, entry.initiatorType, more.length);
  console.log('  sizes', size, entry.decodedBodySize, entry.transferSize === entry.encodedBodySize + 300);
  console.log('  redirected', redirectStart > 0, redirectEnd > 0, redirectEnd === 0 || redirectEnd === fetchStart, fetchStart >= startTime);
  console.log('  times', startTime >= Math.floor(before), Math.floor(startTime) <= after, requestStart >= fetchStart,
    responseStart > 0, responseEnd >= responseStart, duration === responseEnd - startTime);
  const { domainLookupStart, domainLookupEnd, connectStart, connectEnd } = entry;
  console.log('  connection', [domainLookupStart, domainLookupEnd, connectStart, connectEnd].every((time) => time === fetchStart));
}

await show('/text?a#b');
await show('/text', { method: 'POST', body: 'abc' });
await show('/text', { method: 'HEAD' });
await show('/none');
await show('/packed');
await show('/cut');
await show('/moved');
await show('/moved', { redirect: 'error' });
await show('/round');
await show('/proxy');
console.log(performance.getEntriesByType('resource').map(({ name }) => name.slice(base.length)).join(' '));
performance.clearResourceTimings();

// None of these gets anywhere, or is not HTTP.
for (const url of ['http://127.0.0.1:1/', 'data:text/plain,abc', 'data:nothing', 'about:blank', URL.createObjectURL(new Blob(['abc']))]) {
  await fetch(url).then((response) => response.text()).catch(() => {});
}
await fetch(base, { signal: AbortSignal.abort() }).catch(() => {});
await fetch(`${base}/text`, { integrity: 'sha256-AAAA' }).catch(() => {});
const stop = new AbortController();
const stopped = fetch(base, { signal: stop.signal });
stop.abort();
await stopped.catch(() => {});
await show('/last');
console.log(performance.getEntriesByType('resource').map(({ name }) => name.slice(base.length)).join(' '));
server.close();
server.closeAllConnections();
