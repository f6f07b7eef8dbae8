// Asks the store for whatever it is asked for.
const http = require('node:http');

http.createServer((request, response) => {
  http.get({ host: 'store', port: 81, path: request.url }, (answer) => {
    let text = '';
    answer.on('data', (piece) => (text += piece));
    answer.on('end', () => response.end(`${text}!`));
  });
}).listen(80);
