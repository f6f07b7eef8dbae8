// StringDecoder: its shape, its errors, and random bytes in random pieces through every encoding.
const { StringDecoder } = load('string_decoder');
const { Buffer } = load('buffer');
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
const t = (fn) => test(fn.toString().replace(/^\(\) => /, ''), () => JSON.stringify(fn()) ?? 'undefined');
const inner = (decoder) => [hex(decoder.lastChar), decoder.lastNeed, decoder.lastTotal];
const ENCODINGS = [undefined, 'utf8', 'utf-8', 'UTF8', 'ucs2', 'utf16le', 'UCS-2', 'utf-16le', 'latin1', 'binary', 'ascii', 'hex', 'base64', 'base64url'];

for (const encoding of [...ENCODINGS, null, '', 'bogus', 'utf16', 5, 0, {}.x, false, 'buffer', 'utf-7']) {
  test(`encoding ${encoding}`, () => { const decoder = new StringDecoder(encoding); return JSON.stringify([decoder.encoding, Object.keys(decoder), inner(decoder)]); });
  test(`inspected ${encoding}`, () => inspect(new StringDecoder(encoding)));
}
test('prototype', () => JSON.stringify(Object.getOwnPropertyNames(StringDecoder.prototype).map((name) => {
  const { value, get, set, enumerable, configurable, writable } = Object.getOwnPropertyDescriptor(StringDecoder.prototype, name);
  return [name, typeof value, value?.length, typeof get, typeof set, enumerable, configurable, writable];
})));
t(() => [StringDecoder.name, StringDecoder.length, Object.keys(load('string_decoder'))]);
t(() => new StringDecoder().write());
t(() => new StringDecoder().write(null));
t(() => new StringDecoder().write(5));
t(() => new StringDecoder().write({}));
t(() => new StringDecoder().write([1, 2]));
t(() => new StringDecoder().write(new ArrayBuffer(2)));
t(() => new StringDecoder().write('text'));
t(() => new StringDecoder('hex').write('text'));
t(() => new StringDecoder().write(new Uint16Array([0x4142])));
t(() => new StringDecoder().write(new DataView(new ArrayBuffer(2))));
t(() => new StringDecoder().write(Buffer.alloc(0)));
t(() => new StringDecoder().end());
t(() => new StringDecoder().end('text'));
t(() => new StringDecoder().end(null));
t(() => new StringDecoder().end(5));
t(() => StringDecoder.prototype.write.call({}, Buffer.alloc(1)));
t(() => StringDecoder.prototype.write.call({}, 'text'));
t(() => { function Mine() { StringDecoder.call(this, 'hex'); } Object.setPrototypeOf(Mine.prototype, StringDecoder.prototype); return new Mine().write(Buffer.from('ab')); });
t(() => { const decoder = new StringDecoder(); decoder.write(Buffer.from([0xe2])); return [decoder.write('text'), inner(decoder), decoder.end(Buffer.from([0x82])), inner(decoder)]; });
t(() => { const decoder = new StringDecoder(); decoder.write(Buffer.from([0xe2, 0x82])); return [decoder.text(Buffer.from([0x41, 0x42, 0xc3]), 1), inner(decoder)]; });
t(() => { const decoder = new StringDecoder('utf16le'); return [decoder.text(Buffer.from('abc', 'ucs2'), 2), decoder.text(Buffer.from('abc', 'ucs2'), 3), inner(decoder)]; });
t(() => { const decoder = new StringDecoder(); decoder.write(Buffer.from([0xf0, 0x9f])); const seen = decoder.lastChar; decoder.write(Buffer.from([0x98])); return [hex(seen), seen.length, Buffer.isBuffer(seen)]; });
t(() => { const decoder = new StringDecoder(); decoder.write(Buffer.from([0xf0, 0x9f])); return inspect(decoder); });
t(() => { const decoder = new StringDecoder('base64'); decoder.write(Buffer.from([1])); decoder.encoding = 'hex'; return [decoder.write(Buffer.from([2, 3, 4])), decoder.end()]; });

// Every way to split a short sequence.
const sequences = {
  utf8: ['e282ac', 'f09f9880', 'c3a9', '41e282ac42f09f988043', 'e28241', 'e2', 'e282', 'f09f98', 'f09f9841', 'c3c3a9', 'edb080', 'eda0bdedb080', 'f4908080', 'ff41', '80', 'c080', 'e080', 'f08080', 'efbbbf41', 'f0e282ac', 'e2e282ac', 'f8888080', 'f0808080', '808080808080', 'fbbfbf', 'c2', 'c2c2', 'e1c0', 'f1c080'],
  utf16le: ['4100', '3dd800de', '3dd8', '3dd84100', '00de', '41003dd800de', '3d', '3dd800', '00d800d8', '3dd83dd800de', '410042', 'd8', 'd8d8d8', '41d800d84142'],
  base64: ['01', '0102', '010203', '01020304', '0102030405', 'ffffffffffffff'],
  base64url: ['01', '0102', 'fbefbe', 'fffefdfc'],
  hex: ['01ab', ''],
  latin1: ['e282ac', '41'],
  ascii: ['e2c141'],
};
for (const [encoding, list] of Object.entries(sequences)) {
  for (const text of list) {
    const bytes = Buffer.from(text, 'hex');
    for (let mask = 0; mask < 2 ** Math.min(6, Math.max(0, bytes.length - 1)); mask++) {
      test(`${encoding} ${text} ${mask}`, () => {
        const decoder = new StringDecoder(encoding);
        const seen = [];
        let start = 0;
        for (let i = 1; i <= bytes.length; i++) {
          if (i < bytes.length && !(mask >> (i - 1) & 1)) continue;
          seen.push(decoder.write(bytes.subarray(start, i)), inner(decoder));
          start = i;
        }
        seen.push(decoder.end(), inner(decoder), decoder.end(), decoder.write(Buffer.from([0x41])));
        return JSON.stringify(seen);
      });
    }
  }
}

for (let i = 0; i < 3000; i++) {
  const encoding = pick(ENCODINGS);
  const bytes = Buffer.from(Array.from({ length: random(24) }, () => pick([random(256), random(128), 0x80 + random(64), 0xc0 + random(64), 0xd8 + random(8), 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xed, 0xf4])));
  const cuts = [];
  for (let at = 0; at < bytes.length;) cuts.push(at += random(5));
  test(`random ${encoding} ${hex(bytes)} ${cuts}`, () => {
    const decoder = new StringDecoder(encoding);
    const seen = [];
    let start = 0;
    for (const end of cuts) {
      seen.push(decoder.write(bytes.subarray(start, end)), inner(decoder));
      start = end;
    }
    seen.push(i % 2 ? decoder.end() : decoder.end(Buffer.from([0xac, 0x41])), inner(decoder));
    return JSON.stringify(seen);
  });
}
