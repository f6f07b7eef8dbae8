// `console.table`: rows and columns in boxes.
//
// From binding: previewEntries(iterator), optional; what is left of an iterator, without taking it.

const { kindOf } = require('internal/util/kind');
const { inspect, getStringWidth } = require('internal/util/inspect');

const indexHead = '(index)';
const iterationHead = '(iteration index)';
const keyHead = 'Key';
const valuesHead = 'Values';

/// Draws columns of texts below their heads; a missing text leaves the cell empty.
function draw(heads, columns) {
  const widths = heads.map((head) => getStringWidth(head) + 2);
  const cellOf = (column, i, row) => {
    const text = column[row] ?? '';
    widths[i] = Math.max(widths[i], getStringWidth(text) + 2);
    return text;
  };
  const rows = Array.from({ length: Math.max(...columns.map((column) => column.length)) },
                          (_, row) => columns.map((column, i) => cellOf(column, i, row)));
  const bars = widths.map((width) => '─'.repeat(width));
  const cell = (text, i) => ` ${text}${' '.repeat(widths[i] - getStringWidth(text) - 1)}`;
  const line = (cells) => `│${cells.map(cell).join('│')}│`;
  return [
    `┌${bars.join('┬')}┐`, line(heads), `├${bars.join('┼')}┤`, ...rows.map(line), `└${bars.join('┴')}┘`,
  ].join('\n');
}

/// The table of an object or collection; `properties` chooses columns, `options` are those of inspect.
function table(data, properties, options) {
  const show = (value) => {
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    const isLarge = isObject && Object.keys(value).length > 2;
    return inspect(value, { depth: isLarge ? -1 : 0, maxArrayLength: 3, breakLength: Infinity, ...options });
  };
  const numbered = (heads, ...columns) =>
    draw([iterationHead, ...heads], [columns[0].map((_, i) => show(i)), ...columns]);

  const kind = kindOf(data);
  let isKeyValue = kind === 'Map';
  let entries = data;
  if ((kind === 'Map Iterator' || kind === 'Set Iterator') && binding.previewEntries !== undefined) {
    const [preview, hasKeys] = binding.previewEntries(data);
    isKeyValue = hasKeys && kind === 'Map Iterator';
    entries = isKeyValue ? preview.filter((_, i) => i % 2 === 0).map((key, i) => [key, preview[i * 2 + 1]]) : preview;
  }
  if (isKeyValue) {
    const shown = Array.from(entries, (entry) => [show(entry[0]), show(entry[1])]);
    return numbered([keyHead, valuesHead], shown.map(([key]) => key), shown.map(({ 1: value }) => value));
  }
  if (kind === 'Set' || entries !== data) return numbered([valuesHead], Array.from(entries, show));
  return propertyTable(data, properties, show);
}

/// A row per property of `data`, a column per property of those; primitives have a
/// column of their own, unless columns are chosen.
function propertyTable(data, properties, show) {
  const columns = { __proto__: null };
  const primitives = [];
  const indexes = Object.keys(data);
  indexes.forEach((index, row) => {
    const item = data[index];
    const isPrimitive = Object(item) !== item;
    if (isPrimitive && properties === undefined) primitives[row] = show(item);
    for (const key of properties ?? (isPrimitive ? [] : Object.keys(item))) {
      columns[key] ??= [];
      columns[key][row] = isPrimitive || !Object.hasOwn(item, key) ? '' : show(item[key]);
    }
  });
  const heads = [indexHead, ...Object.keys(columns)];
  const lists = [indexes, ...Object.values(columns)];
  if (primitives.length > 0) {
    heads.push(valuesHead);
    lists.push(primitives);
  }
  return draw(heads, lists);
}

module.exports = { table };
