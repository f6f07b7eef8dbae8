// packages: axios@1.21.1 got@14.6.6 ky@1.14.3 node-fetch@3.3.2 form-data@4.0.6
// Clients of HTTP, each in its own way, against a server in the same program.
import http from 'node:http';
import { Readable } from 'node:stream';
import { once } from 'node:events';
import axios from 'axios';
import got from 'got';
import ky from 'ky';
import nodeFetch, { FormData as NodeFetchFormData } from 'node-fetch';
import FormDataPackage from 'form-data';

let failures = 0;
const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
    const url = new URL(request.url, 'http://h');
    switch (url.pathname) {
      case '/redirect': return response.writeHead(302, { location: '/echo?redirected' }).end();
      case '/status': return response.writeHead(Number(url.searchParams.get('code'))).end('status body');
      case '/slow': return undefined;
      case '/flaky': if (++failures % 3 !== 0) return response.writeHead(503).end();
    }
    const { accept, 'content-type': type, 'user-agent': agent, 'x-test': test } = request.headers;
    response.setHeader('content-type', 'application/json');
    response.end(hide(JSON.stringify({ method: request.method, url: request.url, type, agent, accept, test, body: Buffer.concat(chunks).toString() })));
  });
});
// Boundaries of forms are random, and versions change.
function hide(text) {
  return text.replace(/-+(?:form-data-encoder-|axios-\d+\.\d+\.\d+-boundary-|formdata-undici-)?[-\w]{16,}/g, '---').replace(/boundary=[-.\w]+/g, 'boundary').replace(/\/\d+\.\d+\.\d+/g, '/V');
}
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${server.address().port}`;
const soon = () => { const controller = new AbortController(); setTimeout(() => controller.abort(), 20); return controller.signal; };
const size = async (stream) => { let sum = 0; for await (const chunk of stream) sum += chunk.length; return sum > 10; };

console.log('# axios');
console.log((await axios.get(`${base}/a`, { params: { q: 'é x', list: [1, 2] }, headers: { 'x-test': 'h' } })).data);
console.log((await axios.post(`${base}/b`, { hello: 'world' })).data);
console.log((await axios.post(`${base}/b`, new URLSearchParams({ a: 'b' }))).data);
console.log((await axios.postForm(`${base}/b`, { a: 'b', 'c[]': [1, 2] })).data);
console.log((await axios.get(`${base}/redirect`)).data.url);
await axios.get(`${base}/status?code=500`).catch((error) => console.log(error.name, error.code, error.response.status, error.response.data, error.message));
await axios.get('http://127.0.0.1:4/').catch((error) => console.log(error.code, error.message));
await axios.get(`${base}/slow`, { timeout: 50 }).catch((error) => console.log(error.code, error.message));
await axios.get(`${base}/slow`, { signal: soon() }).catch((error) => console.log(error.name, error.code, axios.isCancel(error)));
const api = axios.create({ baseURL: base, headers: { 'x-test': 'instance' } });
api.interceptors.request.use((config) => { config.headers.set('x-test', 'intercepted'); return config; });
api.interceptors.response.use((response) => { response.data.extra = true; return response; });
console.log((await api.put('/put', 'text', { responseType: 'json' })).data);
console.log((await axios.get(`${base}/a`, { adapter: 'fetch' })).data.url);
console.log((await axios.post(`${base}/b`, { over: 'fetch' }, { adapter: 'fetch' })).data.body);
console.log(await size((await axios.get(`${base}/stream`, { responseType: 'stream' })).data));
console.log((await axios.get(`${base}/bytes`, { responseType: 'arraybuffer' })).data.constructor.name);

console.log('# got');
console.log(await got(`${base}/a`, { searchParams: { q: 'x' } }).json());
console.log(await got.post(`${base}/b`, { json: { a: 1 } }).json());
console.log(await got.post(`${base}/b`, { form: { a: 1 } }).json());
console.log((await got(`${base}/redirect`).json()).url);
await got(`${base}/status?code=404`).catch((error) => console.log(error.name, error.code, error.response.statusCode));
await got('http://127.0.0.1:4/', { retry: { limit: 0 } }).catch((error) => console.log(error.name, error.code));
await got(`${base}/slow`, { timeout: { request: 50 }, retry: { limit: 0 } }).catch((error) => console.log(error.name, error.code));
console.log((await got(`${base}/flaky`, { retry: { limit: 3, calculateDelay: ({ computedValue }) => computedValue && 1 } }).json()).url);
console.log(await size(got.stream(`${base}/s`)));
const form = new FormData();
form.append('a', 'b');
console.log((await got.post(`${base}/f`, { body: form }).json()).body);

console.log('# ky');
console.log(await ky(`${base}/a`, { searchParams: { q: 'x' } }).json());
console.log(await ky.post(`${base}/b`, { json: { a: 1 } }).json());
await ky(`${base}/status?code=404`).catch((error) => console.log(error.name, error.response.status, error.message.replace(/:\d+/, '')));
await ky(`${base}/slow`, { timeout: 50, retry: 0 }).catch((error) => console.log(error.name));
console.log((await ky(`${base}/flaky`, { retry: { limit: 3, delay: () => 1 } }).json()).url);

console.log('# node-fetch');
console.log(await (await nodeFetch(`${base}/a`)).json());
console.log(await (await nodeFetch(`${base}/b`, { method: 'POST', body: JSON.stringify({ x: 1 }), headers: { 'content-type': 'application/json', 'x-test': 'y' } })).json());
const response = await nodeFetch(`${base}/redirect`);
console.log(response.redirected, response.status, new URL(response.url).pathname, (await response.json()).url);
const other = new NodeFetchFormData();
other.set('a', 'b');
other.set('file', new Blob(['content']), 'n.txt');
console.log(await (await nodeFetch(`${base}/f`, { method: 'POST', body: other })).json());
await nodeFetch('http://127.0.0.1:4/').catch((error) => console.log(error.name, error.code, error.message));
await nodeFetch(`${base}/slow`, { signal: soon() }).catch((error) => console.log(error.name, error.type));
console.log(await size((await nodeFetch(`${base}/c`)).body));

console.log('# form-data');
const pieces = new FormDataPackage();
pieces.append('a', '1');
pieces.append('b', Buffer.from('bytes'), { filename: 'b.txt', contentType: 'x/y' });
pieces.append('s', Readable.from(['st', 'ream']), { filename: 's' });
const answer = await new Promise((resolve, reject) => pieces.submit(`${base}/form`, (error, message) => (error ? reject(error) : resolve(message))));
console.log(answer.statusCode, JSON.parse((await answer.toArray()).join('')));
server.close();
server.closeAllConnections();
