// Going where a server sends.
import http from 'node:http';

let connections = 0;
const listen = (handler) => new Promise((resolve) => {
  const server = http.createServer(handler);
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1', () => resolve([server, `http://127.0.0.1:${server.address().port}`]));
});
const echo = (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => { body += chunk; }).on('end', () => {
    const { authorization, cookie, 'content-type': type, 'x-own': own } = request.headers;
    response.end(JSON.stringify({ method: request.method, url: request.url, authorization, cookie, type, own, body }));
  });
};
const [other, otherBase] = await listen(echo);
const [server, base] = await listen((request, response) => {
  const url = new URL(request.url, base);
  if (url.pathname === '/echo') return echo(request, response);
  const location = url.searchParams.get('to');
  const status = Number(url.pathname.slice(1));
  request.resume().on('end', () => response.writeHead(status, location === null ? {} : { location }).end('moved'));
});
const hide = (text) => text.replaceAll(base, 'BASE').replaceAll(otherBase, 'OTHER');
const headers = { authorization: 'secret', cookie: 'a=b', 'X-Own': 'yes' };

async function show(path, options) {
  try {
    const response = await fetch(base + path, options);
    console.log(hide(path), options?.method, response.status, response.redirected, hide(response.url), response.type, hide(await response.text()));
  } catch ({ message, cause }) {
    console.log(hide(path), options?.method, message, cause?.name, cause && hide(cause.message), cause?.code);
  }
}
for (const status of [301, 302, 303, 307, 308]) {
  for (const method of ['GET', 'POST', 'PUT', 'HEAD', 'DELETE']) {
    await show(`/${status}?to=/echo`, { method, headers, body: method === 'POST' || method === 'PUT' ? 'text' : undefined });
  }
  await show(`/${status}?to=${otherBase}/echo`, { headers });
}
for (const status of [300, 304, 305, 306]) await show(`/${status}?to=/echo`);
await show('/302');
for (const redirect of ['manual', 'error']) await show('/302?to=/echo', { redirect });
for (const to of ['/echo?x=y%23z', 'echo', '//127.0.0.1:1/', 'ftp://h/', 'data:,x', 'http://:x', '', '#f', `http://u:p@127.0.0.1:2/`, 'about:blank']) await show(`/302?to=${encodeURIComponent(to)}`);
await show(`/307?to=${encodeURIComponent('/303?to=/echo')}`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
await show('/307?to=/echo', { method: 'POST', body: new Blob(['of a blob'], { type: 'x/y' }) });
await show('/307?to=/echo', { method: 'POST', duplex: 'half', body: new ReadableStream({ start(controller) { controller.close(); } }) });
await show('/303?to=/echo', { method: 'POST', duplex: 'half', body: new ReadableStream({ start(controller) { controller.close(); } }) });
{
  // A fragment stays unless there is a new one.
  const response = await fetch(`${base}/302?to=/echo#old`);
  console.log(response.redirected, hide(response.url));
}
for (const mode of ['no-cors', 'same-origin']) {
  await show('/302?to=/echo', { mode });
  if (mode === 'same-origin') await show(`/302?to=${otherBase}/echo`, { mode });
  await show(`/302?to=${otherBase}/echo`, { mode, redirect: 'manual' });
}
const [circle, circleBase] = await listen((request, response) => {
  const n = Number(request.url.slice(1));
  response.writeHead(302, { location: `/${n + 1}` }).end();
  if (n === 20) console.log('asked', n);
  if (n > 20) console.log('too far');
});
await fetch(`${circleBase}/0`).catch(({ cause }) => console.log(cause.message));
console.log(connections < 20);
for (const one of [server, other, circle]) {
  one.close();
  one.closeAllConnections();
}
