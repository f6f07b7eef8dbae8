// A name server for tests, of datagrams and of connections.
'use strict';
const dgram = require('dgram');
const net = require('net');

const types = {
  A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, NAPTR: 35, TLSA: 52, ANY: 255, CAA: 257,
};
const text = (value) => Buffer.from([Buffer.byteLength(value), ...Buffer.from(value)]);
const name = (value) => Buffer.concat([...value.split('.').filter(Boolean).map(text), Buffer.from([0])]);
const words = (...numbers) => Buffer.from(numbers.flatMap((number) => [number >> 8, number & 0xff]));
const longs = (...numbers) => words(...numbers.flatMap((number) => [number >>> 16, number & 0xffff]));
const address = (value) => Buffer.from(value.split('.').map(Number));

function record(owner, type, data, ttl = 60, kind = 1) {
  const named = typeof owner === 'string' ? name(owner) : owner;
  return Buffer.concat([named, words(types[type] ?? type, kind), longs(ttl), words(data.length), data]);
}

function parse(bytes) {
  const labels = [];
  let at = 12;
  for (; bytes[at] > 0; at += 1 + bytes[at]) labels.push(bytes.toString('latin1', at + 1, at + 1 + bytes[at]));
  at++;
  return {
    id: bytes.readUInt16BE(0), flags: bytes.readUInt16BE(2), name: labels.join('.'), type: bytes.readUInt16BE(at),
    question: bytes.subarray(12, at + 4), rest: bytes.length - at - 4,
  };
}

function reply(query, { status = 0, flags = 0x8180, answers = [], authority = [], id = query.id, question = query.question, questions = 1, extra = Buffer.alloc(0) } = {}) {
  return Buffer.concat([words(id, flags | status, questions, answers.length, authority.length, 0), question, ...answers, ...authority, extra]);
}

/// Serves a zone: functions by name, of a question and of whether it came over a connection. Gives the
/// address and what was asked.
async function serve(zone, withTcp = true) {
  const asked = {};
  const answer = (bytes, overTcp) => {
    const query = parse(bytes);
    const key = query.name.toLowerCase();
    (asked[key] ??= []).push(`${overTcp ? 'tcp ' : ''}${query.type} ${query.flags} ${query.rest}`);
    return zone[key] ? zone[key](query, overTcp) : reply(query, { status: 3 });
  };
  const tcp = net.createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const length = received.readUInt16BE(0);
        const sent = answer(received.subarray(2, 2 + length), true);
        received = received.subarray(2 + length);
        if (sent) socket.write(Buffer.concat([words(sent.length), sent]));
      }
    });
  });
  // A port that is free for datagrams may be taken for connections: then another one is.
  for (;;) {
    const udp = dgram.createSocket('udp4');
    udp.on('message', (bytes, { port, address: from }) => {
      const sent = answer(bytes, false);
      if (sent) udp.send(sent, port, from);
    });
    await new Promise((done) => udp.bind(0, '127.0.0.1', done));
    const { port } = udp.address();
    const isFree = !withTcp || await new Promise((done) => {
      tcp.once('error', () => done(false));
      tcp.listen(port, '127.0.0.1', () => done(true));
    });
    if (isFree) return { at: `127.0.0.1:${port}`, asked, close() { udp.close(); tcp.close(); } };
    udp.close();
  }
}

module.exports = { types, text, name, words, longs, address, record, reply, serve };
