// What a server sees of fetch, and what comes back.
import http from 'node:http';

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, rawHeaders } = request;
    response.setHeader('X-Twice', ['1', '2']);
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString() }));
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}`;
const hide = (text) => text.replaceAll(base.slice(7), 'HOST').replace(/undici-\d+/g, 'undici-N');

async function show(label, path, options) {
  const response = await fetch(base + path, options);
  console.log(label, response.status, hide(JSON.stringify(await response.json())));
}
await show('plain', '/a/b?c=d#e');
await show('no path', '');
await show('headers', '/', { headers: { 'X-One': '1', 'x-two': '2', 'X-ONE': '3' } });
await show('pairs', '/', { headers: [['X-One', '1'], ['x-one', '2'], ['cookie', 'a=b'], ['cookie', 'c=d']] });
await show('own', '/', { headers: { accept: 'text/x', 'User-Agent': 'me', 'Accept-Language': 'de', 'accept-encoding': 'gzip', host: 'other' } });
for (const method of ['POST', 'put', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE']) await show(method, '/', { method });
for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'REPORT']) await show(method, '/', { method, body: 'body' });
await show('empty', '/', { method: 'POST', body: '' });
await show('empty delete', '/', { method: 'DELETE', body: '' });
await show('text', '/', { method: 'POST', body: 'grüße' });
await show('bytes', '/', { method: 'POST', body: new Uint8Array([65, 66]) });
await show('view', '/', { method: 'POST', body: new DataView(new Uint8Array([65, 66, 67, 68]).buffer, 1, 2) });
await show('buffer', '/', { method: 'POST', body: new Uint8Array([65, 66]).buffer });
await show('blob', '/', { method: 'POST', body: new Blob(['a', 'b'], { type: 'x/y' }) });
await show('parameters', '/', { method: 'POST', body: new URLSearchParams({ a: 'b c', d: 'é' }) });
const form = new FormData();
form.append('a', '1');
form.append('f', new File(['content'], 'name.txt', { type: 'text/plain' }));
await show('form', '/', { method: 'POST', body: form });
const stream = (...chunks) => new ReadableStream({ pull(controller) { chunks.length ? controller.enqueue(new TextEncoder().encode(chunks.shift())) : controller.close(); } });
await show('stream', '/', { method: 'POST', duplex: 'half', body: stream('one', 'two', 'three') });
await show('empty stream', '/', { method: 'POST', duplex: 'half', body: stream() });
await show('stream with length', '/', { method: 'POST', duplex: 'half', body: stream('one'), headers: { 'content-length': '3' } });
await show('generator', '/', { method: 'POST', duplex: 'half', body: (async function* () { yield 'x'; yield Buffer.from('y'); })() });
await show('object', '/', { method: 'POST', body: { toString: () => 'text of it' } });
await show('request', '/', new Request('http://h/', { method: 'PUT', body: 'x', headers: { a: 'b' } }));
{
  const request = new Request(`${base}/r`, { method: 'POST', body: 'of a request', headers: { 'X-A': 'b' } });
  const copy = request.clone();
  console.log('request', hide(await (await fetch(request)).text()), request.bodyUsed, copy.bodyUsed);
  console.log('changed', hide(await (await fetch(copy, { method: 'PUT', headers: { 'X-B': 'c' } })).text()), copy.bodyUsed);
  await fetch(request).catch((error) => console.log(error.message));
}
for (const cache of ['no-store', 'no-cache', 'reload', 'force-cache']) await show(cache, '/', { cache });
await show('condition', '/', { headers: { 'if-none-match': 'x' } });
await show('range', '/', { headers: { range: 'bytes=0-1' } });
await show('referrer', '/', { referrer: 'http://other.example/page?q#h' });
for (const referrerPolicy of ['origin', 'unsafe-url', 'same-origin', 'strict-origin', 'origin-when-cross-origin']) {
  await show(referrerPolicy, '/', { referrer: 'http://u:p@other.example/page?q#h', referrerPolicy });
}
await show('referrer of its own', '/', { referrer: `${base}/page?q#h` });
for (const mode of ['no-cors', 'same-origin']) await show(mode, '/', { mode });
await show('close', '/', { headers: { connection: 'close' } });
{
  const response = await fetch(`${base}/x#y`, { method: 'HEAD' });
  console.log(response.status, response.body, JSON.stringify(await response.text()), hide(response.url));
}
{
  const response = await fetch(base);
  console.log([...response.headers].filter(([name]) => name !== 'date').map(hide2), response.headers.getSetCookie());
  try { response.headers.set('a', 'b'); } catch (error) { console.log(error.message); }
  console.log(response.type, response.ok, response.redirected, response.statusText, response.bodyUsed, response.body.locked);
  const copy = response.clone();
  console.log((await response.text()).length === (await copy.text()).length, response.bodyUsed, copy.bodyUsed, hide(copy.url) === 'http://HOST/');
}
function hide2([name, value]) { return [name, name === 'content-length' ? '' : value]; }
for (const headers of [{ 'transfer-encoding': 'chunked' }, { 'keep-alive': 'x' }, { upgrade: 'x' }, { expect: 'x' }, { connection: 'x' }, { 'content-length': 'x' }]) {
  await fetch(base, { headers }).catch(({ message, cause }) => console.log(message, cause.name, cause.code, cause.message));
}
server.close();
server.closeAllConnections();
