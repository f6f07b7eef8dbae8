// Certificates: what they say, and what can be asked of them.
'use strict';

const { X509Certificate } = require('crypto');
const tls = require('tls');
const { read } = require('./common.cjs');

const attempt = (action) => {
  try {
    return action();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};

for (const name of ['rich', 'self', 'server', 'ed', 'middle']) {
  const certificate = new X509Certificate(read(`${name}.pem`));
  console.log(certificate, certificate.toLegacyObject(), certificate.ca, certificate.toString().length);
  console.log(certificate.publicKey.asymmetricKeyType, certificate.publicKey.asymmetricKeyDetails);
}

const [rich, ca, elsewhere, nameless] = ['rich', 'ca', 'elsewhere', 'nameless'].map((name) => new X509Certificate(read(`${name}.pem`)));
for (const bad of [5, 'x', Buffer.from('x'), '-----BEGIN CERTIFICATE-----\nabcd\n-----END CERTIFICATE-----\n']) {
  console.log(attempt(() => new X509Certificate(bad)));
}
console.log(rich.checkIssued(ca), ca.checkIssued(rich), rich.verify(ca.publicKey), ca.verify(ca.publicKey), rich.verify(rich.publicKey));
for (const host of ['elsewhere.example', 'ELSEWHERE.example', 'a.wild.example', 'a.b.wild.example', 'wild.example', 'x.example', '.example', '']) {
  console.log(host, elsewhere.checkHost(host), elsewhere.checkHost(host, { wildcards: false }));
}
console.log(nameless.checkHost('agent.example'), nameless.checkHost('agent.example', { subject: 'never' }));
console.log(elsewhere.checkIP('10.1.2.3'), elsewhere.checkIP('10.1.2.4'), rich.checkIP('2001:db8::5'));
for (const email of ['a@b.example', 'A@b.example', 'a@B.example', 'x@y']) console.log(email, elsewhere.checkEmail(email));
console.log(attempt(() => rich.checkHost(5)), attempt(() => rich.checkHost('a', { subject: 'x' })), attempt(() => rich.verify(5)));
console.log(attempt(() => rich.checkIssued(5)));

// Names against hosts.
const hosts = ['a.example', 'A.Example.', 'b.a.example', 'example', '1.2.3.4', '::1', '0:0::1', 'xn--bcher-kva.example', ''];
const certificates = [
  { subject: { CN: 'a.example' } }, { subject: { CN: '*.example' } }, { subject: { CN: '*.a.example' } }, { subject: { CN: ['x', 'a.example'] } },
  { subject: {} }, {}, { subject: { CN: 'b*.a.example' } }, { subject: { CN: '*' } }, { subject: { CN: 'xn--*.example' } },
  { subjectaltname: 'DNS:a.example, DNS:*.a.example', subject: { CN: 'zzz' } }, { subjectaltname: 'IP Address:1.2.3.4, IP Address:0:0:0:0:0:0:0:1' },
  { subjectaltname: 'URI:http://a.example/', subject: { CN: 'a.example' } }, { subjectaltname: 'DNS:"a.example"' },
  { subjectaltname: 'DNS:"x\\u002c DNS:a.example", IP Address:1.2.3.4' },
];
for (const certificate of certificates) {
  console.log(hosts.map((host) => attempt(() => tls.checkServerIdentity(host, certificate)?.reason ?? 'fits')));
}
console.log(attempt(() => tls.checkServerIdentity('a', { subjectaltname: 'DNS:"a' })));

// What contexts are made of.
const pem = '-----BEGIN CERTIFICATE-----\nabcd\n-----END CERTIFICATE-----\n';
for (const options of [
  { cert: 'nonsense' }, { key: 'nonsense' }, { cert: '', key: '' }, { cert: read('server.pem'), key: read('ec.key') },
  { cert: read('server.pem'), key: read('ca.key') }, { key: read('ec.key') }, { cert: read('server.pem') }, { cert: pem }, { ca: pem }, { ca: 'nonsense' },
  { key: read('server.pkcs8.key') }, { key: read('server.pkcs8.key'), passphrase: 'x' }, { key: read('server.old.key'), passphrase: 'x' },
  { key: [{ pem: read('server.pkcs8.key'), passphrase: 'secret' }] }, { pfx: read('server.pfx'), passphrase: 'x' }, { pfx: Buffer.from('abc') },
  { ciphers: 'NOPE' }, { ciphers: 5 }, { minVersion: 'x' }, { maxVersion: 'x' }, { secureProtocol: 'x' }, { secureProtocol: 'TLSv1_2_method', minVersion: 'TLSv1.2' },
  { key: 5 }, { cert: 5 }, { ca: 5 }, { passphrase: 5, key: read('server.key') }, { ecdhCurve: 5 }, { ecdhCurve: 'x' }, { sigalgs: '' }, { dhparam: 5 },
  { sessionIdContext: 5 }, { sessionTimeout: 'x' }, { ticketKeys: 5 }, 5,
]) {
  console.log(attempt(() => tls.createSecureContext(options) instanceof tls.SecureContext));
}
console.log(tls.rootCertificates.length > 100, /^-----BEGIN CERTIFICATE-----\n[\s\S]*\n-----END CERTIFICATE-----$/.test(tls.rootCertificates[0]));
console.log(tls.DEFAULT_MIN_VERSION, tls.DEFAULT_MAX_VERSION, tls.DEFAULT_ECDH_CURVE, tls.DEFAULT_CIPHERS);
const out = {};
tls.convertALPNProtocols(['http/1.1', 'h2'], out);
console.log(out, attempt(() => tls.convertALPNProtocols(['x'.repeat(256)], out)));
