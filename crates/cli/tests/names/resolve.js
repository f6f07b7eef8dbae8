// Names by way of a server, which is part of the program.
'use strict';
const dns = require('dns');
const dgram = require('dgram');
const { inspect, promisify } = require('util');
const { types, text, name, words, longs, address, record, reply, serve } = require('./server.cjs');

const about = (error) => [error.name, error.code, error.errno, error.syscall, error.hostname, error.message, Object.keys(error).join(' ')].join(' | ');
const shown = (value) => inspect(value, { depth: 5, maxArrayLength: 8, breakLength: Infinity });
const answers = (...list) => (query) => reply(query, { answers: list.map(([type, data, ...more]) => record(query.name, type, data, ...more)) });
const soa = Buffer.concat([name('ns.test'), name('host.master.test'), longs(1, 2, 3, 4, 0xffffffff)]);
const everything = [
  ['A', address('1.1.1.1'), 11], ['A', address('1.1.1.2'), 12], ['AAAA', words(1, 0, 0, 0, 0, 0, 0, 2), 13],
  ['MX', Buffer.concat([words(1), name('m.test')])], ['TXT', Buffer.concat([text('t'), text('u')])], ['NS', name('n.test')], ['SOA', soa],
  ['SRV', Buffer.concat([words(1, 2, 3), name('s.test')])], ['CAA', Buffer.concat([Buffer.from([0]), text('issue'), Buffer.from('c')])],
  ['NAPTR', Buffer.concat([words(1, 2), text('a'), text('b'), text('c'), name('r.test')])], ['PTR', name('p.test')],
  [99, Buffer.from('zz')], ['TLSA', Buffer.from([3, 1, 1, 9])],
];
const failing = (status) => (query) => reply(query, { status });

