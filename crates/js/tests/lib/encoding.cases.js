// TextEncoder and TextDecoder: labels, options, errors, and random bytes in random pieces.
const { TextEncoder, TextDecoder } = onNode ? load('util') : load('internal/encoding');
const { inspect } = load('internal/util/inspect');

let state = seed * 2654435761 >>> 0 || 1;
function random(below) {
  state ^= state << 13; state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5; state >>>= 0;
  return state % below;
}
const pick = (list) => list[random(list.length)];
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const show = (value) => (value instanceof Uint8Array ? `${value.constructor.name} ${hex(value)}` : JSON.stringify(value) ?? String(value));
const t = (fn) => test(fn.toString().replace(/^\(\) => /, ''), () => show(fn()));
const attempt = (fn) => { try { return fn(); } catch (error) { return `throws ${error.name} ${error.code} ${error.message}`; } };

// Shape

for (const Class of [TextEncoder, TextDecoder]) {
  test(`${Class.name} shape`, () => JSON.stringify([Class.length, Object.prototype.toString.call(new Class()), Reflect.ownKeys(Class.prototype).map((key) => {
    const { value, get, set, enumerable, configurable, writable } = Object.getOwnPropertyDescriptor(Class.prototype, key);
    return [String(key), typeof value, value?.length, typeof get, typeof set, enumerable, configurable, writable];
  }).sort()]));
  test(`${Class.name} inspected`, () => [inspect(new Class()), inspect([new Class()]), inspect({ a: { b: new Class() } }), inspect(new Class(), { depth: -1 }), inspect([new Class()], { depth: 0 }),
    inspect(new Class(), { colors: true }), inspect(new Class(), { compact: false }), inspect(new (class Mine extends Class {})()), inspect(new Class(), { showHidden: true })].join('\n'));
  for (const key of Reflect.ownKeys(Class.prototype)) {
    if (key === 'constructor' || key === Symbol.toStringTag) continue;
    test(`${Class.name} ${String(key)} of another`, () => {
      const { value, get } = Object.getOwnPropertyDescriptor(Class.prototype, key);
      return JSON.stringify([{}, null, undefined, 5, Class.prototype, Object.create(Class.prototype)].map((self) => attempt(() => (value ?? get).call(self, 'a'))));
    });
  }
}

// Labels

const LABELS = ['ansi_x3.4-1968', 'ascii', 'cp1252', 'cp819', 'csisolatin1', 'ibm819', 'iso-8859-1', 'iso-ir-100', 'iso8859-1', 'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1', 'us-ascii',
  'windows-1252', 'x-cp1252', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'utf-8', 'utf8', 'x-unicode20utf8', 'csunicode', 'iso-10646-ucs-2', 'ucs-2', 'unicode', 'unicodefeff', 'utf-16', 'utf-16le',
  'unicodefffe', 'utf-16be', ' UTF-8 ', '\tLatin1\n', '\futf8\r', 'bogus', '', 'utf-7', 'UTF-32', 'utf-16 le', '\u00a0utf8', 'utf8\0', 'x-user-defined', 'replacement', 'constructor', '__proto__', null, 5, 'utf_8', 'binary', 'ucs2', 'utf16le'];
