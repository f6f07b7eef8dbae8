// Intl.Locale: a language tag and its parts.
'use strict';

const { canonicalLocales, finish, option, stateOf } = require('internal/intl/locale');

const SERVICE = 'Intl.Locale';
const states = new WeakMap();

// The script that a language is written in, and its region, where nothing else is said.
const likely = {
  __proto__: null,
  Arab: 'ar-EG fa-IR ks-IN ps-AF sd-PK ug-CN ur-PK',
  Armn: 'hy-AM',
  Avst: 'ae-IR',
  Beng: 'as-IN bn-BD',
  Cans: 'cr-CA iu-CA oj-CA',
  Cyrl: 'ab-GE av-RU ba-RU be-BY bg-BG ce-RU cu-RU cv-RU kk-KZ kv-RU ky-KG mk-MK mn-MN os-GE ru-RU sr-RS ' +
    'tg-TJ tt-RU uk-UA',
  Deva: 'hi-IN mr-IN ne-NP sa-IN',
  Ethi: 'am-ET ti-ET',
  Geor: 'ka-GE',
  Grek: 'el-GR',
  Gujr: 'gu-IN',
  Guru: 'pa-IN',
  Hans: 'zh-CN',
  Hebr: 'he-IL yi-UA',
  Jpan: 'ja-JP',
  Khmr: 'km-KH',
  Knda: 'kn-IN',
  Kore: 'ko-KR',
  Laoo: 'lo-LA',
  Latn: 'aa-ET af-ZA ak-GH an-ES ay-BO az-AZ bi-VU bm-ML br-FR bs-BA ca-ES ch-GU co-FR cs-CZ cy-GB da-DK ' +
    'de-DE ee-GH en-US eo-001 es-ES et-EE eu-ES ff-SN fi-FI fj-FJ fo-FO fr-FR fy-NL ga-IE gd-GB gl-ES ' +
    'gn-PY gv-IM ha-NG ho-PG hr-HR ht-HT hu-HU hz-NA ia-001 id-ID ie-EE ig-NG ik-US io-001 is-IS it-IT ' +
    'jv-ID kg-CD ki-KE kj-NA kl-GL kr-NG ku-TR kw-GB la-VA lb-LU lg-UG li-NL ln-CD lt-LT lu-CD lv-LV ' +
    'mg-MG mh-MH mi-NZ ms-MY mt-MT na-NR nb-NO nd-ZW ng-NA nl-NL nn-NO no-NO nr-ZA nv-US ny-MW oc-FR ' +
    'om-ET pi-GB pl-PL pt-BR qu-PE rm-CH rn-BI ro-RO rw-RW sc-IT se-NO sg-CF sk-SK sl-SI sm-WS sn-ZW ' +
    'so-SO sq-AL ss-ZA st-ZA su-ID sv-SE sw-TZ tk-TM tn-ZA to-TO tr-TR ts-ZA ty-PF uz-UZ ve-ZA vi-VN ' +
    'vo-001 wa-BE wo-SN xh-ZA yo-NG za-CN zu-ZA',
  Mlym: 'ml-IN',
  Mymr: 'my-MM',
  Orya: 'or-IN',
  Sinh: 'si-LK',
  Taml: 'ta-IN',
  Telu: 'te-IN',
  Thaa: 'dv-MV',
  Thai: 'th-TH',
  Tibt: 'bo-CN dz-BT',
  Yiii: 'ii-CN',
};

function likelyOf(language) {
  for (const script of Object.keys(likely)) {
    const found = likely[script].split(' ').find((word) => word.startsWith(`${language}-`));
    if (found !== undefined) return { script, region: found.slice(language.length + 1) };
  }
  return undefined;
}

// Options, the keys of the extension that they stand for, and their values where those are few.
const extensions = [
  ['calendar', 'ca'], ['collation', 'co'], ['hourCycle', 'hc', ['h11', 'h12', 'h23', 'h24']],
  ['caseFirst', 'kf', ['upper', 'lower', 'false']], ['numeric', 'kn'], ['numberingSystem', 'nu'],
];

const parts = {
  language: /^(?:[a-z]{2,3}|[a-z]{5,8})$/i, script: /^[a-z]{4}$/i, region: /^(?:[a-z]{2}|[0-9]{3})$/i,
};