const zone = {
  'a.test': (query) => {
    if (query.type === types.A) return answers(['A', address('1.2.3.4'), 300], ['A', address('5.6.7.8'), 100])(query);
    if (query.type === types.AAAA) return answers(['AAAA', words(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1), 30])(query);
    return reply(query);
  },
  'compressed.test': (query) => reply(query, { answers: [record(Buffer.from([0xc0, 12]), 'MX', Buffer.concat([words(7), Buffer.from([1, 0x6d, 0xc0, 23])]))] }),
  'alias.test': (query) => reply(query, { answers: [record(query.name, 'CNAME', name('a.test'), 20), record('a.test', 'A', address('1.2.3.4'), 300)] }),
  'cname.test': answers(['CNAME', name('target.test')]),
  'mx.test': answers(['MX', Buffer.concat([words(20), name('mx2.test')])], ['MX', Buffer.concat([words(10), name('mx1.test')])]),
  'txt.test': answers(['TXT', Buffer.concat([text('one'), text('two')])], ['TXT', text('é')], ['TXT', text('')]),
  'ns.test': answers(['NS', name('ns1.test')], ['NS', name('ns2.test')]),
  'soa.test': answers(['SOA', soa]),
  '_x._tcp.srv.test': answers(['SRV', Buffer.concat([words(10, 5, 5060), name('sip.test')])]),
  'naptr.test': answers(['NAPTR', Buffer.concat([words(10, 5), text('s'), text('SIP+D2U'), text('!re!'), name('_sip.test')])]),
  'caa.test': answers(['CAA', Buffer.concat([Buffer.from([128]), text('issue'), Buffer.from('ca.test')])], ['CAA', Buffer.concat([Buffer.from([0]), text('iodef'), Buffer.from('mailto:x@test')])]),
  'caa-empty.test': answers(['CAA', Buffer.concat([Buffer.from([1]), text('issue')])]),
  'ptr.test': answers(['PTR', name('host.test')]),
  'any.test': answers(...everything),
  'any-alias.test': answers(...everything, ['CNAME', name('cn.test')]),
  'addresses.test': answers(...[[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0xffff, 0x102, 0x304], [0, 0, 0, 0, 0, 0, 0, 0x42], [0, 0, 0, 0, 0, 0, 1, 2], [1, 0, 0, 2, 0, 0, 0, 3], [1, 0, 2, 0, 3, 0, 4, 0], [1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 2, 3, 4, 5, 0, 0]].map((groups) => ['AAAA', words(...groups)])),
  'escaped.test': answers(['CNAME', Buffer.concat([text('a.b c"d;e\\f(g)@$'), Buffer.from([4, 1, 0x7f, 0x80, 0xff]), name('%&/*_-.test')])]),
  'formerr.test': failing(1), 'servfail.test': failing(2), 'nx.test': failing(3), 'notimp.test': failing(4), 'refused.test': failing(5), 'nine.test': failing(9),
  'nodata.test': (query) => reply(query),
  'authority.test': (query) => reply(query, { authority: [record(query.name, 'A', address('1.1.1.1'))] }),
  'other-type.test': answers(['TXT', text('x')]),
  'other-name.test': (query) => reply(query, { answers: [record('unrelated.test', 'A', address('7.7.7.7'))] }),
  'other-class.test': answers(['A', address('7.7.7.7'), 60, 3]),
  'other-case.test': (query) => reply(query, { question: Buffer.concat([name('OTHER-case.test'), words(query.type, 1)]), answers: [record('other-case.test', 'A', address('1.1.1.1'))] }),
  'no-reply-flag.test': (query) => reply(query, { flags: 0x0100 }),
  'trailing.test': (query) => reply(query, { answers: [record(query.name, 'A', address('1.2.3.4'))], extra: Buffer.from('xx') }),
  'zero.test': answers(['A', address('1.2.3.4'), 0]), 'long.test': answers(['A', address('1.2.3.4'), 0xffffffff]),
  'garbage.test': (query) => Buffer.concat([words(query.id), Buffer.from('garbage garbage garbage')]),
  'short.test': (query) => words(query.id, 0x8180),
  'empty.test': () => Buffer.alloc(0),
  'bad-record.test': answers(['A', Buffer.from([1, 2])]),
  'half-bad.test': answers(['A', address('1.1.1.1')], ['MX', Buffer.from([1])]),
  'loop.test': (query) => reply(query, { answers: [record(Buffer.from([0xc0, 12 + query.question.length]), 'A', address('1.2.3.4'))] }),
  'no-question.test': (query) => reply(query, { question: Buffer.alloc(0), questions: 0, answers: [record(query.name, 'A', address('1.2.3.4'))] }),
  'fewer.test': (query) => reply(query, { answers: [record(query.name, 'A', address('1.2.3.4'))] }).fill(9, 7, 8),
  'wrong-id.test': (query) => reply(query, { id: query.id ^ 1 }),
  'wrong-question.test': (query) => reply(query, { question: Buffer.concat([name('other.test'), words(query.type, 1)]), answers: [record('other.test', 'A', address('6.6.6.6'))] }),
  'silent.test': () => null,
  'big.test': (query, overTcp) => (overTcp ? answers(...Array.from({ length: 100 }, (_, i) => ['A', address(`10.0.0.${i}`)]))(query) : reply(query, { flags: 0x8380 })),
  '4.3.2.1.in-addr.arpa': answers(['PTR', name('rev.test')], ['PTR', name('rev2.test')]),
  '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': answers(['PTR', name('six.test')]),
};

// A name for every type that has a record of that type alone.
for (const [type, ...rest] of everything) zone[`only-${type}.test`.toLowerCase()] = answers([type, ...rest]);
zone['only-cname.test'] = answers(['CNAME', name('c1.test')], ['CNAME', name('c2.test')]);
zone['owner.test'] = (query) => reply(query, { answers: [record('o|wner.test', 'A', address('1.2.3.4'))] });
zone['class.test'] = answers(['A', address('1.2.3.4'), 60, 7]);
zone['tag.test'] = answers(['CAA', Buffer.concat([Buffer.from([0]), text('iss\0e'), Buffer.from('c')])]);

