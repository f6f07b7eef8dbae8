// node:punycode: the samples of RFC 3492, wrong input, and labels drawn at random.
const punycode = load('punycode');
const show = (value) => JSON.stringify(value);

test('keys', () => Object.keys(punycode).join() + punycode.version + Object.keys(punycode.ucs2).join());
test('names', () => [...Object.values(punycode), ...Object.values(punycode.ucs2)].filter((f) => typeof f === 'function').map((f) => f.name + f.length).join());

const samples = [
  '', 'a', '-', '--', 'abc', 'abc-', '-abc', 'a-b-c', '-> $1.00 <-', 'ä', 'aä', 'äa', 'bücher', 'mañana', 'ünïcödé', 'café', '☃-⌘', '\u{1f4a9}', '\u{1f4a9}.la', 'München-Ost',
  'ليهمابتكلموشعربي؟', '他们为什么不说中文', '他們爲什麽不說中文', 'Pročprostěnemluvíčesky', 'למההםפשוטלאמדבריםעברית', 'यहलोगहिन्दीक्योंनहींबोलसकतेहैं', 'なぜみんな日本語を話してくれないのか',
  '세계의모든사람들이한국어를이해한다면얼마나좋을까', 'почемужеонинеговорятпорусски', 'PorquénopuedensimplementehablarenEspañol', 'TạisaohọkhôngthểchỉnóitiếngViệt', '3年B組金八先生',
  '安室奈美恵-with-SUPER-MONKEYS', 'Hello-Another-Way-それぞれの場所', 'ひとつ屋根の下2', 'MajiでKoiする5秒前', 'パフィーdeルンバ', 'そのスピードで', '\u0080', '\uffff', '\u{10ffff}', '\x7f',
  'mañana.com', 'example.com', 'Bücher@exämple.com', 'a@b@ü', 'джумла@джpумлатест.bрфa', '日。本．語｡', '.ä.', 'ä..ö', 'xn--maana-pta.com', 'XN--Maana-pta.com', 'xn--bcher-kva', 'maana-pta', 'bcher-kva',
  '99999999', 'zzzz', 'a-9999999999', 'ä-x', 'x-ä', 'x-ÿ9', '!', 'a!', 'a-!', 'bcher-kv', 'BCHER-KVA', '\ud800', 'a\udc00b',
];
for (const text of samples) {
  test(`encode ${text}`, () => punycode.encode(text));
  test(`decode ${text}`, () => show(punycode.decode(text)));
  test(`toASCII ${text}`, () => show(punycode.toASCII(text)));
  test(`toUnicode ${text}`, () => show(punycode.toUnicode(text)));
  test(`ucs2 ${text}`, () => show(punycode.ucs2.decode(text)) + (punycode.ucs2.encode(punycode.ucs2.decode(text)) === text));
}

let state = seed;
const draw = (n) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0, Math.floor((state / 2 ** 32) * n));
const tokens = ['a', 'B', '-', '9', 'ä', 'ß', '日', '\u{1f600}', 'я', '.', 'xn--', 'z', '0', '٣', '\x7f', '@'];
for (let i = 0; i < 1500; i++) {
  const text = Array.from({ length: draw(9) }, () => tokens[draw(tokens.length)]).join('');
  test(`drawn encode ${text}`, () => punycode.encode(text));
  test(`drawn toASCII ${text}`, () => punycode.toASCII(text));
  test(`drawn toUnicode ${text}`, () => show(punycode.toUnicode(text)));
  test(`drawn round trip ${text}`, () => punycode.decode(punycode.encode(text)) === text);
  const digits = Array.from({ length: draw(9) }, () => 'abkz0129-ABä!'[draw(13)]).join('');
  test(`drawn decode ${digits}`, () => show(punycode.decode(digits)));
}
