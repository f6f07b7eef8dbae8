// Sends damaged and hostile requests to a server on Node and on Hemiola, and compares what was answered and
// what the program was told. The same seed gives the same requests.
//
//     scripts/compare-http-with-node [COUNT [SEED]]

import { spawn } from 'node:child_process';
import net from 'node:net';
import { createInterface } from 'node:readline';

const [hemiola, count = '400', first = '1'] = process.argv.slice(2);
const program = new URL('hostile-http-server.js', import.meta.url).pathname;

class Random {
  constructor(seed) { this.state = seed >>> 0; }
  // xorshift, after mixing the seed: neighbours must not be alike.
  next() {
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let x = this.state;
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return (x ^ (x >>> 16)) >>> 0;
  }
  below(limit) { return this.next() % limit; }
  pick(list) { return list[this.below(list.length)]; }
  chance(percent) { return this.below(100) < percent; }
}

const END = '\r\n';
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'DELETE', 'PATCH', 'get', 'GETX', 'G', '', 'PRI', 'SOURCE', 'M-SEARCH', 'QUERY'];
const TARGETS = ['/', '/a?b=c', '*', 'http://x/y', '//', '/a b', '/\x00', '/\xe9', '/%00', 'x', '', '/a#b', '/\t', '/../..', 'http://a@b:1/'];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1 ', 'HTTP/1.', 'HTTP/11', 'RTSP/1.0', 'ICE/1.0', ''];
const LENGTHS = ['3', '0', '03', '+3', '-1', '3 ', ' 3', '0x3', '3, 3', '3,4', '', '99999999999999999999', '18446744073709551616', '3\t', '3;', 'a'];
const CODINGS = ['chunked', 'Chunked', 'chunked, chunked', 'gzip, chunked', 'chunked, gzip', 'identity', 'gzip', '', ' chunked', 'chunked ', 'xchunked', 'chunked\x0b', 'chunked,', ',chunked', 'chunked;q=1', '"chunked"'];
const NAMES = ['X', 'x-y', 'Content-Length ', ' X', 'X Y', 'X\x00', 'X\x80', 'X:', '', 'X\t', 'Transfer_Encoding', 'Host', 'X(', 'Cookie', 'Content-Type'];
const VALUES = ['y', '', ' ', 'a\x00b', 'a\rb', 'a\nb', '\x80\xff', 'a\x7f', 'a\x01', '\t', 'y'.repeat(300), ' y ', 'a, b', '\x0b'];
const SIZES = ['3', '03', '3 ', ' 3', '3;x', '3;x=y', '3;x="y"', '3;\n', '3;x="\n"', '0x3', '+3', '-3', '', 'g', 'ffffffffffffffffff', '3\t', '3;;', '3;x=\x00', '3,'];

const line = (random) => {
  const ordinary = random.chance(75);
  const method = ordinary ? random.pick(['GET', 'POST']) : random.pick(METHODS);
  const target = ordinary ? '/a' : random.pick(TARGETS);
  const version = ordinary ? 'HTTP/1.1' : random.pick(VERSIONS);
  const space = random.chance(95) ? ' ' : random.pick(['  ', '\t', '', '\x0b']);
  return `${method}${space}${target}${space}${version}`;
};

function fields(random) {
  const list = random.chance(92) ? ['Host: a'] : random.pick([[], ['Host: a', 'Host: b'], ['Host:'], ['host: a\x00']]);
  const wishes = [
    () => `Content-Length: ${random.chance(50) ? '3' : random.pick(LENGTHS)}`,
    () => `Transfer-Encoding: ${random.chance(50) ? 'chunked' : random.pick(CODINGS)}`,
    () => `Connection: ${random.pick(['close', 'keep-alive', 'Upgrade', 'close, keep-alive', 'x', 'upgrade, close', 'close x'])}`,
    () => `Upgrade: ${random.pick(['websocket', 'h2c', ''])}`,
    () => `Expect: ${random.pick(['100-continue', '100-Continue', 'x', '100-continue, x'])}`,
    () => `${random.pick(NAMES)}:${random.pick([' ', '', '\t', '  '])}${random.pick(VALUES)}`,
    () => `X: a${random.pick(['\r\n', '\n'])}${random.pick([' ', '\t'])}folded`,
    () => `Big: ${'z'.repeat(random.pick([1000, 8000, 16_200, 16_384, 20_000]))}`,
    () => random.pick([':', 'nocolon', ' ', ': y', '\x00']),
    () => `content-LENGTH: ${random.pick(LENGTHS)}`,
  ];
  for (let left = random.below(5); left > 0; left--) list.push(random.pick(wishes)());
  if (random.chance(3)) for (let at = 0; at < 2100; at++) list.push(`N${at}: v`);
  return list;
}

