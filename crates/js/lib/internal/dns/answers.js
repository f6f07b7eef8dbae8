// What a program gets of the records that a server sent. Each function gives the answer, or undefined
// if there is none among them.
'use strict';

const { TYPES } = require('internal/dns/message');

const ofType = (records, type) => records.filter((record) => record.type === TYPES[type]);
const orNothing = (list) => (list.length === 0 ? undefined : list);

// Addresses are valid no longer than the names that lead to them.
function addresses(records, type) {
  const aliases = ofType(records, 'CNAME');
  const found = ofType(records, type);
  if (found.length === 0 && aliases.length === 0) return undefined;
  const limit = Math.min(...aliases.map(({ ttl }) => ttl));
  return found.map(({ ttl, content }) => ({ address: content.address, ttl: Math.min(ttl, limit) }));
}

const contents = (records, type) => orNothing(ofType(records, type).map(({ content }) => content));
const values = (records, type) => contents(records, type)?.map(({ value }) => value);

function any(records) {
  const typed = (list, type) => (list ?? []).map((content) => ({ ...content, type }));
  const aliases = contents(records, 'CNAME');
  const own = (type) => ofType(records, type).map(({ ttl, content }) => ({ ...content, ttl }));
  return orNothing([
    // Where there is an alias, the addresses are not the name's own.
    ...(aliases === undefined ? typed(own('A'), 'A') : typed(aliases, 'CNAME')),
    ...typed(own('AAAA'), 'AAAA'),
    ...['MX', 'NS', 'TXT', 'SRV', 'PTR', 'NAPTR', 'SOA', 'CAA'].flatMap((type) => typed(contents(records, type), type)),
  ]);
}

module.exports = {
  A: (records, withTtl) => addresses(records, 'A')?.map((one) => (withTtl ? one : one.address)),
  AAAA: (records, withTtl) => addresses(records, 'AAAA')?.map((one) => (withTtl ? one : one.address)),
  ANY: any,
  CAA: (records) => contents(records, 'CAA'),
  CNAME: (records) => values(records, 'CNAME')?.slice(0, 1),
  MX: (records) => contents(records, 'MX'),
  NAPTR: (records) => contents(records, 'NAPTR'),
  NS: (records) => values(records, 'NS'),
  PTR: (records) => values(records, 'PTR'),
  SOA: (records) => contents(records, 'SOA')?.[0],
  SRV: (records) => contents(records, 'SRV'),
  TXT: (records) => contents(records, 'TXT')?.map(({ entries }) => entries),
};
