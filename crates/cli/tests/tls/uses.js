// What else is done with TLS: names and protocols that a function chooses, sockets and streams that are
// taken over, sessions that are gone on with.
'use strict';

const net = require('net');
const tls = require('tls');
const { Duplex } = require('stream');
const { ca, identity, read, scenarios, shown } = require('./common.cjs');

const own = identity('server');

/// Listens, lets the clients come one after the other, and closes.
const serve = (server, client, clients) => (say, done) => {
  server = server(say);
  server.on('tlsClientError', (error, { servername }) => say('server', 'tlsClientError', servername, error.code, error.code ? '' : error.message));
  server.listen(0, '127.0.0.1', async () => {
    for (const options of clients) {
      await new Promise((next) => {
        const socket = client(say, { port: server.address().port, host: '127.0.0.1', ca, ...options });
        socket.on('data', (data) => say('client', 'data', data));
        socket.on('error', (error) => say('client', 'error', shown(error)));
        socket.on('close', next);
      });
    }
    server.close(done);
  });
};

const connect = (say, options) => {
  const socket = tls.connect(options, () => {
    say('client', options.servername, socket.getPeerCertificate().subject.CN, socket.authorized, socket.authorizationError,
      socket.servername, socket.alpnProtocol);
  });
  return socket;
};

const lenient = { rejectUnauthorized: false };
// A peer that is destroyed may reset the connection before all of it is read.
const resettable = (socket) => socket.on('error', (error) => { if (error.code !== 'ECONNRESET') throw error; });
let session;

const resuming = (serverOptions) => serve(
  (say) => tls.createServer({ ...own, ...serverOptions }, (socket) => {
    say('server', 'goes on', socket.isSessionReused());
    socket.end('x');
  }),
  (say, options) => {
    const socket = tls.connect({ ...options, session }, () => say('client', 'goes on', socket.isSessionReused(), socket.authorized));
    socket.on('session', (got) => { session = got; });
    return socket;
  },
  [{}, {}]);