function body(random) {
  const kind = random.below(6);
  if (kind === 0) return '';
  if (kind === 1) return 'abc';
  if (kind === 2) return 'abcdef';
  let text = '';
  for (let left = random.below(3); left > 0; left--) {
    text += `${random.chance(60) ? '3' : random.pick(SIZES)}${random.chance(90) ? END : random.pick(['\n', '\r', ''])}abc${random.chance(90) ? END : random.pick(['\n', '', '\rX', 'x\r\n'])}`;
  }
  text += random.chance(85) ? `0${END}` : random.pick(['0\n', '00\r\n', '0;x\r\n', '', '0 \r\n', '-0\r\n']);
  if (random.chance(20)) text += random.pick(['A: b\r\n', 'Content-Length: 3\r\n', 'A\r\n', ': x\r\n', ' A: b\r\n', 'A: b\n', 'Host: z\r\n']);
  return text + (random.chance(85) ? END : random.pick(['', '\n', '\r']));
}

function request(random) {
  const end = random.chance(93) ? END : random.pick(['\n', '\r', '\r\r\n', '\n\r']);
  const lead = random.chance(95) ? '' : random.pick(['\r\n', '\n', '\r\n\r\n', ' ', '\x00', '\r']);
  return `${lead}${[line(random), ...fields(random)].join(end)}${end}${random.chance(97) ? end : ''}${body(random)}`;
}

/// A few requests, damaged, in packets, and how the client ends.
function attack(seed) {
  const random = new Random(seed);
  let text = '';
  for (let left = 1 + random.below(3); left > 0; left--) text += request(random);
  let bytes = Buffer.from(text, 'latin1');
  if (random.chance(25)) {
    for (let left = 1 + random.below(3); left > 0 && bytes.length > 0; left--) {
      const at = random.below(bytes.length);
      const damage = random.below(4);
      if (damage === 0) bytes[at] = random.below(256);
      else if (damage === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
      else if (damage === 2) bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([random.pick([0, 10, 13, 32, 58, 255])]), bytes.subarray(at)]);
      else bytes = bytes.subarray(0, at);
    }
  }
  const packets = [];
  if (random.chance(30)) {
    for (let left = random.below(4); left > 0 && bytes.length > 1; left--) {
      const at = 1 + random.below(bytes.length - 1);
      packets.push(bytes.subarray(0, at));
      bytes = bytes.subarray(at);
    }
  }
  packets.push(bytes);
  return { packets, ending: random.pick(['hold', 'hold', 'hold', 'half', 'half', 'close']) };
}

class Server {
  constructor(command, args) {
    this.child = spawn(command, [...args, program], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, HEMIOLA_RECORD: 'off' } });
    this.told = new Map();
    this.ready = new Promise((resolve, reject) => {
      this.child.on('exit', (code, signal) => reject(new Error(`${command} has ended: ${code ?? signal}`)));
      createInterface({ input: this.child.stdout }).on('line', (text) => {
        const { ports, client, ...what } = JSON.parse(text);
        if (ports !== undefined) resolve(ports);
        else this.about(client).told.push(what);
        if (what.connected) this.about(client).connect();
        if (what.closed) this.about(client).close();
      });
    });
    this.ready.catch(() => {});
  }

  /// What was told about a client, and promises for the beginning and the end of its connection.
  about(client) {
    let known = this.told.get(client);
    if (known === undefined) {
      known = { told: [] };
      known.connected = new Promise((resolve) => { known.connect = resolve; });
      known.closed = new Promise((resolve) => { known.close = resolve; });
      this.told.set(client, known);
    }
    return known;
  }

  /// What is answered, and what was told.
  async attack(which, { packets, ending }) {
    const port = (await this.ready)[which];
    const socket = net.connect(port, '127.0.0.1').setNoDelay();
    await new Promise((resolve) => { socket.on('connect', resolve); });
    const client = `${socket.localPort} at ${port}`;
    let answer = '';
    let how = 'closed';
    socket.setEncoding('latin1').on('data', (text) => { answer += text; }).on('error', (error) => { how = error.code; });
    const closed = new Promise((resolve) => { socket.on('close', resolve); });
    for (const packet of packets) {
      await new Promise((resolve) => { socket.write(packet, resolve); });
      if (packets.length > 1) await new Promise((resolve) => { setTimeout(resolve, 25); });
    }
    if (ending === 'half') socket.end();
    // A server that has not seen it yet would not be told who it was.
    if (ending === 'close') this.about(client).connected.then(() => setTimeout(() => socket.destroy(), 150));
    await closed;
    await this.about(client).closed;
    const { told } = this.about(client);
    this.told.delete(client);
    // Whether a reset or an end comes first is a race of the system.
    return { answer: ending === 'close' ? undefined : answer.replace(/^Date: .*\r\n/gm, ''), how: how === 'closed' || how === 'ECONNRESET' || how === 'EPIPE' ? undefined : how, told };
  }
}

