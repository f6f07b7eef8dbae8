// Gives a lease of two seconds to one client at a time, with a number that grows, and keeps what clients write; a
// careful one refuses what comes with an older number.
const http = require('node:http');

const isCareful = process.argv.includes('--careful');
let [fence, until, highest] = [0, 0, 0];
http.createServer((request, response) => {
  const url = new URL(request.url, 'http://lock');
  if (url.pathname === '/lease') {
    if (performance.now() < until) return response.writeHead(409).end();
    until = performance.now() + 2000;
    return response.end(String((fence += 1)));
  }
  const given = Number(url.searchParams.get('fence'));
  if (isCareful && given < highest) return response.writeHead(409).end();
  highest = Math.max(highest, given);
  obs(given);
  return response.end();
}).listen(80);
