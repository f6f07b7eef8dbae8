// Tables of tests: the rows, and the names that are made of them.
'use strict';

const { format } = require('internal/expect/print');

const pretty = (value) => format(value, { maxDepth: 1, min: true });

// A value where a name has `%x`.
function placeholder(kind, value) {
  switch (kind) {
    case 'p':
      return pretty(value);
    case 's':
      return typeof value === 'object' && value !== null && typeof value.toString !== 'function' ? '[Object: null prototype]' : text(value);
    case 'd':
      return typeof value === 'bigint' ? `${value}n` : `${Number(value)}`;
    case 'i':
      return `${Number.parseInt(value, 10)}`;
    case 'f':
      return `${Number.parseFloat(value)}`;
    case 'j':
      return JSON.stringify(value);
    default:
      return require('internal/util/inspect').inspect(value, kind === 'o' ? { depth: 4, showHidden: true, showProxy: true } : {});
  }
}

function text(value) {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'object' && value !== null && !Object.hasOwn(value, 'toString') && !(value instanceof Error)) {
    return require('internal/util/inspect').inspect(value, { colors: false, compact: 3, depth: 0 });
  }
  return String(value);
}

function follow(object, path) {
  return path.split('.').reduce((value, key) => value?.[key], object);
}

const isPrimitive = (value) => value === null || (typeof value !== 'object' && typeof value !== 'function');

// `$name` and `$name.part` of a row with names.
function interpolated(name, row, index, isVitest) {
  return name.replace(/\$(#|[\p{ID_Start}_$][\p{ID_Continue}$.]*)/gu, (whole, path) => {
    if (path === '#') return `${index}`;
    const clean = path.replace(/\.+$/, '');
    const rest = path.slice(clean.length);
    if (!(clean.split('.')[0] in row)) return whole;
    const value = follow(row, clean);
    if (isVitest && typeof value === 'string') return `'${value}'${rest}`;
    return (isPrimitive(value) ? String(value) : pretty(value)) + rest;
  });
}

/// The name of one row.
function nameOf(name, row, index, isVitest) {
  let at = 0;
  const args = Array.isArray(row) ? row : [row];
  let made = String(name).replace(/%([%#$psdifjoOc])/g, (whole, kind) => {
    if (kind === '%') return '%';
    if (kind === '#') return `${index}`;
    if (kind === '$') return `${index + 1}`;
    if (at >= args.length) return whole;
    return placeholder(kind, args[at++]);
  });
  const named = !Array.isArray(row) && row !== null && typeof row === 'object' ? row : args.length === 1 && args[0] !== null && typeof args[0] === 'object' ? args[0] : undefined;
  if (named !== undefined) made = interpolated(made, named, index, isVitest);
  return made;
}

/// The rows of a table in either form.
function rowsOf(table, values) {
  if (!Array.isArray(table)) {
    if (typeof table?.[Symbol.iterator] === 'function') return [...table];
    throw new TypeError('`.each` takes an array of rows or a tagged template literal');
  }
  if (table.raw === undefined) return table;
  const heads = table[0].trim().replace(/\s/g, '').split('|');
  if (values.length % heads.length !== 0) {
    throw new Error(`Not enough arguments supplied for given headings: ${heads.join(' | ')}\n\nReceived ${values.length} values for ${heads.length} columns`);
  }
  const rows = [];
  for (let at = 0; at < values.length; at += heads.length) {
    rows.push(Object.fromEntries(heads.map((head, column) => [head, values[at + column]])));
  }
  return rows;
}

module.exports = { nameOf, rowsOf };