for (const label of LABELS) {
  for (const options of [undefined, { fatal: true }, { ignoreBOM: true }]) {
    test(`label ${JSON.stringify(label)} ${JSON.stringify(options)}`, () => { const d = new TextDecoder(label, options); return JSON.stringify([d.encoding, d.fatal, d.ignoreBOM, d.decode(new Uint8Array([0x41, 0])), inspect(d)]); });
  }
}
for (const options of [null, undefined, {}, [], () => {}, 5, 'x', true, { fatal: 1, ignoreBOM: 'x' }, { fatal: 0 }, { fatal: null }]) {
  test(`options ${typeof options} ${JSON.stringify(options)}`, () => { const d = new TextDecoder('utf-8', options); return JSON.stringify([d.fatal, d.ignoreBOM]); });
  test(`options before label ${typeof options} ${JSON.stringify(options)}`, () => show(new TextDecoder('bogus', options)));
  for (const label of ['utf-8', 'utf-16le', 'utf-16be', 'latin1']) {
    test(`decode options ${label} ${typeof options} ${JSON.stringify(options)}`, () => show(new TextDecoder(label).decode(new Uint8Array([0x41, 0x42]), options)));
    test(`decode options ${label} ${typeof options} ${JSON.stringify(options)} later`, () => { const d = new TextDecoder(label); d.decode(new Uint8Array([0x41, 0]), { stream: true }); return show(d.decode(new Uint8Array([0x41, 0x42]), options)); });
  }
}
for (const label of ['utf-8', 'utf-16le', 'utf-16be', 'latin1']) {
  const inputs = { undefined, null: null, number: 5, string: 'a', array: [], object: {}, buffer: new Uint8Array([0x41, 0x42]).buffer, shared: new SharedArrayBuffer(2), view: new DataView(new Uint8Array([0x41, 0x42]).buffer), words: new Uint16Array([0x4142, 0xd800]), part: new Uint8Array([1, 2, 3, 0x41, 0x42]).subarray(3), empty: new Uint8Array(0), doubles: new Float64Array(1) };
  for (const [name, input] of Object.entries(inputs)) {
    test(`${label} decodes ${name}`, () => show(new TextDecoder(label).decode(input)));
    test(`${label} streams ${name}`, () => show(new TextDecoder(label).decode(input, { stream: true })));
  }
}

// Encoding

const encoder = new TextEncoder();
t(() => encoder.encoding);
t(() => [encoder.encode(), encoder.encode(undefined), encoder.encode(null), encoder.encode(5), encoder.encode({}), encoder.encode('')].map(hex));
t(() => encoder.encode('€\ud800'));
t(() => [encoder.encode('abc').constructor.name, encoder.encode('abc').buffer.byteLength, encoder.encode('€').byteOffset]);
t(() => encoder.encodeInto());
t(() => encoder.encodeInto('a'));
t(() => encoder.encodeInto('a', []));
t(() => encoder.encodeInto(5, new Uint8Array(2)));
t(() => encoder.encodeInto('a', new Uint16Array(2)));
t(() => encoder.encodeInto('a', new Uint8ClampedArray(2)));
t(() => encoder.encodeInto('a', new ArrayBuffer(2)));
t(() => encoder.encodeInto('', new Uint8Array(0)));
t(() => { const target = new Uint8Array(8); return [encoder.encodeInto('a€', target.subarray(2, 6)), hex(target)]; });
function randomText(length) {
  let text = '';
  for (let i = 0; i < length; i++) {
    text += pick([
      () => String.fromCharCode(random(128)), () => String.fromCharCode(random(0x800)), () => String.fromCharCode(0xd800 + random(0x400)),
      () => String.fromCharCode(0xdc00 + random(0x400)), () => String.fromCodePoint(0x10000 + random(0x100000)), () => String.fromCharCode(random(65536)), () => '\ufffd', () => '\ufeff',
    ])();
  }
  return text;
}
for (let i = 0; i < 600; i++) {
  const text = randomText(random(12));
  const size = random(16);
  test(`encode ${JSON.stringify(text)} ${size}`, () => {
    const target = new Uint8Array(size);
    return JSON.stringify([hex(encoder.encode(text)), encoder.encodeInto(text, target), hex(target)]);
  });
}

// Decoding

const SAMPLES = ['', 'ff', 'efbbbf', 'efbbbf41', 'efbbbfefbbbf41', 'efbb', 'ef', 'fffe', 'fffe4100', 'fffefffe4100', 'feff', 'feff0041', 'ff', 'fe', '3dd8', '3dd800de', '3dd84100', '00de', '3dd800', '3d', '410042', 'd83dde00', 'd83d', 'd83d0041', 'de00', 'd83dde',
  '80', 'e282ac', 'e28241', 'eda080', 'f4908080', 'c080', 'f09f9880', '809f8d8f909d81', 'efbfbd', 'fdff', 'fffd', '41efbfbd80', '00d841', '00d800', '3dd83dd8', '3dd83dd800de', '3dd83d', 'd8d8d8', 'd8d8d8d8d8'];
