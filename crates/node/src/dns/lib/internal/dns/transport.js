// One message to a server and what comes back. Both ways call back with a code or an error if there is a
// problem, or else with a message, perhaps several times; they give a function that ends it.
// Uses binding.nextTick.
'use strict';

const { Buffer } = require('buffer');
const { isIP } = require('internal/net/ip');

// However a server cannot be reached, the program hears the same.
const problemOf = (error) => (error.code === 'ERR_ACCESS_DENIED' ? error : 'ECONNREFUSED');

function overUdp(server, [local4, local6], message, callback) {
  const { UDP, failure } = require('internal/dgram/handle');
  const is6 = isIP(server.address) === 6;
  const handle = new UDP(is6 ? 'udp6' : 'udp4');
  let isOpen = true;
  const fail = (fault) => {
    const problem = problemOf(failure(fault, 'send'));
    binding.nextTick(() => { if (isOpen) callback(problem); });
  };
  try {
    handle.bind((is6 ? local6 : local4) ?? (is6 ? '::' : '0.0.0.0'), 0, { implicit: true });
    handle.connect(server.address, server.port);
    handle.receive((fault, received) => {
      if (fault !== null) fail(fault);
      // An empty one says nothing, not even something wrong.
      else if (received.bytes.length > 0) callback(null, Buffer.from(received.bytes.buffer, received.bytes.byteOffset, received.bytes.byteLength));
    });
    handle.send(message, null, null, (fault) => { if (fault !== null) fail(fault); });
  } catch (fault) {
    fail(fault);
  }
  return () => {
    isOpen = false;
    handle.close();
  };
}

// Over a connection, a message follows its length.
function overTcp(server, [local4, local6], message, callback) {
  const localAddress = isIP(server.address) === 6 ? local6 : local4;
  const socket = require('net').connect({ host: server.address, port: server.port, localAddress });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  socket.write(Buffer.concat([length, message]));
  let received = Buffer.alloc(0);
  let isOpen = true;
  const fail = (error) => {
    if (!isOpen) return;
    isOpen = false;
    callback(problemOf(error));
  };
  socket.on('error', fail);
  socket.on('close', fail);
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    if (!isOpen || received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    const whole = received.subarray(2, 2 + received.readUInt16BE(0));
    received = received.subarray(2 + whole.length);
    callback(null, whole);
  });
  return () => {
    isOpen = false;
    socket.destroy();
  };
}

module.exports = { overUdp, overTcp };
