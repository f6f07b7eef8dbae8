// Tables of tests: the rows, and the names that are made of them.
'use strict';

const { format } = require('internal/expect/print');

const pretty = (value) => format(value, { maxDepth: 1, min: true });

const numeric = (value, read) => (typeof value === 'symbol' ? 'NaN' : signed(read(value)));
const signed = (number) => (Object.is(number, -0) ? '-0' : `${number}`);

// A value where a name has `%x`.
function placeholder(kind, value, isVitest) {
  switch (kind) {
    case 'p':
      return pretty(value);
    case 's':
      return typeof value === 'object' && value !== null && typeof value.toString !== 'function' ? '[Object: null prototype]' : text(value);
    case 'd':
      return typeof value === 'bigint' ? `${value}n` : numeric(value, Number);
    case 'i':
      return typeof value === 'bigint' ? `${value}n` : numeric(value, (given) => Number.parseInt(given, 10));
    case 'f':
      return numeric(value, Number.parseFloat);
    case 'j':
      return json(value);
    default:
      if (isVitest) return onOneLine(value);
      return require('internal/util/inspect').inspect(value, kind === 'o' ? { depth: 4, showHidden: true, showProxy: true } : {});
  }
}

function json(value) {
  try {
    return `${JSON.stringify(value)}`;
  } catch (error) {
    if (/circular/i.test(error.message)) return '[Circular]';
    throw error;
  }
}

function text(value) {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return signed(value);
  if (typeof value === 'object' && value !== null && !Object.hasOwn(value, 'toString') && !(value instanceof Error)) {
    return require('internal/util/inspect').inspect(value, { colors: false, compact: 3, depth: 0 });
  }
  return String(value);
}

const isPrimitive = (value) => value === null || (typeof value !== 'object' && typeof value !== 'function');
const isObject = (value) => value !== null && typeof value === 'object';

// What a path of names leads to: as far as it goes, in jest.
function follow(object, path) {
  let value = object;
  for (const key of path.split('.')) {
    if (value === null || value === undefined || !Object.hasOwn(Object(value), key)) return value;
    value = value[key];
  }
  return value;
}

const onOneLine = (value) => require('internal/util/inspect').inspect(value, { breakLength: Infinity, compact: true, depth: Infinity });
const LONGEST = 40;

// A value in a name of vitest.
function displayed(value) {
  if (typeof value === 'string') return value.length > LONGEST - 2 ? `'${value.slice(0, LONGEST - 3)}…'` : `'${value}'`;
  if (typeof value === 'function') return `[Function ${value.name || 'anonymous'}]`;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  return onOneLine(value);
}

const NAMED = /\$(#|[\p{ID_Start}_$][\p{ID_Continue}$.]*)/gu;

// `$name` and `$name.part` of a row with names.
function interpolated(name, row, index, isVitest) {
  return name.replace(NAMED, (whole, path) => {
    if (path === '#') return isVitest ? whole : `${index}`;
    const clean = path.replace(/\.+$/, '');
    const rest = path.slice(clean.length);
    if (isVitest) return displayed(clean.split('.').reduce((value, key) => value?.[key], row)) + rest;
    if (!(clean.split('.')[0] in row)) return whole;
    const value = follow(row, clean);
    return (isPrimitive(value) ? String(value) : pretty(value)) + rest;
  });
}

function filled(name, args, index, isVitest) {
  let at = 0;
  return name.replace(/%([%#$psdifjoOc])/g, (whole, kind) => {
    if (kind === '%') return '%';
    if (kind === '#') return `${index}`;
    if (kind === '$') return `${index + 1}`;
    if (isVitest ? kind === 'p' : at >= args.length) return whole;
    return placeholder(kind, args[at++], isVitest);
  });
}

/// The name of one row, of which the test gets `args`. In jest a name has either `%s` and the like or names of the
/// row's parts; `isNamed` says which of the two it is.
function nameOf(name, { args, isNamed, row }, index, isVitest) {
  const given = String(name);
  if (!isVitest) {
    if (isNamed) return interpolated(given, row, index, false).replaceAll('%%', '%');
    return filled(given, args, index, false);
  }
  // In vitest a row that is an array is spread here in any case.
  const parts = Array.isArray(row) ? row : args;
  const made = filled(given, parts, index, true);
  return isObject(parts[0]) ? interpolated(made, parts[0], index, true) : made;
}

class TableError extends Error {}

/// The rows of a table in either form, each with what its test is called with.
function rowsOf(table, values, name, isVitest) {
  if (table?.raw !== undefined && values.length === 0 && !isVitest) throw new TableError('`.each` was given a table without rows');
  if (table?.raw !== undefined) return templateRows(table, values).map((row) => ({ args: [row], isNamed: true, row }));
  if (typeof table === 'string' || typeof table?.[Symbol.iterator] !== 'function') {
    throw new TableError(`\`.each\` takes an array of rows or a tagged template literal, and was given ${pretty(table)}`);
  }
  const rows = [...table];
  if (rows.length === 0 && !isVitest) throw new TableError('`.each` was given a table without rows');
  // Rows are spread only if all of them can be.
  const isSpread = rows.every(Array.isArray);
  const isNamed = !isSpread && rows.every(isObject) && !/%[#$psdifjoO]/.test(String(name));
  return rows.map((row) => ({ args: isSpread ? row : [row], isNamed, row }));
}

function templateRows(table, values) {
  const heads = table[0].trim().replace(/\s/g, '').split('|');
  if (values.length % heads.length !== 0) {
    throw new TableError(`Not enough arguments supplied for given headings: ${heads.join(' | ')}\n\nReceived ${values.length} values for ${heads.length} columns`);
  }
  const rows = [];
  for (let at = 0; at < values.length; at += heads.length) {
    rows.push(Object.fromEntries(heads.map((head, column) => [head, values[at + column]])));
  }
  return rows;
}

module.exports = { TableError, nameOf, rowsOf };
