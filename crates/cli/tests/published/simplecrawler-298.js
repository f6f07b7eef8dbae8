// A crawl is complete before its first page is unpacked, and the links of that page are never followed.
// published: https://github.com/simplecrawler/simplecrawler/issues/298 (NodeRacer, NACD)
// buggy: simplecrawler@0.7.0
// repaired: simplecrawler@1.0.1
// race: lib/crawler.js:1119 lib/crawler.js:1275
const assert = require('node:assert');
const http = require('node:http');
const zlib = require('node:zlib');
const Crawler = require(process.argv[2]);

const pages = { '/': '<a href="/next">next</a>', '/next': 'end' };
const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.setHeader('content-encoding', 'gzip');
  response.end(zlib.gzipSync(pages[request.url] ?? ''));
}).listen(8080, '127.0.0.1', () => {
  const old = Crawler.length > 1;
  const crawler = old ? new Crawler('127.0.0.1', '/', 8080) : new Crawler('http://127.0.0.1:8080/');
  crawler.interval = 1;
  crawler.respectRobotsTxt = false;
  crawler.timeout = 0;
  crawler.httpAgent = new http.Agent();
  const seen = [];
  crawler.on('fetchcomplete', (item) => seen.push(item.path));
  crawler.on('complete', () => {
    server.close();
    server.closeAllConnections();
    assert.equal(seen.join(' '), '/ /next');
  });
  crawler.start();
});
