// Small files written, read, looked at and removed, then requests to a server of its own: what a recording
// has to note most of.
const fs = require('fs'), http = require('http'), os = require('os'), path = require('path');
const FILES = 6000, REQUESTS = 6000, AT_ONCE = 8;

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'hemiola-bench-'));
const content = 'x'.repeat(200);

// Does something so many times, some of them at once.
function times(count, act, then) {
  let begun = 0, ended = 0;
  const next = () => {
    if (begun < count) act(begun++, () => { ended++; if (ended === count) then(); else next(); });
  };
  for (let i = 0; i < AT_ONCE; i++) next();
}

function file(number, done) {
  const name = path.join(directory, String(number % 100));
  fs.writeFile(name, content, (error) => {
    if (error) throw error;
    fs.readFile(name, 'utf8', (error, text) => {
      if (error || text.length > content.length) throw error ?? new Error('a file is too long');
      fs.stat(name, done);
    });
  });
}

const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'text/plain');
  response.end(content);
});
const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
function request(number, done) {
  http.get({ port: server.address().port, host: '127.0.0.1', path: `/${number}`, agent }, (response) => {
    response.resume();
    response.on('end', done);
  });
}

const start = performance.now();
times(FILES, file, () => {
  const between = performance.now();
  server.listen(0, '127.0.0.1', () => times(REQUESTS, request, () => {
    const end = performance.now();
    agent.destroy();
    server.close();
    fs.rmSync(directory, { recursive: true });
    console.log(JSON.stringify({
      files: { ms: between - start, ops: 3 * FILES },
      requests: { ms: end - between, ops: REQUESTS },
    }));
  }));
});
