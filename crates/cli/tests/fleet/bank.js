// Takes payments; a careful one knows by their numbers which it has.
const http = require('node:http');

const isCareful = process.argv.includes('--careful');
const taken = new Set();
http.createServer(async (request, response) => {
  const { number } = JSON.parse((await request.toArray()).join(''));
  if (!isCareful || !taken.has(number)) obs(`paid ${number}`);
  taken.add(number);
  response.end('thanks');
}).listen(80);