const servers = [new Server(process.execPath, []), new Server(hemiola, ['run'])];
const brief = (held) => (typeof held === 'string' && held.length > 200 ? `${held.slice(0, 100)}…${held.slice(-90)} (${held.length})`
  : Array.isArray(held) && held.length > 24 ? [...held.slice(0, 8), `… ${held.length} …`, ...held.slice(-8)] : held);
const shown = (value) => JSON.stringify(value, (_, held) => brief(held));
const doubtful = [];
const differences = new Set();
let done = 0;
let next = Number(first);
const last = next + Number(count);

const compare = async (hostile, which) => Promise.all(servers.map((server) => server.attack(which, hostile)));
const equal = ([node, ours]) => JSON.stringify(node) === JSON.stringify(ours);

// Differences that docs/reliability.md gives the reason of, and a form in which they do not show. None of them
// is about what a request is, where it ends, or whether it is served.
const REFUSAL = /^HTTP\/1\.1 (?:400|408|431) .*\r\nConnection: close\r\n\r\n$/;
const without = (told, name) => told.map(({ [name]: _, ...rest }) => rest).filter((what) => Object.keys(what).length > 0);
const known = {
  'how much of more than 1,000 fields is told': ({ told, ...rest }) =>
    ({ ...rest, told: told.map((what) => (what.rawHeaders?.length > 2000 ? { ...what, rawHeaders: what.rawHeaders.slice(0, 2000) } : what)) }),
  'what the fault of the method PRI is called': ({ told, ...rest }, text) => (/PRI\b/.test(text) ? { ...rest, told: without(told, 'clientError') } : undefined),
  'which of several faults of a large head is named': ({ answer, told, ...rest }, text) =>
    (text.length > 16_384 ? { ...rest, answer: REFUSAL.test(answer) ? 'refused' : answer, told: without(told, 'clientError') } : undefined),
  'whether what follows an answer is refused with another answer': ({ answer, told, ...rest }) =>
    ({ ...rest, answer: answer?.replace(/(?<=[^])HTTP\/1\.1 (?:400|408|431) [^\r]*\r\nConnection: close\r\n\r\n$/, ''), told: without(told, 'clientError') }),
  'whether ticks run between the parts of a packet': ({ told }) =>
    (told.some(({ body }) => body) ? without(told, 'clientError').map((what) => JSON.stringify(what)).sort() : undefined),
};
const reasonFor = (found, text) => Object.keys(known).find((reason) => {
  const forms = found.map((one) => known[reason](one, text));
  return forms[0] !== undefined && equal(forms);
});

async function work() {
  for (;;) {
    const seed = next++;
    if (seed >= last) return;
    const hostile = attack(seed);
    for (const which of [0, 1]) {
      done += 1;
      if (!equal(await compare(hostile, which))) doubtful.push({ seed, hostile, which });
    }
  }
}

await Promise.all(Array.from({ length: 16 }, work));
// Some differ only by what was faster: those are tried again, one at a time.
const reasons = new Map();
for (const { seed, hostile, which } of doubtful) {
  let found;
  for (let left = 4; left > 0; left--) {
    found = await compare(hostile, which);
    if (equal(found)) break;
  }
  if (equal(found)) continue;
  const reason = reasonFor(found, hostile.packets.map((packet) => packet.toString('latin1')).join(''));
  if (reason !== undefined) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    continue;
  }
  differences.add(seed);
  console.log(`seed ${seed}, ${which === 0 ? 'alone' : 'with listeners'}, ${hostile.ending}:`);
  for (const packet of hostile.packets) console.log(`  sent  ${shown(packet.toString('latin1'))}`);
  console.log(`  Node  ${shown(found[0])}\n  ours  ${shown(found[1])}`);
}
for (const [reason, times] of reasons) console.log(`${times} times: ${reason}`);
for (const { child } of servers) child.stdin.end();
console.log(`${done} exchanges of ${count} seeds from ${first}: ${differences.size} seeds differ`);
process.exitCode = differences.size === 0 ? 0 : 1;
