// Intl.Collator, and String.prototype.localeCompare with what it is given besides a text.
//
// Uses binding.collation.
'use strict';

const { canonicalLocales, option, split, finish, stateOf, toOptions } = require('internal/intl/locale');

const SERVICE = 'Intl.Collator';
const OF_TEXTS = 'String.prototype.localeCompare';
const DEFAULT = 'en-US';
const states = new WeakMap();
const natives = binding.collation();

// The languages whose order is known; regions and scripts with which one has an order or a name of its own.
const LANGUAGES = new Set((
  'af am ar as az be bg bn bo br bs ca cs cy da de dz ee el en eo es et fa ff fi fo fr fy ga gl gu ha he hi hr hu hy id ig is it ja ' +
  'ka kk kl km kn ko ku ky lb ln lo lt lv mk ml mn mr ms mt my nb ne nl nn no om or pa pl ps pt ro ru sa se si sk sl sq sr st sv sw ' +
  'ta te th tk tn to tr ug uk ur uz vi wo xh yi yo zh zu blo ceb chr dsb fil haw hsb kok lij lkt nso smn wae'
).split(' '));
const KEPT = new Set((
  'ar-SA bs-Cyrl de-AT en-US fa-AF fr-CA he-IL id-ID kk-Arab nb-NO pa-IN pa-Guru sr-BA sr-ME sr-RS sr-Latn sr-Cyrl ' +
  'zh-CN zh-HK zh-MO zh-SG zh-TW zh-Hans zh-Hant'
).split(' '));
// Orders besides the usual one.
const ORDERS = {
  __proto__: null, de: ['phonebk'], es: ['trad'], ln: ['phonetic'], si: ['dict'], sv: ['trad'], vi: ['trad'],
  zh: ['pinyin', 'stroke', 'zhuyin', 'unihan'],
};
const EVERYWHERE = ['emoji', 'eor'];
// Languages in which signs do not count, or capital letters are first.
const WITHOUT_SIGNS = ['th'];
const CAPITALS_FIRST = ['da', 'mt'];

// The locale of an order by its tag without an extension; nothing if the language is not known.
function localeOf(base) {
  const [language, ...rest] = base.split('-');
  if (!LANGUAGES.has(language)) return undefined;
  const [script, region] = [/^[A-Z][a-z]{3}$/, /^[A-Z]{2}$/]
    .map((form) => rest.find((part) => form.test(part)))
    .map((part) => (KEPT.has(`${language}-${part}`) ? part : undefined));
  return [language, script, region].filter((part) => part !== undefined).join('-');
}

// The locale that a program gets, and the keys of its extension.
function resolve(locales) {
  for (const tag of canonicalLocales(locales)) {
    const { base, keys } = split(tag);
    const locale = localeOf(base);
    if (locale !== undefined) return { locale, keys };
  }
  return { locale: DEFAULT, keys: { __proto__: null } };
}

const isOn = (key) => key !== undefined && key !== 'false';
const CASES = ['upper', 'lower', 'false'];

// How texts are compared for what `new Intl.Collator` is given, or whoever goes by that name.
function stateFor(locales, options, service = SERVICE) {
  const { locale, keys } = resolve(locales);
  options = toOptions(options);
  const usage = option(service, options, 'usage', ['sort', 'search'], 'sort');
  option(service, options, 'localeMatcher', ['lookup', 'best fit']);
  const asked = option(service, options, 'collation');
  if (asked !== undefined && !/^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i.test(asked)) {
    throw new RangeError(`Invalid collation : ${asked}`);
  }
  const [language] = locale.split('-', 1);
  const isKnown = (order) => EVERYWHERE.includes(order) || (ORDERS[language]?.includes(order) ?? false);
  const numeric = options.numeric === undefined ? isOn(keys.kn) : Boolean(options.numeric);
  const isSort = usage === 'sort';
  const order = isSort ? [asked, keys.co].find((order) => order !== undefined && isKnown(order)) : undefined;
  const ofLanguage = isSort && CAPITALS_FIRST.includes(language) ? 'upper' : 'false';
  const caseFirst = option(service, options, 'caseFirst', CASES, CASES.includes(keys.kf) ? keys.kf : ofLanguage);
  const sensitivity = option(service, options, 'sensitivity', ['base', 'accent', 'case', 'variant'], 'variant');
  const ignores = options.ignorePunctuation === undefined ? undefined : Boolean(options.ignorePunctuation);
  const extension = [
    ['co', order], ['kf', CASES.includes(keys.kf) ? keys.kf : undefined], ['kn', keys.kn === 'true' ? '' : keys.kn],
  ].filter(([, value]) => value !== undefined).flat().filter((part) => part !== '');
  const kind = isSort ? order : 'search';
  const particular = [...(kind === undefined ? [] : ['co', kind]), 'kf', caseFirst, 'kn', String(numeric)];
  return {
    number: natives.open([locale, 'u', ...particular].join('-'), sensitivity, ignores),
    shown: {
      locale: extension.length === 0 ? locale : [locale, 'u', ...extension].join('-'),
      usage, sensitivity, ignorePunctuation: ignores ?? (isSort && WITHOUT_SIGNS.includes(language)),
      collation: order ?? 'default', numeric, caseFirst,
    },
  };
}

function Collator(locales = undefined, options = undefined) {
  const state = stateFor(locales, options);
  const collator = new.target === undefined ? Object.create(Collator.prototype) : this;
  states.set(collator, state);
  return collator;
}

exports.Collator = finish(Collator, SERVICE, {
  resolvedOptions() {
    return { ...stateOf(states, this, `${SERVICE}.prototype.resolvedOptions`).shown };
  },
  get compare() {
    const state = stateOf(states, this, 'get Intl.Collator.prototype.compare');
    const { number } = state;
    state.bound ??= Object.defineProperty(
      (left, right) => natives.compare(number, String(left), String(right)), 'name', { value: '' },
    );
    return state.bound;
  },
}, 0, (tag) => localeOf(split(tag).base) !== undefined);

// Programs compare in a loop, mostly in the same language and with no options.
const numbers = new Map();

exports.localeCompare = function localeCompare(left, right, locales, options) {
  if (options === null) throw new TypeError(`${OF_TEXTS} called on null or undefined`);
  if (options !== undefined || (locales !== undefined && typeof locales !== 'string')) {
    return natives.compare(stateFor(locales, options, OF_TEXTS).number, left, right);
  }
  let number = numbers.get(locales);
  if (number === undefined) {
    ({ number } = stateFor(locales, undefined));
    // Not for whoever makes up tags without end.
    if (numbers.size < 100) numbers.set(locales, number);
  }
  return natives.compare(number, left, right);
};