async function main() {
  const server = await serve(zone);
  const resolver = new dns.promises.Resolver({ timeout: 5000, tries: 2 });
  const hasty = new dns.promises.Resolver({ timeout: 100, tries: 2 });
  resolver.setServers([server.at]);
  hasty.setServers([server.at]);
  const askBy = async (by, method, ...args) => {
    const answer = await by[method](...args).then(shown, about);
    console.log(method, ...args.map(shown), '=>', answer);
  };
  const ask = (...args) => askBy(resolver, ...args);

  console.log('-- records');
  for (const args of [['a.test'], ['a.test', { ttl: true }], ['A.TEST'], ['a.test.'], ['alias.test', { ttl: true }], ['cname.test'], ['zero.test', { ttl: 1 }], ['long.test', { ttl: 1 }], ['big.test']]) await ask('resolve4', ...args);
  for (const args of [['a.test'], ['a.test', { ttl: true }], ['addresses.test']]) await ask('resolve6', ...args);
  for (const args of [
    ['resolveCname', 'cname.test'], ['resolveCname', 'alias.test'], ['resolveCname', 'escaped.test'], ['resolveMx', 'mx.test'], ['resolveMx', 'compressed.test'], ['resolveTxt', 'txt.test'],
    ['resolveNs', 'ns.test'], ['resolveSoa', 'soa.test'], ['resolveSrv', '_x._tcp.srv.test'], ['resolveNaptr', 'naptr.test'], ['resolveCaa', 'caa.test'], ['resolveCaa', 'caa-empty.test'],
    ['resolvePtr', 'ptr.test'], ['resolve', 'a.test'], ['resolve', 'a.test', 'AAAA'], ['resolve', 'any.test', 'MX'], ['resolve', 'soa.test', 'SOA'],
  ]) await ask(...args);
  for (const one of ['any.test', 'any-alias.test']) for (const part of await resolver.resolveAny(one)) console.log(one, part);

  console.log('-- problems');
  for (const one of Object.keys(zone).filter((key) => !/^(?:4\.|1\.|silent|wrong|empty|only)/.test(key)).slice(17)) await ask('resolve4', one, { ttl: true });
  for (const one of ['silent.test', 'wrong-id.test', 'wrong-question.test', 'empty.test']) await askBy(hasty, 'resolve4', one);
  for (const [method, one] of [['resolveMx', 'nodata.test'], ['resolveSoa', 'nodata.test'], ['resolveAny', 'nodata.test'], ['resolveSrv', 'nx.test'], ['resolveCname', 'a.test'], ['resolveTxt', 'a.test'], ['resolveMx', 'bad-record.test'], ['resolve6', 'bad-record.test']]) await ask(method, one);
  for (const one of ['unknown', 'localhost', '', '.', 'a..b', '.a', `${'x'.repeat(64)}.test`, 'x'.repeat(260), 'ä.test', 'a b.test', 'a@b.test', 'a\\.b.test', 'a\\046b.test', 'foo.onion', 'onion.test', '1.2.3.4', '-x.test', '*.test', 'a_b.test', '\0.test']) await ask('resolve4', one);

  for (const one of Object.keys(zone).filter((key) => key.startsWith('only-'))) {
    for (const type of ['A', 'AAAA', 'ANY', 'CAA', 'CNAME', 'MX', 'NAPTR', 'NS', 'PTR', 'SOA', 'SRV', 'TXT']) await ask('resolve', one, type);
  }

  console.log('-- backwards');
  for (const one of ['1.2.3.4', '9.9.9.9', '2001:db8::1', 'fe80::2', 'nobody', '']) await ask('reverse', one);
  for (const key of Object.keys(server.asked).sort()) console.log(key, server.asked[key]);

  console.log('-- several servers');
  const gone = dgram.createSocket('udp4');
  await new Promise((done) => gone.bind(0, '127.0.0.1', done));
  const nobody = `127.0.0.1:${gone.address().port}`;
  await new Promise((done) => gone.close(done));
  resolver.setServers([nobody]);
  await ask('resolve4', 'a.test');
  resolver.setServers([nobody, server.at]);
  await ask('resolve4', 'a.test');
  resolver.setServers([]);
  await ask('resolve4', 'a.test');
  const withoutTcp = await serve(zone, false);
  resolver.setServers([withoutTcp.at]);
  await ask('resolve4', 'big.test');
  withoutTcp.close();
  resolver.setServers([server.at]);
  resolver.setLocalAddress('127.0.0.1');
  await ask('resolve4', 'a.test');

  console.log('-- giving up');
  const pending = ask('resolve4', 'silent.test');
  try { resolver.setServers([server.at]); } catch (error) { console.log(about(error).replace(/:\d+/, ':PORT')); }
  resolver.cancel();
  await pending;
  resolver.cancel();
  const plain = new dns.Resolver();
  plain.setServers([server.at]);
  console.log(plain.resolve4('a.test', () => {}));
  plain.cancel();
  plain.resolve4('a..b', (error) => console.log('later', error.code));
  console.log('now');
  console.log(await promisify(plain.resolve4).call(plain, 'a.test', { ttl: true }));
  dns.setServers([server.at]);
  console.log(dns.getServers().length, dns.promises.getServers().length, await dns.promises.resolve4('a.test'), await promisify(dns.resolve)('a.test', 'AAAA'));
  server.close();

  console.log('-- arguments');
  const attempt = (title, act) => {
    try { console.log(title, act()); } catch (error) { console.log(title, `${error.name} | ${error.code} | ${error.message}`); }
  };
  for (const servers of [
    undefined, 'x', [1], ['x'], ['1.2.3.4:99999'], ['1.2.3.4:'], ['1.2.3.4:x'], ['::1'], ['[::1]'], ['[::1]:53'], ['[::1]:5353'], ['127.0.0.1:53'], ['[x]:1'], [''], [],
    ['fe80::1%lo'], ['127.0.0.1 '], ['1.2.3.4', '1.2.3.4'], ['::ffff:1.2.3.4'], ['2001:0db8::0001'], ['1.2.3.4:053'], ['[1.2.3.4]:5'], ['::1:53'], ['[::1]:'], ['1.2.3.4:-5'],
  ]) attempt(`setServers ${shown(servers)}`, () => { plain.setServers(servers); return plain.getServers(); });
  for (const options of [undefined, null, {}, 1, { timeout: 'x' }, { timeout: -2 }, { timeout: -1 }, { timeout: 0 }, { timeout: 1.5 }, { tries: 0 }, { tries: 'x' }, { tries: 2 ** 31 }]) {
    attempt(`new ${shown(options)}`, () => new dns.Resolver(options));
  }
  for (const args of [[], ['x'], ['127.0.0.1'], ['::1'], ['127.0.0.1', '::1'], ['::1', '127.0.0.1'], ['127.0.0.1', '0.0.0.0'], ['::1', '::'], [1], ['127.0.0.1', 1]]) {
    attempt(`setLocalAddress ${shown(args)}`, () => plain.setLocalAddress(...args));
  }
  const nothing = () => {};
  for (const args of [[], ['x'], [1, nothing], ['x', 1], ['x', 'A'], ['x', 'ZZ', nothing], ['x', {}, nothing], ['x', null, nothing]]) {
    attempt(`resolve ${shown(args)}`, () => dns.resolve(...args));
    attempt(`resolve4 ${shown(args)}`, () => typeof args[2] === 'function' || dns.resolve4(...args));
    attempt(`reverse ${shown(args)}`, () => dns.reverse(...args));
    attempt(`promise ${shown(args)}`, () => typeof dns.promises.resolve(...args.slice(0, 2)).catch(nothing));
  }
}
main();
