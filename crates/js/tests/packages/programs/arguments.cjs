// packages: minimist@1.2.8 semver@7.8.6 qs@6.17.1 ini@6.0.0 toml@5.0.1 deepmerge@4.3.1 fast-deep-equal@3.1.3
const minimist = require('minimist');
const semver = require('semver');
const qs = require('qs');
console.log(minimist(['-abc', '--x=3', '--no-color', '--', 'rest', '-z'], { boolean: ['a'], alias: { x: 'ex' }, default: { y: 1 } }));
console.log(semver.satisfies('1.2.3', '^1.0.0 || >=3'), semver.inc('1.2.3-beta.1', 'prerelease'), semver.sort(['1.10.0', '1.2.0', '1.2.0-rc']), semver.coerce('v2.3').version,
  new semver.Range('>=1.2 <2 || ~3.1').format(), semver.validRange('nope'), semver.diff('1.0.0', '1.1.0'), semver.minVersion('>1.0.0').version);
console.log(qs.parse('a[b][c]=1&a[b][d][]=2&a[b][d][]=3&e=%C3%A9'), qs.stringify({ a: { b: [1, { c: 'd e' }] }, n: null }));
console.log(require('ini').parse('a=1\n[s]\nb=true\nc[]=x\nc[]=y'), require('toml').parse('[a]\nb = 1979-05-27T07:32:00Z\nc = [1, 2]\n'));
console.log(require('deepmerge')({ a: [1], b: { c: 1 } }, { a: [2], b: { d: 2 } }), require('fast-deep-equal')({ a: [1, { b: NaN }] }, { a: [1, { b: NaN }] }));
try { new semver.SemVer('x'); } catch (error) { console.log(error.name, error.message); }
