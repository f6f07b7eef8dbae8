// A queue that takes its time to note that a page is being fetched: the page is fetched twice.
// published: https://github.com/simplecrawler/simplecrawler/issues/443
// buggy: simplecrawler@1.1.6
// repaired: simplecrawler@1.1.8
// race: lib/queue.js:48 lib/queue.js:248
const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const Crawler = require(process.argv[2]);

const asked = [];
const server = http.createServer((request, response) => {
  asked.push(request.url);
  response.end('end');
}).listen(8080, '127.0.0.1', () => {
  const crawler = new Crawler('http://127.0.0.1:8080/');
  crawler.interval = 1;
  crawler.respectRobotsTxt = false;
  crawler.timeout = 0;
  crawler.httpAgent = new http.Agent();
  const { update } = crawler.queue;
  crawler.queue.update = (...all) => fs.stat('.', () => update.apply(crawler.queue, all));
  crawler.on('complete', () => {
    server.close();
    server.closeAllConnections();
    assert.equal(asked.join(' '), '/');
  });
  crawler.start();
});
