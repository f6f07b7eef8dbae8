// A server for `scripts/soak http`: bodies are read, answers are of several kinds, files are read for some of them.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';

const server = createServer(async (request, response) => {
  let size = 0;
  for await (const chunk of request) size += chunk.length;
  const kind = Number(request.url.slice(1));
  if (kind === 3) response.setHeader('Set-Cookie', ['a=1', 'b=2']);
  const text = kind === 5 ? await readFile(import.meta.filename, 'utf8') : JSON.stringify({ kind, size, headers: request.headers });
  if (kind % 2 === 0) response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
