// Bodies of responses: encoded, streamed, large, cancelled.
import http from 'node:http';
import zlib from 'node:zlib';
import { createHash } from 'node:crypto';

const text = 'compress me '.repeat(1000);
const encoders = {
  gzip: zlib.gzipSync, 'x-gzip': zlib.gzipSync, deflate: zlib.deflateSync, raw: zlib.deflateRawSync, br: zlib.brotliCompressSync,
};
const large = Buffer.alloc(3_000_000, 'abcdefghijklmnopqrstuvwxyz');
let gone;
const server = http.createServer((request, response) => {
  const [, kind, detail] = request.url.split('/');
  switch (kind) {
    case 'encoded':
      response.setHeader('content-encoding', detail === 'raw' ? 'deflate' : detail);
      return response.end(encoders[detail](text));
    case 'twice':
      response.setHeader('content-encoding', 'gzip, br');
      return response.end(zlib.brotliCompressSync(zlib.gzipSync(text)));
    case 'header':
      response.setHeader('content-encoding', decodeURIComponent(detail));
      return response.end('hello');
    case 'cut':
      response.setHeader('content-encoding', 'gzip');
      return response.end(zlib.gzipSync(text).subarray(0, 40));
    case 'chunks': {
      let n = 0;
      const step = () => { n < 5 ? response.write(`part ${n++};`, () => setImmediate(step)) : response.end(); };
      return step();
    }
    case 'large': return response.end(large);
    case 'endless': {
      response.on('close', () => gone());
      const fill = () => { while (response.write(large.subarray(0, 65536))); };
      response.on('drain', fill);
      return fill();
    }
    case 'status': return response.writeHead(Number(detail), 'Own Words').end();
    case 'echo': {
      response.writeHead(200, { 'content-type': request.headers['content-type'] ?? 'none' });
      return request.pipe(response);
    }
  }
  response.end(kind);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}`;

for (const name of Object.keys(encoders)) {
  const response = await fetch(`${base}/encoded/${name}`);
  console.log(name, response.headers.get('content-encoding'), (await response.text()) === text);
}
console.log('twice', (await (await fetch(`${base}/twice`)).text()) === text);
for (const header of ['identity', 'foo', 'gzip', 'gzip, foo', 'GZIP', 'a,b,c,d,e,f']) {
  try {
    const response = await fetch(`${base}/header/${encodeURIComponent(header)}`);
    console.log(header, await response.text());
  } catch ({ message, cause }) {
    console.log(header, message, cause.message, cause.code);
  }
}
console.log('cut', text.startsWith((await (await fetch(`${base}/cut`)).text())));
{
  const response = await fetch(`${base}/encoded/gzip`, { method: 'HEAD' });
  console.log(response.headers.get('content-encoding'), await response.text());
}
{
  let all = '';
  const decoder = new TextDecoder();
  for await (const chunk of (await fetch(`${base}/chunks`)).body) {
    if (!(chunk instanceof Uint8Array)) console.log('not bytes');
    all += decoder.decode(chunk, { stream: true });
  }
  console.log(all);
}
{
  const reader = (await fetch(`${base}/chunks`)).body.pipeThrough(new TextDecoderStream()).getReader();
  let all = '';
  for (let step = await reader.read(); !step.done; step = await reader.read()) all += step.value;
  console.log(all);
}
{
  const reader = (await fetch(`${base}/plain`)).body.getReader({ mode: 'byob' });
  const first = await reader.read(new Uint8Array(3));
  const second = await reader.read(new Uint8Array(10));
  const last = await reader.read(new Uint8Array(10));
  console.log(first, second, last);
}
{
  const bytes = await (await fetch(`${base}/large`)).arrayBuffer();
  console.log(bytes.byteLength, createHash('sha1').update(Buffer.from(bytes)).digest('hex') === createHash('sha1').update(large).digest('hex'));
  const response = await fetch(`${base}/large`);
  const copy = response.clone();
  const [one, two] = await Promise.all([response.blob(), copy.blob()]);
  console.log(one.size, two.size, one.type);
}
{
  const closed = new Promise((resolve) => { gone = resolve; });
  const response = await fetch(`${base}/endless`);
  const reader = response.body.getReader();
  const { value } = await reader.read();
  console.log(value.byteLength > 0);
  await reader.cancel();
  await closed;
  console.log('the server sees that nobody listens');
}
for (const status of [200, 201, 204, 205, 299, 304, 400, 404, 500, 599]) {
  const response = await fetch(`${base}/status/${status}`);
  console.log(response.status, response.statusText, response.ok, response.body === null, JSON.stringify(await response.text()));
}
{
  const form = new FormData();
  form.append('text', 'value\r\n--x');
  form.append('file', new File([large.subarray(0, 1000)], 'a.bin', { type: 'application/x' }));
  const back = await (await fetch(`${base}/echo`, { method: 'POST', body: form })).formData();
  console.log([...back.keys()], back.get('text'), back.get('file').name, back.get('file').type, back.get('file').size);
  const parameters = await (await fetch(`${base}/echo`, { method: 'POST', body: new URLSearchParams('a=1&b=2') })).formData();
  console.log([...parameters]);
  console.log(await (await fetch(`${base}/echo`, { method: 'POST', body: '{"a":[1,2]}' })).json());
  console.log(await (await fetch(`${base}/echo`, { method: 'POST', body: '{' })).json().catch((error) => error.name));
}
{
  // Both directions at once.
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  const response = await (writer.write(new TextEncoder().encode('first ')), fetch(`${base}/echo`, { method: 'POST', body: readable, duplex: 'half' }));
  const reader = response.body.getReader();
  const decode = async () => new TextDecoder().decode((await reader.read()).value);
  console.log(await decode());
  await writer.write(new TextEncoder().encode('second'));
  console.log(await decode());
  await writer.close();
  console.log(await reader.read());
}
console.log((await Promise.all(Array.from({ length: 20 }, async (_, i) => (await fetch(`${base}/n${i}`)).text()))).join());
{
  const url = URL.createObjectURL(new Blob(['abcdef'], { type: 'x/y' }));
  for (const range of [undefined, 'bytes=0-1', 'bytes=2-', 'bytes=-2', 'bytes=9-', 'bytes=3-2', 'bytes=-', 'bytes', 'bytes = 1 - 3', 'bytes=0-99']) {
    try {
      const response = await fetch(url, range === undefined ? {} : { headers: { range } });
      console.log(range, response.status, response.statusText, [...response.headers], await response.text());
    } catch ({ cause }) {
      console.log(range, cause.message);
    }
  }
  URL.revokeObjectURL(url);
  await fetch(url).catch(({ cause }) => console.log(cause.message));
}
const hash = createHash('sha256').update('plain').digest('base64');
for (const integrity of [`sha256-${hash}`, 'sha256-AAAA', 'md5-x', `sha512-AAAA sha256-${hash}`, `sha256-AAAA sha256-${hash}`]) {
  console.log(await fetch(`${base}/plain`, { integrity }).then((response) => response.text(), ({ cause }) => cause.message));
}
server.close();
server.closeAllConnections();
