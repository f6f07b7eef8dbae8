// Messages between resolvers and servers (RFC 1035): questions in, records out.
'use strict';

const { Buffer } = require('buffer');

const TYPES = {
  A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, NAPTR: 35, ANY: 255, CAA: 257,
};
const INTERNET = 1;
const HEADER = 12;
const TRUNCATED = 0x0200;
const LONGEST_LABEL = 63;
const LONGEST_NAME = 255;
// No name has more parts, however it is put together.
const MOST_JUMPS = 128;

// The classes that there are: of the internet, and those of other or no networks.
const CLASSES = new Set([INTERNET, 3, 4, 254, 255]);
// What the name of a computer consists of.
const HOSTNAME = /^[\w.*/-]*$/;
const PRINTABLE = /^[ -~]*$/;

/// What a message that is not well formed fails with.
class Malformed extends Error {}

/// The labels of a name as a program writes it, in bytes; undefined if it is no name. A backslash makes
/// the next character, or the byte with the three digits, part of the label.
function labelsOf(name) {
  const labels = [[]];
  for (let i = 0; i < name.length; i++) {
    let code = name.charCodeAt(i);
    if (code === 46) {
      labels.push([]);
      continue;
    }
    if (code === 92) {
      const digits = /^\d{3}/.exec(name.slice(i + 1, i + 4))?.[0];
      code = digits === undefined ? name.charCodeAt(++i) : Number(digits);
      if (digits !== undefined) i += 3;
    }
    if (!HOSTNAME.test(String.fromCharCode(code))) return undefined;
    labels[labels.length - 1].push(code);
  }
  if (labels[labels.length - 1].length === 0) labels.pop();
  const length = labels.reduce((sum, label) => sum + label.length + 1, 1);
  const isFine = length <= LONGEST_NAME && labels.every((label) => label.length > 0 && label.length <= LONGEST_LABEL);
  return isFine ? labels : undefined;
}

/// The question for records of a type, with that number; undefined if the name is none.
function question(id, name, type) {
  const labels = name === '.' ? [] : labelsOf(name);
  if (labels === undefined) return undefined;
  const words = (...numbers) => numbers.flatMap((number) => [number >> 8, number & 0xff]);
  const recursion = 0x0100;
  return Buffer.from([
    ...words(id, recursion, 1, 0, 0, 0),
    ...labels.flatMap((label) => [label.length, ...label]), 0,
    ...words(TYPES[type], INTERNET),
  ]);
}

// Characters that mean something in a name.
const special = new Set('".;\\()@$');

function shownLabel(bytes) {
  let shown = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (byte < 32 || byte > 126) shown += `\\${String(byte).padStart(3, '0')}`;
    else shown += special.has(character) ? `\\${character}` : character;
  }
  return shown;
}

// Reads a message from its beginning to its end.
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(count) {
    if (this.at + count > this.bytes.length) throw new Malformed();
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  byte() { return this.take(1)[0]; }
  word() { return this.take(2).readUInt16BE(0); }
  long() { return this.take(4).readUInt32BE(0); }
  text(length = this.byte()) { return this.take(length).toString('latin1'); }

  printable() {
    const text = this.text();
    if (!PRINTABLE.test(text)) throw new Malformed();
    return text;
  }

  // A name may end with that of another place, before this one.
  name() {
    const labels = [];
    let end = -1;
    for (let jumps = 0; ;) {
      const length = this.byte();
      if (length >= 0xc0) {
        const place = ((length & 0x3f) << 8) | this.byte();
        if (end === -1) end = this.at;
        if (place >= this.at - 2 || ++jumps > MOST_JUMPS) throw new Malformed();
        this.at = place;
      } else if (length > LONGEST_LABEL) {
        throw new Malformed();
      } else if (length === 0) {
        break;
      } else {
        labels.push(shownLabel(this.take(length)));
      }
    }
    if (end !== -1) this.at = end;
    return labels.join('.');
  }
}

// What a record says, by its type; in the order in which Node shows it.
const contents = {
  1: (reader) => ({ address: require('internal/dns/addresses').toText(reader.take(4)) }),
  28: (reader) => ({ address: require('internal/dns/addresses').toText(reader.take(16)) }),
  2: (reader) => ({ value: reader.name() }),
  5: (reader) => ({ value: reader.name() }),
  12: (reader) => ({ value: reader.name() }),
  6: (reader) => ({
    nsname: reader.name(), hostmaster: reader.name(), serial: reader.long(), refresh: reader.long(), retry: reader.long(),
    expire: reader.long(), minttl: reader.long(),
  }),
  15: (reader) => {
    const priority = reader.word();
    return { exchange: reader.name(), priority };
  },
  16: (reader, end) => {
    const entries = [];
    do entries.push(reader.text()); while (reader.at < end);
    return { entries };
  },
  33: (reader) => {
    const [priority, weight, port] = [reader.word(), reader.word(), reader.word()];
    return { name: reader.name(), port, priority, weight };
  },
  35: (reader) => {
    const [order, preference] = [reader.word(), reader.word()];
    const [flags, service, regexp] = [reader.printable(), reader.printable(), reader.printable()];
    return { flags, service, regexp, replacement: reader.name(), order, preference };
  },
  257: (reader, end) => {
    const [critical, tag] = [reader.byte(), reader.printable()];
    if (tag === '' || reader.at >= end) throw new Malformed();
    return { critical, [tag]: reader.text(end - reader.at) };
  },
};

// Types whose records must be of a class that there is: HINFO, SIG, TLSA, SVCB, HTTPS and URI also are.
const KNOWN = new Set([...Object.keys(contents).map(Number), 13, 24, 52, 64, 65, 256]);

function record(reader) {
  // A record belongs to a computer, whose name has no other characters.
  const owner = reader.name();
  const [type, kind, ttl, length] = [reader.word(), reader.word(), reader.long(), reader.word()];
  const end = length + reader.at;
  const isFine = HOSTNAME.test(owner) && length > 0;
  if (KNOWN.has(type) && !CLASSES.has(kind)) throw new Malformed();
  const content = contents[type]?.(reader, end) ?? {};
  if (reader.at > end || end > reader.bytes.length) throw new Malformed();
  reader.at = end;
  return { type, isFine, isInternet: kind === INTERNET, ttl, content };
}

/// What a server says: the number and the question (in bytes, small letters), how it went, whether it
/// had to leave something out, the records that answer, and whether all records, also others, have
/// owners that can be. Throws `Malformed`.
function reply(bytes) {
  const reader = new Reader(bytes);
  const [id, flags, questions, answers, ...others] = [0, 0, 0, 0, 0, 0].map(() => reader.word());
  if (questions !== 1) throw new Malformed();
  const asked = `${reader.name().toLowerCase()} ${reader.word()} ${reader.word()}`;
  const records = Array.from({ length: answers }, () => record(reader));
  // Nobody asked for the others, but a message is well formed as a whole.
  const more = Array.from({ length: others[0] + others[1] }, () => record(reader));
  return {
    id, asked, status: flags & 15, isTruncated: (flags & TRUNCATED) !== 0, records,
    isFine: [...records, ...more].every((one) => one.isFine),
  };
}

/// What the reply to a question says was asked.
function askedBy(message) {
  const reader = new Reader(message);
  reader.at = HEADER;
  return `${reader.name().toLowerCase()} ${reader.word()} ${reader.word()}`;
}

module.exports = { TYPES, Malformed, question, reply, askedBy };
