// What a program gets of the records that a server sent, of which there is at least one. Each function gives
// the answer, or a code if there is none among them.
'use strict';

const { TYPES } = require('internal/dns/message');

const NODATA = 'ENODATA';

const ofType = (records, type) => records.filter((record) => record.isInternet && record.type === TYPES[type]);
const contents = (records, type) => ofType(records, type).map(({ content }) => content);

// Addresses are valid no longer than the names that lead to them.
function timed(records, type) {
  const limit = Math.min(...ofType(records, 'CNAME').map(({ ttl }) => ttl));
  return ofType(records, type).map(({ ttl, content }) => ({ ...content, ttl: Math.min(ttl, limit) }));
}

function addresses(records, type, withTtl) {
  const found = timed(records, type);
  if (found.length === 0 && ofType(records, 'CNAME').length === 0) return NODATA;
  return withTtl ? found : found.map(({ address }) => address);
}

function values(records, type) {
  const found = contents(records, type).map(({ value }) => value);
  return found.length === 0 ? NODATA : found;
}

// What a name stands for; one that has an address stands for itself.
function alias(records, name) {
  const found = values(records, 'CNAME');
  if (found !== NODATA) return found.slice(0, 1);
  return ofType(records, 'A').length > 0 ? [name] : NODATA;
}

function any(records) {
  const typed = (list, type) => list.map((content) => ({ ...content, type }));
  const all = (type) => typed(contents(records, type), type);
  const aliases = all('CNAME').slice(0, 1);
  return [
    // Where there is an alias, the addresses are not the name's own.
    ...(aliases.length === 0 ? typed(timed(records, 'A'), 'A') : aliases),
    ...typed(timed(records, 'AAAA'), 'AAAA'),
    ...['MX', 'NS', 'TXT', 'SRV', 'PTR', 'NAPTR'].flatMap(all),
    ...all('SOA').slice(0, 1),
    ...all('CAA'),
  ];
}

module.exports = {
  A: (records, name, withTtl) => addresses(records, 'A', withTtl),
  AAAA: (records, name, withTtl) => addresses(records, 'AAAA', withTtl),
  ANY: any,
  CAA: (records) => contents(records, 'CAA'),
  CNAME: alias,
  MX: (records) => contents(records, 'MX'),
  NAPTR: (records) => contents(records, 'NAPTR'),
  NS: (records) => values(records, 'NS'),
  PTR: (records) => values(records, 'PTR'),
  SOA: (records) => contents(records, 'SOA')[0] ?? 'EBADRESP',
  SRV: (records) => contents(records, 'SRV'),
  TXT: (records) => contents(records, 'TXT').map(({ entries }) => entries),
};
