// What classes of the library say of themselves to whoever copies values or sends them.
'use strict';

module.exports = {
  // The method of an object that can be copied: it gives the copy. What is copied never changes, or is shared.
  // Null where an object is more than its properties and cannot be copied.
  kClone: Symbol('messaging_clone_symbol'),
  // The method of an object that can change hands. It gives { value, commit }: the object on the other side and
  // what completes the move, called once nothing can fail any more; and `isPort` for ports. Null where an object
  // can be copied, but may not be listed among those that change hands.
  kTransfer: Symbol('messaging_transfer_symbol'),
  // The method of an object that goes to another machine, after it was copied or has changed hands: its name in
  // `revivers`, and of what it is made anew there. The object itself is not used any more.
  kWire: Symbol('messaging_wire_symbol'),
  // How the other machine makes an object, by that name.
  revivers: {
    __proto__: null,
    AbortSignal: (data) => require('internal/abort_transfer').revive(data),
    Key: (data) => require('internal/crypto/keys').revive(data),
    BlockList: (rules) => require('internal/net/block_list').revive(rules),
    SocketAddress: (data) => new (require('internal/net/socket_address').SocketAddress)(data),
    Blob: (data) => require('internal/blob').revive(data),
    ReadableStream: (port) => require('internal/webstreams/transfer').revive.readable(port),
    WritableStream: (port) => require('internal/webstreams/transfer').revive.writable(port),
    TransformStream: (ports) => require('internal/webstreams/transfer').revive.transform(ports),
    FileHandle: (fd) => new (require('internal/fs/file_handle').FileHandle)(fd),
  },
};