// The parts of a canonical tag.
function read(tag) {
  const [base, ...rest] = tag.split(/-(?=[a-z0-9]-)/i);
  const [language, ...words] = base.split('-');
  const script = parts.script.test(words[0] ?? '') ? words.shift() : undefined;
  const region = parts.region.test(words[0] ?? '') ? words.shift() : undefined;
  const keys = { __proto__: null };
  const others = rest.filter((extension) => !extension.startsWith('u-'));
  let key;
  for (const word of (rest.find((extension) => extension.startsWith('u-')) ?? 'u').split('-').slice(1)) {
    if (word.length === 2) keys[key = word] = '';
    else if (key !== undefined) keys[key] += (keys[key] === '' ? '' : '-') + word;
  }
  return { language, script, region, variants: words, keys, others };
}

function baseOf({ language, script, region, variants }) {
  return [language, script, region, ...variants].filter((part) => part !== undefined).join('-');
}

function write(state) {
  const keys = Object.keys(state.keys).sort();
  const unicode = keys.length === 0 ? [] : [`u-${keys.map((key) => (['', 'true'].includes(state.keys[key]) ? key : `${key}-${state.keys[key]}`)).join('-')}`];
  const others = [...state.others, ...unicode].sort((a, b) => (a[0] === 'x') - (b[0] === 'x') || (a < b ? -1 : 1));
  return [baseOf(state), ...others].join('-');
}

function Locale(tag, options = undefined) {
  if (new.target === undefined) throw new TypeError(`Constructor ${SERVICE} requires 'new'`);
  if (typeof tag !== 'string' && (typeof tag !== 'object' || tag === null)) {
    throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
  }
  const text = states.has(tag) ? write(states.get(tag)) : String(tag);
  if (text === '') throw new RangeError("First argument to Intl.Locale constructor can't be empty or missing");
  const state = read(canonicalLocales(text)[0]);
  if (options === null) throw new TypeError('Cannot convert undefined or null to object');
  const given = options === undefined ? {} : Object(options);
  for (const name of Object.keys(parts)) {
    const value = given[name];
    if (value === undefined) continue;
    if (!parts[name].test(String(value))) throw new RangeError('Incorrect locale information provided');
    state[name] = String(value);
  }
  const { language, script, region } = read(canonicalLocales(baseOf(state))[0]);
  Object.assign(state, { language, script, region });
  for (const [name, key, allowed] of extensions) {
    if (given[name] === undefined) continue;
    const value = name === 'numeric' ? String(Boolean(given[name])) : option(SERVICE, given, name, allowed);
    if (name !== 'numeric' && !/^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i.test(value)) throw new RangeError('Incorrect locale information provided');
    state.keys[key] = value;
  }
  states.set(this, state);
}

const of = (receiver, name) => stateOf(states, receiver, `${SERVICE}.prototype.${name}`);

function maximized({ language, script, region, ...rest }) {
  const found = likelyOf(language);
  // Chinese is written by region.
  const own = language === 'zh' && ['TW', 'HK', 'MO'].includes(region) ? 'Hant' : found?.script;
  const home = language === 'zh' && script === 'Hant' ? 'TW' : found?.region;
  return { ...rest, language, script: script ?? own, region: region ?? home };
}

function minimized(state) {
  const full = maximized(state);
  const same = (tried) => baseOf(maximized({ ...state, ...tried })) === baseOf(full);
  for (const tried of [{ script: undefined, region: undefined }, { script: undefined, region: full.region }, { script: full.script, region: undefined }]) {
    if (same(tried)) return { ...full, ...tried };
  }
  return full;
}

const fromState = (state) => new Locale(write(state));

finish(Locale, SERVICE, {
  toString() { return write(of(this, 'toString')); },
  maximize() { return fromState(maximized(of(this, 'maximize'))); },
  minimize() { return fromState(minimized(of(this, 'minimize'))); },
  get language() { return of(this, 'language').language; },
  get script() { return of(this, 'script').script; },
  get region() { return of(this, 'region').region; },
  get baseName() { return baseOf(of(this, 'baseName')); },
  get calendar() { return of(this, 'calendar').keys.ca; },
  get caseFirst() { return of(this, 'caseFirst').keys.kf; },
  get collation() { return of(this, 'collation').keys.co; },
  get hourCycle() { return of(this, 'hourCycle').keys.hc; },
  get numeric() { return ['', 'true'].includes(of(this, 'numeric').keys.kn); },
  get numberingSystem() { return of(this, 'numberingSystem').keys.nu; },
}, 1);
delete Locale.supportedLocalesOf;

exports.Locale = Locale;
