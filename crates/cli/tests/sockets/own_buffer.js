// Bytes for a function of the program's own: it may stop at any time, and gets a buffer for each piece.
const net = require('net');

const say = (...words) => console.log(...words);

function serve(bytes, connect) {
  const server = net.createServer((socket) => {
    server.close();
    socket.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => connect(server.address().port));
}

function stops(how, done) {
  let stopped = false;
  const pieces = [];
  serve('0123456789abcdefghij', (port) => {
    const buffer = Buffer.alloc(8);
    const callback = function(count, given) {
      pieces.push(String(given.subarray(0, count)), stopped, given === buffer);
      stopped = true;
      setImmediate(() => {
        stopped = false;
        this.resume();
      });
      return how(this);
    };
    net.connect({ port, host: '127.0.0.1', onread: { buffer, callback } }).on('end', () => {
      say(pieces.join(' '));
      done();
    });
  });
}

function makes() {
  const log = [];
  serve('0123456789abcdefghij', (port) => {
    const buffer = () => {
      log.push('make');
      return Buffer.alloc(8);
    };
    const callback = (count) => { log.push(count); };
    const socket = net.connect({ port, host: '127.0.0.1', onread: { buffer, callback } });
    log.push('connecting');
    socket.on('end', () => {
      say(log.join(' '));
      closes();
    });
  });
}

// A server that is closed while it looks up its address does not listen.
function closes() {
  const server = net.createServer().listen(0, 'localhost', () => say('listening'));
  server.on('close', () => {
    say('closed', server.listening);
    server.listen(0, '127.0.0.1', () => {
      say('listens again');
      server.removeAllListeners('close').close(refuses);
    });
  });
  server.close();
}

function refuses() {
  serve('', (port) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      try {
        socket.write('text', 'buffer');
      } catch ({ name, code, message }) {
        say(name, code, message);
      }
      socket.destroy();
    });
  });
}

stops((socket) => { socket.pause(); }, () => stops(() => false, makes));
