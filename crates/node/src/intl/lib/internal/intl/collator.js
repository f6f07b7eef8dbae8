// Intl.Collator in English: letters before accents before case, digits before letters, signs before digits.
// Letters of other scripts stand in the order of their code points.
'use strict';

const { option, resolve, finish, stateOf, toOptions } = require('internal/intl/locale');

const SERVICE = 'Intl.Collator';
const states = new WeakMap();

// Signs of ASCII in the order in which a dictionary has them.
const SIGNS = '\t\n\v\f\r _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$';
// Letters that do not decompose but stand with others.
const LETTERS = { __proto__: null, ß: 'ss', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ł: 'l', Ł: 'L' };

// For each character its base, its marks and its case, as numbers to compare in this order.
function keysOf(text, state) {
  const keys = [];
  for (const character of text.normalize('NFD')) {
    const code = character.codePointAt(0);
    if (code >= 0x300 && code < 0x370) {
      if (keys.length > 0) keys[keys.length - 1].mark += code;
      continue;
    }
    const sign = SIGNS.indexOf(character);
    if (sign >= 0) {
      if (!state.ignorePunctuation) keys.push({ base: sign, mark: 0, upper: 0 });
      continue;
    }
    for (const letter of LETTERS[character] ?? character) {
      const lower = letter.toLowerCase();
      const isDigit = letter >= '0' && letter <= '9';
      const base = isDigit ? 1000 + Number(letter) : 2000 + lower.codePointAt(0);
      const last = keys.at(-1);
      if (state.numeric && isDigit && last?.value !== undefined) {
        last.value = last.value * 10n + BigInt(letter);
        continue;
      }
      const key = { base, mark: LETTERS[character] === undefined ? 0 : 1, upper: lower === letter ? 0 : 1 };
      if (state.numeric && isDigit) {
        key.base = 1000;
        key.value = BigInt(letter);
      }
      keys.push(key);
    }
  }
  return keys;
}

function compare(state, left, right) {
  if (left === right) return 0;
  const [a, b] = [keysOf(left, state), keysOf(right, state)];
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    if (a[at].base !== b[at].base) return a[at].base < b[at].base ? -1 : 1;
    if (a[at].value !== b[at].value) return a[at].value < b[at].value ? -1 : 1;
  }
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  const by = (name, sign) => {
    const at = a.findIndex((key, place) => key[name] !== b[place][name]);
    return at < 0 ? 0 : a[at][name] < b[at][name] ? -sign : sign;
  };
  const { sensitivity } = state;
  const marks = sensitivity === 'accent' || sensitivity === 'variant' ? by('mark', 1) : 0;
  if (marks !== 0) return marks;
  return sensitivity === 'case' || sensitivity === 'variant' ? by('upper', state.caseFirst === 'upper' ? -1 : 1) : 0;
}

function Collator(locales = undefined, options = undefined) {
  const { locale, keys } = resolve(locales);
  options = toOptions(options);
  const usage = option(SERVICE, options, 'usage', ['sort', 'search'], 'sort');
  option(SERVICE, options, 'localeMatcher', ['lookup', 'best fit']);
  option(SERVICE, options, 'collation');
  const numeric = options.numeric === undefined ? keys.kn !== undefined && keys.kn !== 'false' : Boolean(options.numeric);
  const caseFirst = option(SERVICE, options, 'caseFirst', ['upper', 'lower', 'false'], 'false');
  const sensitivity = option(SERVICE, options, 'sensitivity', ['base', 'accent', 'case', 'variant'], 'variant');
  const ignorePunctuation = Boolean(options.ignorePunctuation);
  const collator = new.target === undefined ? Object.create(Collator.prototype) : this;
  states.set(collator, { locale, usage, sensitivity, ignorePunctuation, collation: 'default', numeric, caseFirst });
  return collator;
}

exports.Collator = finish(Collator, SERVICE, {
  resolvedOptions() {
    const { bound, ...shown } = stateOf(states, this, `${SERVICE}.prototype.resolvedOptions`);
    return shown;
  },
  get compare() {
    const state = stateOf(states, this, 'get Intl.Collator.prototype.compare');
    state.bound ??= Object.defineProperty((left, right) => compare(state, String(left), String(right)), 'name', { value: '' });
    return state.bound;
  },
});
