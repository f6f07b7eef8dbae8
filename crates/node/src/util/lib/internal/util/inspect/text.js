// Texts and numbers as inspection shows them, and how wide a text is on a screen.

// Control characters, backslash, and halves of surrogate pairs that stand alone.
const loneSurrogate = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
const special = new RegExp(`[\\x00-\\x1f\\\\\\x7f-\\x9f]|${loneSurrogate}`);
const specialAll = new RegExp(special.source, 'g');
const shortEscapes = { '__proto__': null, '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\' };

function escapeCharacter(char) {
  const code = char.charCodeAt(0);
  if (code >= 0xd800) return `\\u${code.toString(16)}`;
  return shortEscapes[char] ?? `\\x${code < 16 ? '0' : ''}${code.toString(16).toUpperCase()}`;
}

/// The text with its special characters escaped, and no quotes around it.
function escapeSpecial(text) {
  return special.test(text) ? text.replace(specialAll, escapeCharacter) : text;
}

/// The text as a literal, in the quotes that need the least escaping.
function quote(text) {
  let mark = "'";
  if (text.includes("'")) {
    if (!text.includes('"')) mark = '"';
    else if (!text.includes('`') && !text.includes('${')) mark = '`';
  }
  let escaped = escapeSpecial(text);
  if (mark === "'" && escaped.includes("'")) escaped = escaped.replaceAll("'", "\\'");
  return mark + escaped + mark;
}

/// Puts a separator between each three digits, counted from the point.
const separateInteger = (digits) => digits.replace(/\B(?=(?:\d{3})+$)/g, '_');
const separateFraction = (digits) => digits.replace(/(\d{3})(?=\d)/g, '$1_');

function numberText(number, numericSeparator = false) {
  if (!numericSeparator) return Object.is(number, -0) ? '-0' : `${number}`;
  const text = `${number}`;
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  const [integer, fraction] = text.split('.');
  return separateInteger(integer) + (fraction === undefined ? '' : `.${separateFraction(fraction)}`);
}

function bigintText(bigint, numericSeparator = false) {
  const text = `${bigint}`;
  return `${numericSeparator ? separateInteger(text) : text}n`;
}

// An escape sequence of a terminal: one that sets something and ends with a bell or a string
// terminator, or one that ends with its own last letter.
const url = '[-a-zA-Z\\d/#&.:=?%@~_]';
const setting = `(?:(?:;${url}+)*|[a-zA-Z\\d]+(?:;${url}*)*)?(?:\\u0007|\\u001b\\u005c|\\u009c)`;
const command = '(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-nq-uy=><~]';
const terminalSequence = new RegExp(`[\\u001b\\u009b][[\\]()#;?]*(?:${setting}|${command})`, 'g');

function stripTerminalSequences(text) {
  return text.replace(terminalSequence, '');
}

// East Asian wide and full-width characters that are not emoji, as ranges of code points.
const wideRanges =
  '1100-115f 2329-232a 2630-2637 268a-268f 2e80-2e99 2e9b-2ef3 2f00-2fd5 2ff0-303e 3041-3096 3099-30ff 3105-312f ' +
  '3131-318e 3190-31e5 31ef-321e 3220-3247 3250-a48c a490-a4c6 a960-a97c ac00-d7a3 f900-faff fe10-fe19 fe30-fe52 ' +
  'fe54-fe66 fe68-fe6b ff01-ff60 ffe0-ffe6 16fe0-16fe4 16ff0-16ff6 17000-18cd5 18cff-18d1e 18d80-18df2 1aff0-1aff3 ' +
  '1aff5-1affb 1affd-1affe 1b000-1b122 1b132-1b132 1b150-1b152 1b155-1b155 1b164-1b167 1b170-1b2fb 1d300-1d356 ' +
  '1d360-1d376 1f200-1f202 1f210-1f23b 1f240-1f248 1f260-1f265 20000-2fffd 30000-3fffd';
let patterns;

function characterWidth(char) {
  patterns ??= {
    wide: new RegExp(`[\\p{Emoji_Presentation}${wideRanges.replace(/(\w+)-(\w+) ?/g, '\\u{$1}-\\u{$2}')}]`, 'u'),
    none: /[\p{Cc}\p{Cf}\p{Mn}\p{Me}]/u,
  };
  if (patterns.wide.test(char)) return 2;
  // The soft hyphen is a format character that terminals show.
  return patterns.none.test(char) && char !== '\u00ad' ? 0 : 1;
}

/// How many columns of a screen the text takes; terminal sequences take none.
function getStringWidth(text, removeTerminalSequences = true) {
  if (removeTerminalSequences) text = stripTerminalSequences(text);
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 127) {
      for (const char of text.slice(i).normalize('NFC')) width += characterWidth(char);
      break;
    }
    if (code >= 32) width++;
  }
  return width;
}

module.exports = { quote, escapeSpecial, numberText, bigintText, stripTerminalSequences, getStringWidth };
