// Sockets and servers that go through a channel.
// Uses binding.perform.
'use strict';

const { codes: { ERR_INVALID_HANDLE_TYPE } } = require('internal/errors');

/// What is sent: its type by Node's name, the number under which the world has it open, and what becomes
/// of it once the other side has it. A connection of a server has who is told that it is closed there, too. Undefined for
/// a socket that is closed already.
function describe(handle, options) {
  // Within a cluster, what the world has open goes as it is.
  if (options?.native) return { type: 'net.Native', id: handle.id, ofDatagrams: handle.ofDatagrams, arrived: handle.arrived ?? (() => {}) };
  const net = require('net');
  if (handle instanceof net.Socket) {
    const stream = handle._handle;
    if (stream === null || stream === undefined) return undefined;
    if (options?.keepOpen) return { type: 'net.Socket', id: stream.id, arrived() {} };
    // From here on it is the other side's: nothing more is read from it.
    handle.pause();
    const gone = handle._server instanceof net.Server ? require('internal/net/server').handOver(handle) : undefined;
    return { type: 'net.Socket', id: stream.id, gone, arrived() { handle.destroy(); } };
  }
  if (handle instanceof net.Server) {
    if (handle._handle === null) return undefined;
    return { type: 'net.Server', id: handle._handle.id, arrived() {} };
  }
  const { StreamHandle, ListenHandle } = require('internal/net/handle');
  if (handle instanceof StreamHandle || handle instanceof ListenHandle) return { type: 'net.Native', id: handle.id, arrived() {} };
  if (handle instanceof require('dgram').Socket) {
    const { id } = handle[require('internal/dgram/handle').kState].handle ?? {};
    return id === undefined ? undefined : { type: 'dgram.Socket', dgramType: handle.type, id, ofDatagrams: true, arrived() {} };
  }
  throw new ERR_INVALID_HANDLE_TYPE();
}

/// What a program gets for the handle of a socket or a server: something with a descriptor to listen at, until it is closed.
class ReceivedHandle {
  #taken;

  constructor({ fd, taken }) {
    this.fd = fd;
    this.#taken = taken;
  }

  close() {
    if (this.fd < 0) return;
    this.fd = -1;
    this.#taken();
  }
}

/// What has arrived under a number of the process; undefined if that type is unknown here. `open` calls
/// back with the socket or the server.
function receive({ type, dgramType }, fd) {
  const net = require('net');
  const taken = () => binding.perform('channel.taken', [fd]);
  switch (type) {
    case 'net.Socket':
      return {
        open(callback) {
          const socket = new net.Socket({ fd, readable: true, writable: true });
          taken();
          callback(socket);
        },
      };
    case 'net.Server':
      return {
        open(callback) {
          const server = new net.Server();
          server.listen({ fd }, () => callback(server));
          taken();
        },
      };
    case 'dgram.Socket':
      return {
        open(callback) {
          const socket = require('dgram').createSocket(dgramType);
          socket.bind({ fd });
          taken();
          callback(socket);
        },
      };
    case 'net.Native':
      return { open(callback) { callback({ fd, taken }); } };
    default:
      return undefined;
  }
}

module.exports = { ReceivedHandle, describe, receive };
