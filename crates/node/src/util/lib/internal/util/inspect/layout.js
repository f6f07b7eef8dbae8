// How the parts of a value are put on lines: side by side, in columns, or one below the other.

const { getStringWidth, stripTerminalSequences } = require('internal/util/inspect/text');

// Arrays with more entries than this are set in columns.
const minEntriesInColumns = 6;

/// Whether the entries fit on one line that already holds `start` characters.
function fitsOnLine(ctx, output, start, base) {
  const count = output.length;
  let left = ctx.breakLength - start - count;
  if (left < count || base.includes('\n')) return false;
  for (const entry of output) {
    left -= ctx.colors ? stripTerminalSequences(entry).length : entry.length;
    if (left < 0) return false;
  }
  return true;
}

/// How many columns look best: near a square, short of the line's end, and not too many.
function columnCount(ctx, entries, shown, total, widest) {
  // A character is about two and a half times as high as it is wide. Entries much shorter than the
  // widest allow for a few more columns.
  const bias = Math.sqrt(widest - total / entries);
  const width = Math.max(widest - 3 - bias, 1);
  const square = Math.round(Math.sqrt(2.5 * width * shown) / width);
  const room = Math.floor((ctx.breakLength - ctx.indentationLvl) / widest);
  return Math.min(square, room, ctx.compact * 4, 15);
}

/// Groups the entries of a long array into lines of aligned columns.
///
/// Gives back `output` itself if the entries are too long for that. `value` is the array; numbers
/// are aligned to the right. The note about further items stays on a line of its own.
function groupInColumns(ctx, output, value) {
  const separator = 2;
  const hasNote = ctx.maxArrayLength < output.length;
  const shown = hasNote ? output.length - 1 : output.length;
  const widths = [];
  let total = 0;
  let longest = 0;
  for (let i = 0; i < shown; i++) {
    const width = getStringWidth(output[i], ctx.colors);
    widths.push(width);
    total += width + separator;
    longest = Math.max(longest, width);
  }
  const widest = longest + separator;
  if (widest * 3 + ctx.indentationLvl >= ctx.breakLength) return output;
  if (total / widest <= 5 && longest > 6) return output;
  const columns = columnCount(ctx, output.length, shown, total, widest);
  if (columns <= 1) return output;

  const columnWidths = new Array(columns).fill(separator);
  widths.forEach((width, i) => {
    columnWidths[i % columns] = Math.max(columnWidths[i % columns], width + separator);
  });
  const isNumeric = value !== undefined &&
    output.every((_, i) => typeof value[i] === 'number' || typeof value[i] === 'bigint');

  const lines = [];
  let line = '';
  for (let i = 0; i < shown; i++) {
    const column = i % columns;
    const isLast = column === columns - 1 || i === shown - 1;
    // Colours count for the length of a text but not for its width.
    const width = columnWidths[column] + output[i].length - widths[i];
    if (isNumeric) line += isLast ? output[i].padStart(width - separator) : `${output[i]}, `.padStart(width);
    else line += isLast ? output[i] : `${output[i]}, `.padEnd(width);
    if (isLast) {
      lines.push(line);
      line = '';
    }
  }
  if (hasNote) lines.push(output[shown]);
  return lines;
}

/// Puts entries between braces, on one line if that is short enough.
///
/// `base` stands before the brace (a function's name, a reference); `depth` is how deep the value
/// lies, and a value that holds few further levels may still be put on one line.
function layOut(ctx, output, base, braces, isArray, depth, value) {
  const [open, close] = braces;
  const indentation = `\n${' '.repeat(ctx.indentationLvl)}`;
  if (ctx.compact === true) {
    const lead = base ? ` ${base}` : '';
    if (fitsOnLine(ctx, output, 0, base)) return `${open}${lead} ${output.join(', ')} ${close}`;
    // Entries line up behind a short brace, and below a long one.
    const gap = base === '' && open.length === 1 ? ' ' : `${lead}${indentation}  `;
    return `${open}${gap}${output.join(`,${indentation}  `)} ${close}`;
  }
  const lead = base ? `${base} ` : '';
  if (typeof ctx.compact === 'number') {
    const entries = output.length;
    if (isArray && entries > minEntriesInColumns) output = groupInColumns(ctx, output, value);
    // Only what holds few further levels, and is not set in columns, may go on one line.
    const isFlat = ctx.currentDepth - depth < ctx.compact && output.length === entries;
    const start = entries + ctx.indentationLvl + open.length + base.length + 10;
    if (isFlat && fitsOnLine(ctx, output, start, base)) {
      const joined = output.join(', ');
      if (!joined.includes('\n')) return `${lead}${open} ${joined} ${close}`;
    }
  }
  return `${lead}${open}${indentation}  ${chained(output, `,${indentation}  `)}${indentation}${close}`;
}

/// The entries one after the other: `join` would copy what lies deep once for each level above it.
function chained(output, between) {
  let text = output.length > 0 ? output[0] : '';
  for (let index = 1; index < output.length; index++) text += between + output[index];
  return text;
}

module.exports = { layOut };