for (const label of ['utf-8', 'utf-16le', 'utf-16be', 'latin1']) {
  for (const options of [{}, { fatal: true }, { ignoreBOM: true }, { fatal: true, ignoreBOM: true }]) {
    for (const sample of SAMPLES) {
      test(`decode ${label} ${JSON.stringify(options)} ${sample}`, () => {
        const d = new TextDecoder(label, options);
        return JSON.stringify([attempt(() => d.decode(bytesOf(sample))), attempt(() => d.decode(bytesOf(sample), { stream: true })), attempt(() => d.decode()), attempt(() => d.decode(bytesOf(sample)))]);
      });
    }
  }
}
test('windows-1252', () => JSON.stringify([{ stream: false }, { stream: true }].map((options) => new TextDecoder('latin1').decode(Uint8Array.from({ length: 256 }, (_, i) => i), options))));
const SINGLE_BYTE = ['866', 'cp866', 'ibm866', 'latin2', 'l2', 'iso-8859-2', 'latin3', 'iso-8859-3', 'iso-8859-4', 'cyrillic', 'iso-8859-5', 'arabic', 'iso-8859-6', 'greek', 'iso-8859-7', 'hebrew', 'visual', 'iso-8859-8',
  'logical', 'iso-8859-8-i', 'latin6', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'l9', 'iso-8859-16', 'koi8', 'koi8-r', 'koi8-u', 'koi8-ru', 'mac', 'macintosh', 'x-mac-roman', 'tis-620', 'windows-874',
  'windows-1250', 'cp1251', 'windows-1251', 'windows-1253', 'latin5', 'iso-8859-9', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'x-mac-cyrillic', 'x-mac-ukrainian'];
for (const label of SINGLE_BYTE) {
  for (const fatal of [false, true]) {
    test(`${label} fatal ${fatal}`, () => {
      const d = new TextDecoder(label, { fatal });
      const seen = [d.encoding];
      // ICU exchanges three control characters in its IBM encodings; we do not.
      for (let byte = 0; byte < 256; byte++) {
        if (d.encoding !== 'ibm866' || ![0x1a, 0x1c, 0x7f].includes(byte)) seen.push(attempt(() => d.decode(Uint8Array.of(byte), { stream: byte % 2 === 1 })));
      }
      return JSON.stringify(seen);
    });
  }
}
for (let i = 0; i < 4000; i++) {
  const label = pick(['utf-8', 'utf-8', 'utf-16le', 'utf-16be', 'latin1']);
  const options = { fatal: random(3) === 0, ignoreBOM: random(3) === 0 };
  const rounds = Array.from({ length: 1 + random(7) }, () => [
    Uint8Array.from({ length: random(6) }, () => pick([random(256), random(128), 0x41, 0, 0xef, 0xbb, 0xbf, 0xff, 0xfe, 0xd8, 0xdc, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xf4])),
    random(4) !== 0,
  ]);
  test(`stream ${label} ${JSON.stringify(options)} ${rounds.map(([bytes, stream]) => hex(bytes) + (stream ? '' : '.'))}`, () => {
    const d = new TextDecoder(label, options);
    const seen = [];
    for (const [bytes, stream] of [...rounds, [new Uint8Array(0), false]]) {
      seen.push(attempt(() => d.decode(bytes, { stream })));
      // What ICU keeps of UTF-16 after it has refused a piece is an accident of its buffers.
      if (label.startsWith('utf-16') && seen.at(-1).startsWith('throws')) break;
    }
    return JSON.stringify(seen);
  });
}
