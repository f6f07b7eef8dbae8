// Buffer and the rest of the buffer module: every method, its errors, and random arguments.
const buffer = load('buffer');
const { Buffer, SlowBuffer, transcode, isUtf8, isAscii, atob, btoa, constants, kMaxLength, kStringMaxLength } = buffer;

const { inspect } = load('internal/util/inspect');

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
function show(value) {
  if (value instanceof Buffer) return `Buffer ${hex(value)}`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} ${Array.from(value)}`;
  if (value instanceof ArrayBuffer) return `ArrayBuffer ${value.byteLength}`;
  if (value instanceof Error) return `${value.name} ${value.code} ${value.message}`;
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'function') return `function ${value.name}/${value.length}`;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value);
}
const label = (fn) => fn.toString().replace(/^\(\) => /, '');
const t = (fn) => test(label(fn), () => show(fn()));
const attempt = (fn) => { try { return show(fn()); } catch (error) { return `throws ${show(error)}`; } };

let state = seed * 2654435761 >>> 0 || 1;
function random(below) {
  state ^= state << 13; state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5; state >>>= 0;
  return state % below;
}
const pick = (list) => list[random(list.length)];
const ENCODINGS = ['utf8', 'utf-8', 'UTF8', 'ucs2', 'ucs-2', 'utf16le', 'UTF-16LE', 'latin1', 'binary', 'ascii', 'hex', 'HEX', 'base64', 'base64url'];
const b = () => Buffer.from('abcdef');
const fresh = (size) => Buffer.alloc(size);
const written = (size, ...args) => { const target = Buffer.alloc(size); return [target.write(...args), target]; };

// Shape

const SKIPPED = ['Blob', 'File', 'resolveObjectURL'];
test('exports', () => Object.keys(buffer).filter((key) => !SKIPPED.includes(key)).sort().join());
for (const name of Object.getOwnPropertyNames(Buffer).sort()) {
  if (name !== 'prototype') test(`Buffer.${name}`, () => show(Buffer[name]));
}
for (const name of Object.getOwnPropertyNames(Buffer.prototype).sort()) {
  test(`Buffer.prototype.${name}`, () => {
    const { value, enumerable, writable, configurable, get, set } = Object.getOwnPropertyDescriptor(Buffer.prototype, name);
    return show([value, enumerable, writable, configurable, get, set]);
  });
}
t(() => Object.getOwnPropertySymbols(Buffer).map(String).sort().join());
t(() => Object.getOwnPropertySymbols(Buffer.prototype).map(String).join());
t(() => Object.getPrototypeOf(Buffer) === Uint8Array && Object.getPrototypeOf(Buffer.prototype) === Uint8Array.prototype);
t(() => Buffer.prototype.constructor === Buffer && Buffer[Symbol.species] !== Buffer);
t(() => [b() instanceof Uint8Array, b() instanceof Buffer, Buffer.isBuffer(b()), Buffer.isBuffer(new Uint8Array(2)), Buffer.isBuffer({})]);
t(() => [b().constructor === Buffer, b().map((x) => x + 1), b().filter((x) => x > 98), b().map(() => 1).constructor === Buffer]);
t(() => [Object.prototype.toString.call(b()), Object.keys(b()), 'length' in b(), b().BYTES_PER_ELEMENT]);
t(() => [[...b().keys()], [...b().values()], [...b().entries()], [...b()]]);
t(() => [b().parent instanceof ArrayBuffer, b().parent === b().buffer, typeof b().offset, Buffer.prototype.parent, Buffer.prototype.offset]);
t(() => { const x = fresh(4); return [x.parent === x.buffer, x.offset, x.subarray(2).offset, x.subarray(2).parent === x.buffer]; });
t(() => [constants.MAX_LENGTH, constants.MAX_STRING_LENGTH, kMaxLength, kStringMaxLength, JSON.stringify(constants)]);
t(() => { class Mine extends Buffer {} return [new Mine(3), new Mine('ab') instanceof Mine]; });
t(() => [Buffer.prototype.toLocaleString === Buffer.prototype.toString, Buffer.prototype.readUInt8 === Buffer.prototype.readUint8]);
t(() => JSON.stringify({ x: b(), y: Buffer.alloc(0) }));
t(() => b().toJSON());
t(() => Buffer.from(JSON.parse(JSON.stringify(b()))));
t(() => [b() + '', `${b()}`, b().toLocaleString('hex'), String(Buffer.alloc(0))]);

// Making

t(() => Buffer.poolSize);
t(() => Buffer.from('ab').buffer.byteLength);
t(() => Buffer.from('x'.repeat(4095)).buffer.byteLength);
t(() => Buffer.from('x'.repeat(4096)).buffer.byteLength);
t(() => Buffer.from([1, 2, 3]).buffer.byteLength);
t(() => Buffer.allocUnsafe(4095).buffer.byteLength);
t(() => Buffer.allocUnsafe(4096).buffer.byteLength);
t(() => Buffer.allocUnsafeSlow(3).buffer.byteLength);
t(() => Buffer.alloc(3).buffer.byteLength);
t(() => Buffer.from(Buffer.from('abc')).buffer.byteLength);
t(() => Buffer.concat([b()]).buffer.byteLength);
t(() => { const x = Buffer.allocUnsafe(3); const y = Buffer.allocUnsafe(3); return [x.byteOffset % 8, y.byteOffset % 8, x.buffer === y.buffer || y.byteOffset === 0]; });
t(() => { const x = Buffer.from('abc'); x[0] = 65; return Buffer.from('abc'); });
t(() => { const x = b(); const y = Buffer.from(x); y[0] = 0; return [x, y]; });
t(() => { const list = new Uint8Array([1, 2]); const y = Buffer.from(list.buffer); list[0] = 9; return y; });
t(() => Buffer.alloc());
t(() => Buffer.alloc(-1));
t(() => Buffer.alloc('5'));
t(() => Buffer.alloc(2 ** 53));
t(() => Buffer.alloc(2 ** 32 + 1));
t(() => Buffer.alloc(NaN));
t(() => Buffer.alloc(Infinity));
t(() => Buffer.alloc(null));
t(() => Buffer.alloc(true));
t(() => Buffer.alloc({}));
t(() => Buffer.alloc(1.9));
t(() => Buffer.alloc(0));
t(() => Buffer.alloc(3, 'ab'));
t(() => Buffer.alloc(3, 'zz', 'hex'));
t(() => Buffer.alloc(3, 'abcd', 'hex'));
t(() => Buffer.alloc(3, 1, 'hex'));
t(() => Buffer.alloc(3, 'a', 5));
t(() => Buffer.alloc(3, 'a', null));
t(() => Buffer.alloc(3, 'a', ''));
t(() => Buffer.alloc(3, ''));
t(() => Buffer.alloc(3, undefined, 'bogus'));
t(() => Buffer.alloc(3, 0, 'bogus'));
t(() => Buffer.alloc(3, 'a', 'bogus'));
t(() => Buffer.alloc(0, 'a', 'bogus'));
t(() => Buffer.alloc(3, Buffer.alloc(0)));
t(() => Buffer.alloc(5, Buffer.from([1, 2])));
t(() => Buffer.alloc(5, new Uint16Array([1, 2])));
t(() => Buffer.alloc(3, null));
t(() => Buffer.alloc(3, true));
t(() => Buffer.alloc(3, 'a', {}));
t(() => Buffer.alloc(3, 1, 5));
t(() => Buffer.alloc(3, 257));
t(() => Buffer.alloc(3, -1));
t(() => Buffer.alloc(2, 'é', 'latin1'));
t(() => Buffer.alloc(5, '€'));
t(() => Buffer.allocUnsafe(-1));
t(() => Buffer.allocUnsafe());
t(() => Buffer.allocUnsafe('1'));
t(() => Buffer.allocUnsafe(2.7).length);
t(() => Buffer.allocUnsafe(0).length);
t(() => Buffer.allocUnsafeSlow('a'));
t(() => Buffer.allocUnsafeSlow(-5));
t(() => Buffer.allocUnsafeSlow(4).length);
t(() => SlowBuffer(-1));
t(() => SlowBuffer('5'));
t(() => SlowBuffer());
t(() => [SlowBuffer(3).length, new SlowBuffer(3).length, SlowBuffer(3) instanceof Buffer, new SlowBuffer(3) instanceof Buffer]);
t(() => Buffer(3));
t(() => new Buffer(3));
t(() => Buffer('abc', 'hex'));
t(() => new Buffer('abc'));
t(() => Buffer(3, 'utf8'));
t(() => Buffer());
t(() => Buffer(null));
t(() => new Buffer(new ArrayBuffer(4), 1));
t(() => new Buffer([1, 2, 3]));
t(() => Buffer(-1));
t(() => Buffer.of(1, 2, 300, -1, '7'));
t(() => [Buffer.of(), Buffer.of(1).constructor === Buffer]);
t(() => Buffer.from(5));
t(() => Buffer.from(null));
t(() => Buffer.from());
t(() => Buffer.from({}));
t(() => Buffer.from(() => 1));
t(() => Buffer.from(function named() {}));
t(() => Buffer.from(Symbol('x')));
t(() => Buffer.from(true));
t(() => Buffer.from(10n));
t(() => Buffer.from(new Map()));
t(() => Buffer.from(Object.create(null)));
t(() => Buffer.from({ length: 2, 0: 1, 1: 300 }));
t(() => Buffer.from({ length: 'x' }));
t(() => Buffer.from({ length: -1 }));
t(() => Buffer.from({ length: 1.5, 0: 7 }));
t(() => Buffer.from({ length: 0 }));
t(() => Buffer.from({ length: null }));
t(() => Buffer.from({ length: 2 }));
t(() => Buffer.from({ type: 'Buffer', data: [1, 2, '3', -1] }));
t(() => Buffer.from({ type: 'Buffer', data: 5 }));
t(() => Buffer.from({ type: 'Buffer' }));
t(() => Buffer.from({ type: 'buffer', data: [1] }));
t(() => Buffer.from({ valueOf() { return 'abc'; } }));
t(() => Buffer.from({ valueOf() { return 'abcd'; } }, 'hex'));
t(() => Buffer.from({ valueOf() { return null; } }));
t(() => Buffer.from({ valueOf() { return [1, 2]; } }));
t(() => Buffer.from({ valueOf() { return 5; } }));
t(() => Buffer.from({ valueOf: null, length: 1, 0: 3 }));
t(() => Buffer.from({ [Symbol.toPrimitive](hint) { return hint; } }));
t(() => Buffer.from({ [Symbol.toPrimitive]() { return 'ab'; } }, 'hex'));
t(() => Buffer.from({ [Symbol.toPrimitive]() { return 1; } }));
t(() => Buffer.from({ [Symbol.toPrimitive]: 1 }));
t(() => Buffer.from(new String('xyz')));
t(() => Buffer.from(new String('abcd'), 'hex'));
t(() => Buffer.from(new Number(3)));
t(() => Buffer.from(new Boolean(true)));
t(() => Buffer.from([1, 2, 3.7, '4', 'x', null, undefined, true, -1, 256, NaN, [5]]));
t(() => Buffer.from([]));
t(() => Buffer.from(new Uint16Array([1, 256, 257])));
t(() => Buffer.from(new Float64Array([1.5, -1, 300])));
t(() => Buffer.from(new Uint8Array([1, 2, 3]).subarray(1)));
t(() => Buffer.from(new ArrayBuffer(4)));
t(() => Buffer.from(new ArrayBuffer(4), 5));
t(() => Buffer.from(new ArrayBuffer(4), 4));
t(() => Buffer.from(new ArrayBuffer(4), -1));
t(() => Buffer.from(new ArrayBuffer(4), -0.5));
t(() => Buffer.from(new ArrayBuffer(4), 1, 9));
t(() => Buffer.from(new ArrayBuffer(4), 1, 2));
t(() => Buffer.from(new ArrayBuffer(4), NaN));
t(() => Buffer.from(new ArrayBuffer(4), '1'));
t(() => Buffer.from(new ArrayBuffer(4), null, 2));
t(() => Buffer.from(new ArrayBuffer(4), {}, '2'));
t(() => Buffer.from(new ArrayBuffer(4), 'utf8'));
t(() => Buffer.from(new ArrayBuffer(4), 1, -4));
t(() => Buffer.from(new ArrayBuffer(4), 1, NaN));
t(() => Buffer.from(new ArrayBuffer(4), 1.7, 1.2));
t(() => Buffer.from(new ArrayBuffer(4), 0, null));
t(() => Buffer.from(new SharedArrayBuffer(4), 1, 'x'));
t(() => Buffer.from(new SharedArrayBuffer(4), 1).length);
t(() => Buffer.from(new DataView(new ArrayBuffer(4))));
t(() => Buffer.from({ buffer: new ArrayBuffer(3), length: 1 }));
t(() => Buffer.from({ buffer: new ArrayBuffer(3) }));
t(() => Buffer.from({ length: 2, buffer: 1 }));
t(() => Buffer.from('abc', 'BOGUS'));
t(() => Buffer.from('abc', null));
t(() => Buffer.from('abc', 5));
t(() => Buffer.from('abc', ''));
t(() => Buffer.from('abc', {}));
t(() => Buffer.from('', 'hex'));
t(() => Buffer.from('', 'bogus'));
t(() => Buffer.copyBytesFrom());
t(() => Buffer.copyBytesFrom([]));
t(() => Buffer.copyBytesFrom(new DataView(new ArrayBuffer(3))));
t(() => Buffer.copyBytesFrom(new Uint16Array([1, 2, 3])));
for (const offset of [0, 1, 3, 5, -1, '1', 1.5, undefined, null, NaN]) {
  for (const length of [undefined, 0, 1, 2, 9, -1, 1.5, '1', null]) {
    test(`Buffer.copyBytesFrom ${show(offset)} ${show(length)}`, () => show(Buffer.copyBytesFrom(new Uint16Array([1, 2, 3]), offset, length)));
  }
}
t(() => Buffer.copyBytesFrom(new Uint16Array(0), 9));
t(() => Buffer.copyBytesFrom(new BigInt64Array([-1n, 2n]), 1));
t(() => { const x = new Uint8Array([1, 2]); const y = Buffer.copyBytesFrom(x); x[0] = 9; return y; });
t(() => Buffer.concat());
t(() => Buffer.concat('ab'));
t(() => Buffer.concat([]));
t(() => Buffer.concat([], 9));
t(() => Buffer.concat([b()], -1));
t(() => Buffer.concat([b()], 0));
t(() => Buffer.concat([b()], 3));
t(() => Buffer.concat([b()], 8));
t(() => Buffer.concat([b(), b()], 8));
t(() => Buffer.concat([b(), b()], 6));
t(() => Buffer.concat([b(), b()]));
t(() => Buffer.concat([1]));
t(() => Buffer.concat([b(), 'a']));
t(() => Buffer.concat([b(), {}], 3));
t(() => Buffer.concat([b()], '1'));
t(() => Buffer.concat([b()], 1.5));
t(() => Buffer.concat([b()], null));
t(() => Buffer.concat([b()], NaN));
t(() => Buffer.concat([new Uint8Array(2), b()]));
t(() => Buffer.concat([new Uint16Array(2)]));
t(() => Buffer.concat([[]]));
t(() => Buffer.concat({ length: 1, 0: b() }));
t(() => Buffer.concat([Buffer.alloc(5000, 1), Buffer.alloc(5000, 2)]).length);
t(() => Buffer.isEncoding());
for (const name of [...ENCODINGS, '', 'Utf-8', 'utf 8', 'utf88', 'buffer', 'ucs 2', 'utf16', 'utf16be', 'latin-1', 'base64 ', 'constructor', '__proto__', 'toString', null, 5, {}]) {
  test(`Buffer.isEncoding ${show(name)}`, () => show(Buffer.isEncoding(name)));
  if (typeof name !== 'object') test(`toString ${show(name)}`, () => show(b().toString(name)));
  test(`byteLength ${show(name)}`, () => show(Buffer.byteLength('616263', name)));
  test(`from ${show(name)}`, () => show(Buffer.from('616263', name)));
  test(`write ${show(name)}`, () => show(written(8, '616263', name)));
  test(`fill ${show(name)}`, () => show(fresh(8).fill('616263', name)));
  test(`fill 4 ${show(name)}`, () => show(fresh(8).fill('616263', 1, 7, name)));
  if (typeof name !== 'object') test(`indexOf ${show(name)}`, () => show(b().indexOf('6364', 0, name)));
}
t(() => Buffer.byteLength());
t(() => Buffer.byteLength(5));
t(() => Buffer.byteLength(null));
t(() => Buffer.byteLength([]));
t(() => Buffer.byteLength({ length: 2 }));
t(() => [Buffer.byteLength(b()), Buffer.byteLength(new ArrayBuffer(3)), Buffer.byteLength(new SharedArrayBuffer(3)), Buffer.byteLength(new Uint16Array(3)), Buffer.byteLength(new DataView(new ArrayBuffer(2)))]);
t(() => ['', '=', '==', '===', 'a', 'a=', 'a==', 'ab==', 'abc=', 'abcd', 'abcde', 'ab cd', 'a=b='].map((s) => [Buffer.byteLength(s, 'base64'), Buffer.byteLength(s, 'base64url')]));

// Text

t(() => b().toString('bogus'));
t(() => b().toString(null));
t(() => b().toString({ toString() { return 'hex'; } }));
for (const start of [undefined, 0, 2, 6, 9, -1, '1', 'x', 1.5, NaN, null, Infinity, -Infinity, {}]) {
  for (const end of [undefined, 0, 2, 6, 9, -1, '3', 'x', 3.7, NaN, null, Infinity]) {
    test(`range ${show(start)} ${show(end)}`, () => [
      attempt(() => b().toString('latin1', start, end)),
      attempt(() => b().toString(undefined, start, end)),
      attempt(() => b().slice(start, end)),
      attempt(() => b().subarray(start, end)),
      attempt(() => b().utf8Slice(start, end)),
      attempt(() => b().hexSlice(start, end)),
      attempt(() => fresh(6).fill(7, start, end)),
      attempt(() => fresh(6).fill('xyz', start, end)),
      attempt(() => { const x = b(); return [b().copy(x, 1, start, end), x]; }),
      attempt(() => { const x = b(); return [b().copy(x, start, end), x]; }),
      attempt(() => b().compare(Buffer.from('cdef'), start, end)),
      attempt(() => b().compare(Buffer.from('abcd'), 0, 4, start, end)),
      attempt(() => written(6, 'xyz', start, end)),
      attempt(() => written(6, 'xyz', start, end, 'latin1')),
      attempt(() => { const x = fresh(6); return [x.utf8Write('xyz', start, end), x]; }),
      attempt(() => { const x = fresh(6); return [x.ucs2Write('xyz', start, end), x]; }),
    ].join('\n'));
  }
}
t(() => b().slice());
t(() => { const x = b(); x.slice(1, 3)[0] = 65; return x; });
t(() => Buffer.alloc(0).utf8Slice(1, 9));
t(() => Buffer.prototype.utf8Slice.call([]));
t(() => Buffer.prototype.utf8Slice.call(new Uint16Array([0x4141])));
t(() => Buffer.prototype.utf8Slice.call(new DataView(new ArrayBuffer(1))));
t(() => Buffer.prototype.utf8Write.call({}, 'a'));
t(() => Buffer.prototype.latin1Write.call(new Uint8Array(3), 'ab', 1));
for (const name of ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8']) {
  test(`${name}Write`, () => show([undefined, 5, null, {}].map((value) => attempt(() => fresh(4)[`${name}Write`](value)))));
  test(`${name} methods`, () => show([b()[`${name}Slice`](), b()[`${name}Slice`](1), b()[`${name}Slice`](1, 5), fresh(4)[`${name}Write`]('abcdefgh'), fresh(4)[`${name}Write`]('')]));
}
t(() => b().write());
t(() => b().write(5));
t(() => b().write(5, 10));
t(() => b().write(undefined, 'hex'));
t(() => b().write('a', 1, 'bogus'));
t(() => b().write('a', 'bogus'));
t(() => b().write('a', 1, 3, 'bogus'));
t(() => b().write('a', 1, undefined, 'hex'));
t(() => written(6, 'abcd', 1, null));
t(() => written(6, 'abcd', 1, 2, null));
t(() => written(6, 'abcd', 'hex', 1));
t(() => written(6, 'abcd', undefined, 'hex'));
t(() => written(6, 'abcd', undefined, undefined, 'hex'));
for (const text of ['😀', 'a😀', 'ab😀', '\ud83d', 'a\ud83d', '\ud83d\ud83d', '\ude00\ud83d', '€', 'a€', 'aé€😀z', 'abc', 'abzz11', 'YWJj', 'YW Jj', 'YW=Jj', '\u0161\u0161', '\u0141bc', 'ÿ\u0100']) {
  for (const encoding of ['utf8', 'ucs2', 'latin1', 'ascii', 'hex', 'base64', 'base64url']) {
    test(`${JSON.stringify(text)} ${encoding}`, () => {
      const results = [attempt(() => Buffer.from(text, encoding)), attempt(() => Buffer.byteLength(text, encoding))];
      for (let size = 0; size < 8; size++) results.push(attempt(() => written(size, text, encoding)));
      return results;
    });
  }
}

// Numbers

const intNames = Object.getOwnPropertyNames(Buffer.prototype).filter((name) => /^(read|write).*(8|16|32|64|Float|Double)/.test(name)).sort();
const bytes = () => Buffer.from([0xff, 0x80, 0x01, 0x7f, 0xfe, 0x00, 0x81, 0xc3, 0x12, 0x34]);
const offsets = [undefined, 0, 1, 2, 3, 6, 8, 9, 10, -1, 1.5, NaN, Infinity, -Infinity, '0', null, true, {}, 2 ** 40, -0, 1n, Symbol('s')];
const values = [undefined, 0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1,
  2 ** 32 - 1, 2 ** 32, 1.7, -1.7, -0.5, 0.1, 1e20, NaN, Infinity, -Infinity, '3', 'x', null, true, -0, {}];
const bigs = [0n, 1n, -1n, 2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), -(2n ** 63n) - 1n, 2n ** 64n - 1n, 2n ** 64n, 0x0102030405060708n, 1, '1', 'x', undefined, 1e20];
for (const name of intNames) {
  if (name.startsWith('read')) {
    for (const offset of offsets) test(`${name} ${show(offset)}`, () => show(bytes()[name](offset)));
    test(`${name} small`, () => show([0, 1, 3, 7].map((size) => attempt(() => fresh(size)[name]()))));
  } else {
    const big = name.includes('Big');
    for (const value of big ? bigs : values) {
      test(`${name} ${show(value)}`, () => { const x = bytes(); return show([x[name](value), x, attempt(() => x[name](value, 1)), x]); });
    }
    for (const offset of offsets) {
      test(`${name} at ${show(offset)}`, () => { const x = bytes(); return show([x[name](big ? 5n : 5, offset), x]); });
      test(`${name} too large at ${show(offset)}`, () => bytes()[name](big ? 2n ** 70n : 1e20, offset));
    }
    test(`${name} small`, () => show([0, 1, 3, 7].map((size) => attempt(() => fresh(size)[name](big ? 1n : 1)))));
  }
}
for (const name of ['UIntLE', 'UIntBE', 'IntLE', 'IntBE', 'UintLE', 'UintBE']) {
  for (const size of [undefined, 0, 1, 2, 3, 4, 5, 6, 7, -1, 1.5, NaN, '2', null, Infinity]) {
    for (const offset of offsets) {
      test(`read${name} ${show(offset)} ${show(size)}`, () => show(bytes()[`read${name}`](offset, size)));
      test(`write${name} at ${show(offset)} ${show(size)}`, () => { const x = bytes(); return show([x[`write${name}`](5, offset, size), x]); });
      test(`write${name} too large ${show(offset)} ${show(size)}`, () => show(bytes()[`write${name}`](1e20, offset, size)));
    }
    for (const value of [...values, 2 ** 23, 2 ** 24, -(2 ** 23) - 1, 2 ** 39, 2 ** 40 - 1, 2 ** 40, 2 ** 47, 2 ** 47 - 1, 2 ** 48 - 1, 2 ** 48, -(2 ** 47), -(2 ** 39) - 1, -123456789012, 123456789012.9, -1e-9]) {
      test(`write${name} ${show(value)} ${show(size)}`, () => { const x = bytes(); return show([x[`write${name}`](value, 1, size), x]); });
    }
  }
}
t(() => Buffer.prototype.readUInt16BE.call([1, 2, 3], 1));
t(() => Buffer.prototype.writeUInt16LE.call(new Uint8Array(3), 258, 1));
for (let i = 0; i < 60; i++) {
  const random8 = Uint8Array.from({ length: 12 }, () => random(256));
  const at = random(4);
  const count = 1 + random(6);
  test(`numbers of ${hex(random8)} ${at} ${count}`, () => show(intNames.filter((name) => name.startsWith('read')).map((name) => Buffer.from(random8)[name](at))
    .concat(['UIntLE', 'UIntBE', 'IntLE', 'IntBE'].map((name) => Buffer.from(random8)[`read${name}`](at, count)))));
}
for (let i = 0; i < 60; i++) {
  const value = (random(2) ? 1 : -1) * random(2 ** 31) * 2 ** (random(90) - 60);
  test(`floats of ${value}`, () => { const x = fresh(24); x.writeFloatLE(value); x.writeFloatBE(value, 4); x.writeDoubleLE(value, 8); x.writeDoubleBE(value, 16); return show(x); });
}

// Copying, filling, comparing, swapping

t(() => b().copy());
t(() => b().copy([]));
t(() => b().copy('abc'));
t(() => Buffer.prototype.copy.call([], b()));
t(() => b().copy(new Uint16Array(3)));
t(() => { const x = new Uint8Array(3); return [b().copy(x), x]; });
for (const from of [undefined, 0, 2, 5, 6, 7, 9, -1, -0.5, 6.5, '2', 'x', NaN, 1e9, 2 ** 60, null]) {
  for (const to of [undefined, 0, 2, 5, 6, 9, -1, '3', NaN, Infinity]) {
    test(`copy ${show(from)} ${show(to)}`, () => { const x = b(); return show([attempt(() => x.copy(x, 1, from, to)), x, attempt(() => b().copy(x, from, 1, to)), x, attempt(() => b().copy(x, from, to)), x]); });
  }
}
t(() => { const x = b(); x.copy(x, 2, 0, 4); return x; });
t(() => { const x = b(); x.copy(x, 0, 2, 6); return x; });
for (const args of [['a', -1], ['a', 0, 9], ['a', 7], ['a', 0, 3, 'bogus'], ['a', 'bogus'], ['a', 5, 4], ['zz', 'hex'], [''], ['', 'hex'], [null], [true], [{}], [263], ['a', 1.5],
  ['é', 0, 5], ['é', 'latin1'], ['ab', 'utf16le'], [1, '0'], ['a', 0, 5, 5], ['a', 0, null], [1, NaN], ['a', 0, undefined, 'hex'], ['abc', 0, 6, 'base64'], [-1], [1.7], ['1', 1, 3, ''],
  ['1', 1, 3, null], ['1', 1, 3, undefined], ['\u0222'], ['\u0222', 'latin1'], ['\u0222', 'ascii'], ['abcdefghi', 2, 5], [], [1, 2], [1, 2, 4], [1, undefined, 3], ['ab', undefined, 3], ['ab', undefined, 3, 'hex'],
  ['\ud800'], ['€', 1, 5], [[1, 2]], ['5'], [1e300], [{ valueOf() { return 9; } }], [1, 0, 7], [1, 6, 6], [1, 7, 7], [1, 2 ** 33], [1, 0, -1], ['é', 'utf8'], ['e', 'UCS2']]) {
  test(`fill ${show(args)}`, () => show(Buffer.from('ABCDEF').fill(...args)));
}
t(() => b().fill(Buffer.alloc(0)));
t(() => b().fill(new Uint16Array([1, 2])));
t(() => b().fill(new DataView(new ArrayBuffer(2))));
t(() => b().fill(Buffer.from('xy'), 1, 4));
t(() => Buffer.alloc(1000).fill('abcdefg').subarray(990));
t(() => b().compare());
t(() => b().compare('a'));
t(() => b().compare(b(), null));
t(() => b().compare(b(), 2 ** 33));
t(() => [b().compare(b()), b().compare(Buffer.from('abcdeg')), b().compare(Buffer.from('abc')), b().compare(new Uint8Array([255])), b().compare(Buffer.alloc(0)), b().compare(b(), undefined)]);
t(() => Buffer.compare(b()));
t(() => Buffer.compare('a', b()));
t(() => [Buffer.compare(b(), b()), Buffer.compare(new Uint8Array([1]), b()), [Buffer.from('b'), Buffer.from('a'), Buffer.from('ab')].sort(Buffer.compare)]);
t(() => b().equals());
t(() => b().equals('abc'));
t(() => b().equals(new Uint16Array(3)));
t(() => { const x = b(); return [x.equals(x), x.equals(b()), x.equals(new Uint8Array(x)), x.equals(Buffer.from('abcdeg')), x.equals(Buffer.alloc(0))]; });
for (let size = 0; size <= 16; size++) {
  test(`swap ${size}`, () => show(['swap16', 'swap32', 'swap64'].map((name) => attempt(() => Buffer.from(bytes().subarray(0, size))[name]()))));
}
t(() => Buffer.alloc(1024, 'abcdefgh').swap64().subarray(1000));

// Searching

t(() => b().indexOf());
t(() => b().indexOf({}));
t(() => b().indexOf(null));
t(() => b().indexOf(true));
t(() => b().includes());
t(() => b().lastIndexOf([]));
t(() => b().indexOf('a', 0, 'bogus'));
t(() => b().indexOf('a', 'bogus'));
t(() => b().indexOf('c', 0, null));
t(() => b().indexOf('c', 0, ''));
t(() => b().indexOf(Buffer.from('c'), 0, 'bogus'));
t(() => b().indexOf(new Uint16Array([1])));
t(() => Buffer.prototype.indexOf.call([], 1));
t(() => Buffer.prototype.indexOf.call(new Uint16Array([1, 2, 3]), 2));
t(() => Buffer.prototype.indexOf.call(new DataView(new ArrayBuffer(3)), 0));
t(() => Buffer.prototype.lastIndexOf.call(new Uint16Array([1, 2, 3]), 2));
for (const value of ['c', 'cd', '', 'zz', 'f', 'abcdef', 'abcdefg', 99, 355, -157, 99.9, NaN, 0]) {
  for (const offset of [undefined, null, 0, 1, 2, 3, 5, 6, 7, 100, -1, -3, -4, -6, -7, -100, '2', 'utf8', {}, [], NaN, 1.5, -1.5, Infinity, -Infinity, 2 ** 40, -(2 ** 40)]) {
    test(`search ${show(value)} ${show(offset)}`, () => show([
      b().indexOf(value, offset), b().lastIndexOf(value, offset), b().includes(value, offset),
      typeof value === 'string' ? [b().indexOf(Buffer.from(value), offset), b().lastIndexOf(Buffer.from(value), offset)] : undefined,
      Buffer.alloc(0).indexOf(value, offset), Buffer.alloc(0).lastIndexOf(value, offset),
    ]));
  }
}
for (let i = 0; i < 1500; i++) {
  const haystack = Uint8Array.from({ length: random(14) }, () => pick([0x61, 0x62, 0, 0xc3, 0xa9]));
  const encoding = pick(ENCODINGS);
  const offset = pick([undefined, random(14), -random(14), random(14) + 0.5]);
  const needle = pick([
    () => Array.from({ length: random(4) }, () => pick(['a', 'b', '\0', 'é'])).join(''),
    () => Buffer.from(Array.from({ length: random(5) }, () => pick([0x61, 0x62, 0]))),
    () => ({ hex: ['61', '6162', '00', '6100'], HEX: ['62'], base64: ['YQ==', 'YWI=', 'AA'], base64url: ['YQ'] })[encoding]?.[random(4)] ?? 'a',
    () => pick([0x61, 0x62, 0, 0x161]),
  ])();
  test(`random search ${hex(haystack)} ${show(needle)} ${show(offset)} ${encoding}`, () => show([
    Buffer.from(haystack).indexOf(needle, offset, encoding), Buffer.from(haystack).lastIndexOf(needle, offset, encoding), Buffer.from(haystack).includes(needle, offset, encoding)]));
}

// Inspecting

const custom = Symbol.for('nodejs.util.inspect.custom');
t(() => [b().inspect(), b()[custom](), Buffer.alloc(0).inspect(), Buffer.alloc(50).inspect(), Buffer.alloc(51).inspect(), Buffer.alloc(53).inspect()]);
t(() => { buffer.INSPECT_MAX_BYTES = 2; const text = [b().inspect(), Buffer.alloc(3).inspect(), Buffer.alloc(2).inspect()]; buffer.INSPECT_MAX_BYTES = 0; text.push(b().inspect()); buffer.INSPECT_MAX_BYTES = Infinity; text.push(Buffer.alloc(60).inspect()); buffer.INSPECT_MAX_BYTES = 50; return text; });
t(() => { buffer.INSPECT_MAX_BYTES = 'a'; });
t(() => { buffer.INSPECT_MAX_BYTES = -1; });
t(() => { buffer.INSPECT_MAX_BYTES = NaN; });
t(() => buffer.INSPECT_MAX_BYTES);
t(() => { const x = b(); x.extra = { a: 1 }; x[Symbol('s')] = 2; const empty = Buffer.alloc(0); empty.y = 'z'; return [inspect(x), inspect(empty), inspect({ x: [b()] }), inspect([x], { showHidden: true }), inspect(x, { colors: true })]; });
t(() => { return inspect(Buffer); });
t(() => { class Named extends Uint8Array {} const x = b(); Object.setPrototypeOf(x, class Other extends Buffer {}.prototype); return [inspect(x), inspect(new Named(2))]; });

// Checks, base64 of the Web, transcoding

t(() => isUtf8());
t(() => isUtf8('a'));
t(() => isAscii({}));
t(() => isUtf8(new DataView(new ArrayBuffer(2))));
t(() => [isUtf8(new ArrayBuffer(2)), isUtf8(new Uint16Array([0xd800])), isAscii(new SharedArrayBuffer(2)), isUtf8(Buffer.alloc(0)), isAscii(Buffer.from([0x7f])), isAscii(Buffer.from([0x80]))]);
t(() => { const x = new ArrayBuffer(2); x.transfer?.() ?? structuredClone(x, { transfer: [x] }); return isUtf8(x); });
t(() => { const x = new ArrayBuffer(2); const y = new Uint8Array(x); x.transfer?.() ?? structuredClone(x, { transfer: [x] }); return isAscii(y); });
t(() => atob());
t(() => btoa());
t(() => [atob(null), atob(undefined + ''), atob(12), btoa(null), btoa(undefined), btoa(12), btoa('é'), btoa('')]);
t(() => { try { return atob('*'); } catch (error) { return [error.constructor.name, error.name, error.code, error.message, error instanceof Error, error.stack.split('\n')[0]]; } });
t(() => btoa('€'));
t(() => btoa('a\u0100'));
for (const text of ['', ' ', '=', '==', '===', 'a', 'a=', 'a==', 'a===', 'ab', 'ab=', 'ab==', 'ab===', 'abc', 'abc=', 'abc==', 'abcd', 'abcd=', 'abcd==', 'abcde', 'abcde=', 'ab=c', 'a b c d', '\tab\n=\r=\f', 'ab\u000b', 'ab\u00a0', 'YR==', '-_', 'a-', '\u0141', 'abc\u0141', 'ab==c', '====', ' = ']) {
  test(`atob ${JSON.stringify(text)}`, () => show(atob(text)));
}
for (let i = 0; i < 300; i++) {
  const text = Array.from({ length: random(10) }, () => pick('abcAB01+/=== \n-*é'.split(''))).join('');
  test(`atob ${JSON.stringify(text)}`, () => show(atob(text)));
}
for (let i = 0; i < 50; i++) {
  const text = Array.from({ length: random(12) }, () => String.fromCharCode(random(256))).join('');
  test(`btoa ${JSON.stringify(text)}`, () => show([btoa(text), atob(btoa(text)) === text]));
}
const TRANSCODED = ['utf8', 'ucs2', 'latin1', 'ascii', 'binary', 'utf16le', 'UTF-8'];
t(() => transcode('a'));
t(() => transcode(b()));
t(() => transcode(b(), 'utf8', 'hex'));
t(() => transcode(b(), 'bogus', 'utf8'));
t(() => transcode(b(), 'base64', 'utf8'));
t(() => transcode(b(), null, ''));
t(() => transcode(Buffer.alloc(0), 'bogus', 'bogus'));
t(() => transcode(new Uint8Array([65]), 'utf8', 'ucs2'));
t(() => { try { return transcode(b(), 'hex', 'hex'); } catch (error) { return [error.code, error.errno, error.message, Object.keys(error)]; } });
for (let i = 0; i < 400; i++) {
  const source = Uint8Array.from({ length: random(9) }, () => pick([0x41, 0, 0xd8, 0xdc, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xff, 0xfe, 0xc3, 0xa9, 0xef, 0xbb, 0xbf, random(256)]));
  const from = pick(TRANSCODED);
  const to = pick(TRANSCODED);
  test(`transcode ${hex(source)} ${from} ${to}`, () => show(transcode(Buffer.from(source), from, to)));
}
for (const to of ['latin1', 'ascii']) {
  test(`transcode every character to ${to}`, () => {
    const results = [];
    for (let point = 0; point < 0x110000; point += point < 0x20000 || point >= 0xdff00 && point < 0xe2000 ? 1 : 4093) {
      const character = String.fromCodePoint(point);
      if (!character.isWellFormed()) continue;
      const result = hex(transcode(Buffer.from(character), 'utf8', to));
      if (result !== '3f' && result !== hex([point])) results.push(`${point.toString(16)}:${result}`);
    }
    return results.join(' ');
  });
}

// Random text and bytes through every encoding

function randomText(length) {
  let text = '';
  for (let i = 0; i < length; i++) {
    text += pick([
      () => String.fromCharCode(random(128)), () => String.fromCharCode(random(256)), () => String.fromCharCode(random(0x800)),
      () => String.fromCharCode(0xd800 + random(0x400)), () => String.fromCharCode(0xdc00 + random(0x400)),
      () => String.fromCodePoint(0x10000 + random(0x100000)), () => String.fromCharCode(random(65536)), () => pick('abcdef0123456789ABCDEF+/-_= \n'.split('')),
    ])();
  }
  return text;
}
const digits = (length) => Array.from({ length }, () => pick('abcdefABCDEF0123456789+/-_=='.split(''))).join('');
for (let i = 0; i < 1200; i++) {
  const text = random(3) === 0 ? digits(random(24)) : randomText(random(16));
  const encoding = pick(ENCODINGS);
  const size = random(20);
  test(`encode ${JSON.stringify(text)} ${encoding} ${size}`, () => show([Buffer.from(text, encoding), Buffer.byteLength(text, encoding), written(size, text, encoding), attempt(() => Buffer.alloc(size, text, encoding))]));
}
for (let i = 0; i < 1500; i++) {
  const source = Uint8Array.from({ length: random(24) }, () => pick([random(256), random(128), 0x80 + random(64), 0xc0 + random(64), 0xe0, 0xed, 0xf0, 0xf4, 0x9f, 0xa0, 0x90, 0x8f]));
  const start = random(4);
  test(`decode ${hex(source)} ${start}`, () => show(['utf8', 'ucs2', 'latin1', 'ascii', 'hex', 'base64', 'base64url'].map((encoding) => [
    Buffer.from(source).toString(encoding), Buffer.from(source).toString(encoding, start, 20)]).concat([isUtf8(source), isAscii(source)])));
}
const summary = (text) => {
  let sum = 7;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) >>> 0;
  return `${text.length}:${sum}`;
};
for (const size of [4094, 4095, 4096, 4097, 8192, 20001]) {
  const source = Uint8Array.from({ length: size }, () => random(256));
  const text = randomText(size);
  test(`long ${size}`, () => ENCODINGS.map((encoding) => {
    const back = Buffer.from(text, encoding);
    return [summary(Buffer.from(source).toString(encoding)), back.length, summary(hex(back)), Buffer.byteLength(text, encoding)].join(' ');
  }));
}
for (let i = 0; i < 400; i++) {
  const drawn = (most) => Array.from({ length: random(most) }, () => 'ab\u0161'[random(3)]).join('');
  const [text, part, from] = [drawn(24), drawn(i % 2 ? 3 : 6), random(60) - 30];
  test(`units ${JSON.stringify([text, part, from])}`, () => {
    const bytes = Buffer.from(text, 'utf16le');
    return [bytes.indexOf(part, from, 'utf16le'), bytes.lastIndexOf(part, from, 'utf16le'), bytes.lastIndexOf(part, undefined, 'ucs2'), bytes.includes(part, 'ucs2')];
  });
}