scenarios({
  'contexts by name': serve((say) => {
    const server = tls.createServer(own, (socket) => {
      say('server', socket.servername, socket.getCertificate().subject.CN);
      socket.end();
    });
    server.addContext('elsewhere.example', identity('elsewhere'));
    server.addContext('*.wild.example', identity('ec'));
    return server;
  }, connect, ['elsewhere.example', 'a.wild.example', 'a.b.wild.example', 'localhost', undefined].map((servername) => ({ servername, ...lenient }))),

  'a context that a function chooses': serve((say) => tls.createServer({
    ...own,
    SNICallback(name, callback) {
      say('server', 'asked for', name);
      if (name === 'bad.example') return callback(new Error('no such name'));
      const context = name === 'none.example' ? undefined : tls.createSecureContext(identity('elsewhere'));
      return setTimeout(callback, 5, null, context);
    },
  }, (socket) => {
    say('server', socket.servername);
    socket.end();
  }), connect, ['elsewhere.example', 'none.example', 'bad.example', undefined].map((servername) => ({ servername, ...lenient }))),

  'a protocol that a function chooses': serve((say) => tls.createServer({
    ...own,
    ALPNCallback({ servername, protocols }) {
      say('server', 'asked for', servername, protocols);
      return protocols.includes('h2') ? 'h2' : undefined;
    },
  }, (socket) => {
    say('server', socket.alpnProtocol);
    socket.end();
  }), connect, [['x', 'h2'], ['x'], undefined].map((ALPNProtocols) => ({ ALPNProtocols, ...lenient }))),

  'a socket that becomes secure': serve((say) => net.createServer((raw) => {
    raw.once('data', (data) => {
      say('server', 'plain', data);
      raw.write('go on');
      const socket = new tls.TLSSocket(raw, { isServer: true, ...own });
      socket.on('data', (secret) => {
        say('server', 'secret', secret);
        socket.end('done');
      });
    });
  }), (say, { port, host }) => {
    const raw = net.connect(port, host, () => raw.write('STARTTLS'));
    raw.once('data', (data) => {
      say('client', 'plain', data);
      raw.removeAllListeners('data');
      const socket = tls.connect({ socket: raw, servername: 'localhost', ca }, () => {
        say('client', 'secure', socket.authorized, socket.remotePort === port);
        socket.write('secret');
      });
      socket.on('data', (secret) => say('client', 'secret', secret));
      socket.on('close', () => say('client', 'both closed', raw.destroyed));
    });
    return { on: (event, listener) => { if (event === 'close') raw.on(event, listener); } };
  }, [{}]),

  'a socket on its way': serve(
    () => tls.createServer(own, (socket) => socket.end('hi')),
    (say, { port, host }) => {
      const socket = tls.connect({ socket: net.connect(port, host), servername: 'localhost', ca });
      // What is beneath gets ready, not this one.
      for (const name of ['connect', 'ready']) socket.on(name, () => say('client', name));
      return socket;
    }, [{}]),

  'a stream of the program': (say, done) => {
    const server = tls.createServer(own, (socket) => resettable(socket).on('data', (data) => socket.end(`echo ${data}`)));
    server.listen(0, '127.0.0.1', () => {
      const raw = net.connect(server.address().port, '127.0.0.1');
      const stream = new Duplex({
        read() {},
        write(chunk, encoding, callback) { raw.write(chunk, callback); },
        final(callback) { raw.end(); callback(); },
      });
      raw.on('data', (data) => stream.push(data));
      raw.on('end', () => stream.push(null));
      const socket = tls.connect({ socket: stream, servername: 'localhost', ca }, () => {
        say('client', 'secure', socket.authorized);
        socket.write('x');
      });
      socket.on('data', (data) => say('client', 'data', data));
      socket.on('end', () => {
        raw.destroy();
        server.close(done);
      });
    });
  },

  'TLS in TLS': (say, done) => {
    const inner = tls.createServer(own, (socket) => resettable(socket).on('data', (data) => socket.end(`inner ${data}`)));
    const outer = tls.createServer(own, (socket) => {
      const raw = net.connect(inner.address().port, '127.0.0.1');
      resettable(socket).pipe(resettable(raw)).pipe(socket);
    });
    inner.listen(0, '127.0.0.1', () => outer.listen(0, '127.0.0.1', () => {
      const first = tls.connect({ port: outer.address().port, host: '127.0.0.1', ca }, () => {
        const second = tls.connect({ socket: first, servername: 'localhost', ca }, () => second.write('deep'));
        second.on('data', (data) => say('client', 'data', data));
        second.on('end', () => {
          first.destroy();
          second.destroy();
          inner.close();
          outer.close(done);
        });
      });
    }));
  },

  'much': serve(
    () => tls.createServer(own, (socket) => socket.end(Buffer.alloc(3_000_000, 'abc'))),
    (say, options) => {
      const socket = tls.connect(options);
      const got = [];
      socket.on = function(event, listener) {
        return tls.TLSSocket.prototype.on.call(this, event, event === 'data' ? (data) => got.push(data) : listener);
      };
      socket.once('end', () => say('client', Buffer.concat(got).equals(Buffer.alloc(3_000_000, 'abc'))));
      return socket;
    }, [{}]),

  'much in both directions, with a slow reader': (say, done) => {
    const bytes = Buffer.alloc(2_000_000, 'xyz');
    const server = tls.createServer(own, (socket) => socket.pipe(socket));
    server.listen(0, '127.0.0.1', () => {
      const socket = tls.connect({ port: server.address().port, host: '127.0.0.1', ca });
      let count = 0;
      socket.end(bytes);
      socket.on('data', (data) => {
        count += data.length;
        socket.pause();
        setImmediate(() => socket.resume());
      });
      socket.on('close', () => {
        say('client', count);
        server.close(done);
      });
    });
  },

  'a session': resuming({}),
  'a session of old': resuming({ maxVersion: 'TLSv1.2' }),

  'a secret of both': (say, done) => {
    let secret;
    const server = tls.createServer(own, (socket) => {
      secret = socket.exportKeyingMaterial(16, 'label', Buffer.from('context'));
      socket.end();
    });
    server.listen(0, '127.0.0.1', () => {
      const socket = tls.connect({ port: server.address().port, host: '127.0.0.1', ca });
      try {
        socket.exportKeyingMaterial(16, 'label');
      } catch (error) {
        say('client', shown(error));
      }
      let other;
      socket.on('secureConnect', () => { other = socket.exportKeyingMaterial(16, 'label', Buffer.from('context')); });
      socket.resume();
      socket.on('close', () => {
        say('client', secret.equals(other), other.length);
        server.close(done);
      });
    });
  },

  'a socket that is connected later': (say, done) => {
    const server = tls.createServer(own, (socket) => socket.end('hello'));
    server.on('listening', () => say('server', server.pauseOnConnect));
    server.listen(0, '127.0.0.1', () => {
      const raw = new net.Socket();
      const socket = tls.connect({ socket: raw, rejectUnauthorized: false }, () => say('client', 'secure'));
      socket.on('data', (bytes) => say('client', String(bytes)));
      socket.on('end', () => {
        socket.destroy();
        server.close(done);
      });
      raw.connect(server.address().port, '127.0.0.1');
    });
  },

  'a server that does not answer': (say, done) => {
    const server = net.createServer((socket) => socket.on('error', () => {}).resume());
    server.listen(0, '127.0.0.1', () => {
      const socket = tls.connect({ port: server.address().port, host: '127.0.0.1', timeout: 50 });
      socket.on('timeout', () => {
        say('client', 'timeout');
        socket.destroy();
      });
      socket.on('close', () => server.close(done));
    });
  },

  'a server that speaks something else': serve(() => net.createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n')), connect, [{}]),
  'a server that is gone at once': serve(() => net.createServer((socket) => socket.resume().end()), connect, [{}]),
  'a connection that is cut': serve(
    () => tls.createServer(own, (socket) => socket.write('partial', () => setTimeout(() => socket._parent.destroy(), 20))),
    (say, options) => {
      const socket = tls.connect(options);
      socket.on('end', () => say('client', 'end'));
      return socket;
    }, [{}]),
  'nobody there': (say, done) => {
    const socket = tls.connect({ port: 1, host: '127.0.0.1' });
    socket.on('error', (error) => say('client', shown(error)));
    socket.on('close', done);
  },
});
