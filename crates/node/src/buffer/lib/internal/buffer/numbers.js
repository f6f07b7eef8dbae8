// Numbers in a Buffer: integers of one to six bytes, 64-bit integers, floats and doubles.
//
// `exports.methods` holds the methods by name; the modern spelling (`readUint8`) is a second name
// of the same function. All of them ask only for indexed bytes and a length of `this`.
'use strict';

const { codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');

// Why `value` does not do as an offset (or, with a name, as a count) of at most `last`.
function boundsError(value, last, name = undefined) {
  if (typeof value !== 'number') throw new ERR_INVALID_ARG_TYPE(name ?? 'offset', 'number', value);
  if (Math.floor(value) !== value) throw new ERR_OUT_OF_RANGE(name ?? 'offset', 'an integer', value);
  if (last < 0) throw new ERR_BUFFER_OUT_OF_BOUNDS();
  throw new ERR_OUT_OF_RANGE(name ?? 'offset', `>= ${name ? 1 : 0} and <= ${last}`, value);
}

// A missing element tells an offset that is out of bounds or not an integer.
function checkBounds(bytes, offset, size) {
  if (typeof offset !== 'number' || bytes[offset] === undefined || bytes[offset + size - 1] === undefined) {
    boundsError(offset, bytes.length - size);
  }
}

function checkValue(value, min, max, size) {
  // NaN is neither above nor below and is stored as 0.
  if (!(value > max || value < min)) return;
  let range = `>= ${min} and <= ${max}`;
  if (size > 4) {
    const n = typeof min === 'bigint' ? 'n' : '';
    const power = (bits) => `2${n} ** ${bits}${n}`;
    range = min < 0 ? `>= -(${power(size * 8 - 1)}) and < ${power(size * 8 - 1)}` : `>= 0${n} and < ${power(size * 8)}`;
  }
  throw new ERR_OUT_OF_RANGE('value', range, value);
}

// Integers that fit in a double. They are multiplied together, not shifted, to stay exact beyond
// 32 bits.

function getLE(bytes, offset, size) {
  let value = 0;
  for (let i = size - 1; i >= 0; i--) value = value * 256 + bytes[offset + i];
  return value;
}

function getBE(bytes, offset, size) {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[offset + i];
  return value;
}

const signed = (value, size) => (value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value);

// Stores the low `size` bytes. The part above 32 bits is floored, the part below truncated, so
// that a negative fraction near zero comes out as Node's.
function putLE(bytes, value, offset, size) {
  const high = size > 4 ? Math.floor(value * 2 ** -32) : 0;
  for (let i = 0; i < size; i++) bytes[offset + i] = i < 4 ? value >>> (8 * i) : high >>> (8 * (i - 4));
}

function putBE(bytes, value, offset, size) {
  const high = size > 4 ? Math.floor(value * 2 ** -32) : 0;
  for (let i = 0; i < size; i++) bytes[offset + size - 1 - i] = i < 4 ? value >>> (8 * i) : high >>> (8 * (i - 4));
}

function write(bytes, value, offset, size, isSigned, put) {
  value = +value;
  // Only for a single byte does Node look at the offset's type before the value.
  if (size === 1 && typeof offset !== 'number') boundsError(offset);
  if (isSigned) checkValue(value, -(2 ** (8 * size - 1)), 2 ** (8 * size - 1) - 1, size);
  else checkValue(value, 0, 2 ** (8 * size) - 1, size);
  checkBounds(bytes, offset, size);
  put(bytes, value, offset, size);
  return offset + size;
}

// Whether all is as it mostly is: a number within its range, and room for it. Whatever else there is, `write` looks at.
function isPlain(bytes, value, max, offset, more) {
  return typeof value === 'number' && value >= 0 && value <= max && typeof offset === 'number'
    && bytes[offset] !== undefined && bytes[offset + more] !== undefined;
}

// The sizes programs read and write most are spelled out; the rest go through the loops.
const methods = {
  readUIntLE(offset, byteLength) {
    checkReading(this, offset, byteLength);
    return getLE(this, offset, byteLength);
  },
  readUInt32LE(offset = 0) {
    checkBounds(this, offset, 4);
    return this[offset] + this[offset + 1] * 0x100 + this[offset + 2] * 0x10000 + this[offset + 3] * 0x1000000;
  },
  readUInt16LE(offset = 0) {
    checkBounds(this, offset, 2);
    return this[offset] + this[offset + 1] * 0x100;
  },
  readUInt8(offset = 0) {
    checkBounds(this, offset, 1);
    return this[offset];
  },
  readUIntBE(offset, byteLength) {
    checkReading(this, offset, byteLength);
    return getBE(this, offset, byteLength);
  },
  readUInt32BE(offset = 0) {
    checkBounds(this, offset, 4);
    return this[offset] * 0x1000000 + this[offset + 1] * 0x10000 + this[offset + 2] * 0x100 + this[offset + 3];
  },
  readUInt16BE(offset = 0) {
    checkBounds(this, offset, 2);
    return this[offset] * 0x100 + this[offset + 1];
  },
  readIntLE(offset, byteLength) {
    checkReading(this, offset, byteLength);
    return signed(getLE(this, offset, byteLength), byteLength);
  },
  readInt32LE(offset = 0) {
    checkBounds(this, offset, 4);
    return this[offset] | (this[offset + 1] << 8) | (this[offset + 2] << 16) | (this[offset + 3] << 24);
  },
  readInt16LE(offset = 0) {
    checkBounds(this, offset, 2);
    return ((this[offset] | (this[offset + 1] << 8)) << 16) >> 16;
  },
  readInt8(offset = 0) {
    checkBounds(this, offset, 1);
    return (this[offset] << 24) >> 24;
  },
  readIntBE(offset, byteLength) {
    checkReading(this, offset, byteLength);
    return signed(getBE(this, offset, byteLength), byteLength);
  },
  readInt32BE(offset = 0) {
    checkBounds(this, offset, 4);
    return (this[offset] << 24) | (this[offset + 1] << 16) | (this[offset + 2] << 8) | this[offset + 3];
  },
  readInt16BE(offset = 0) {
    checkBounds(this, offset, 2);
    return (((this[offset] << 8) | this[offset + 1]) << 16) >> 16;
  },
  writeUIntLE(value, offset, byteLength) {
    checkByteLength(byteLength);
    return write(this, value, offset, byteLength, false, putLE);
  },
  writeUInt32LE(value, offset = 0) {
    if (isPlain(this, value, 0xffffffff, offset, 3)) {
      this[offset] = value >>> 0;
      this[offset + 1] = value >>> 8;
      this[offset + 2] = value >>> 16;
      this[offset + 3] = value >>> 24;
      return offset + 4;
    }
    return write(this, value, offset, 4, false, putLE);
  },
  writeUInt16LE(value, offset = 0) {
    if (isPlain(this, value, 0xffff, offset, 1)) {
      this[offset] = value >>> 0;
      this[offset + 1] = value >>> 8;
      return offset + 2;
    }
    return write(this, value, offset, 2, false, putLE);
  },
  writeUInt8(value, offset = 0) {
    // Packages make tables with it: not even a call is made.
    if (typeof value === 'number' && value >= 0 && value <= 0xff && typeof offset === 'number' && this[offset] !== undefined) {
      this[offset] = value >>> 0;
      return offset + 1;
    }
    return write(this, value, offset, 1, false, putLE);
  },
  writeUIntBE(value, offset, byteLength) {
    checkByteLength(byteLength);
    return write(this, value, offset, byteLength, false, putBE);
  },
  writeUInt32BE(value, offset = 0) {
    if (isPlain(this, value, 0xffffffff, offset, 3)) {
      this[offset] = value >>> 24;
      this[offset + 1] = value >>> 16;
      this[offset + 2] = value >>> 8;
      this[offset + 3] = value >>> 0;
      return offset + 4;
    }
    return write(this, value, offset, 4, false, putBE);
  },
  writeUInt16BE(value, offset = 0) {
    if (isPlain(this, value, 0xffff, offset, 1)) {
      this[offset] = value >>> 8;
      this[offset + 1] = value >>> 0;
      return offset + 2;
    }
    return write(this, value, offset, 2, false, putBE);
  },
  writeIntLE(value, offset, byteLength) {
    checkByteLength(byteLength);
    return write(this, value, offset, byteLength, true, putLE);
  },
  writeInt32LE(value, offset = 0) {
    return write(this, value, offset, 4, true, putLE);
  },
  writeInt16LE(value, offset = 0) {
    return write(this, value, offset, 2, true, putLE);
  },
  writeInt8(value, offset = 0) {
    return write(this, value, offset, 1, true, putLE);
  },
  writeIntBE(value, offset, byteLength) {
    checkByteLength(byteLength);
    return write(this, value, offset, byteLength, true, putBE);
  },
  writeInt32BE(value, offset = 0) {
    return write(this, value, offset, 4, true, putBE);
  },
  writeInt16BE(value, offset = 0) {
    return write(this, value, offset, 2, true, putBE);
  },
};

function checkByteLength(byteLength) {
  if (!(byteLength >= 1 && byteLength <= 6 && Number.isInteger(byteLength))) boundsError(byteLength, 6, 'byteLength');
}

// A reading method says first that the offset is missing, a writing one that the length is.
function checkReading(bytes, offset, byteLength) {
  if (offset === undefined) boundsError(offset);
  checkByteLength(byteLength);
  checkBounds(bytes, offset, byteLength);
}

// Eight bytes seen as each kind of number: what a typed array stores is what the buffer gets,
// in this order for little-endian and in reverse for big-endian.
const room = new ArrayBuffer(8);
const roomBytes = new Uint8Array(room);
const kinds = {
  Float: new Float32Array(room),
  Double: new Float64Array(room),
  BigInt64: new BigInt64Array(room),
  BigUInt64: new BigUint64Array(room),
};

function load(bytes, offset, view, backwards) {
  const size = view.BYTES_PER_ELEMENT;
  checkBounds(bytes, offset, size);
  for (let i = 0; i < size; i++) roomBytes[backwards ? size - 1 - i : i] = bytes[offset + i];
  return view[0];
}

function store(bytes, value, offset, view, backwards) {
  const size = view.BYTES_PER_ELEMENT;
  checkBounds(bytes, offset, size);
  view[0] = value;
  for (let i = 0; i < size; i++) bytes[offset + i] = roomBytes[backwards ? size - 1 - i : i];
  return offset + size;
}

function checkBigInt(bytes, value, offset, isSigned) {
  checkValue(value, isSigned ? -(2n ** 63n) : 0n, isSigned ? 2n ** 63n - 1n : 2n ** 64n - 1n, 8);
  checkBounds(bytes, offset, 8);
  // What arithmetic says of operands of two kinds; the typed array would convert some of them.
  if (typeof value !== 'bigint') throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
}

for (const order of ['LE', 'BE']) {
  const backwards = order === 'BE';
  const direction = backwards ? 'Backwards' : 'Forwards';
  for (const [kind, view] of Object.entries(kinds)) {
    const isBig = kind.startsWith('Big');
    const isSigned = kind === 'BigInt64';
    // Programs can see these names: Node's floats are named for the direction of the copy.
    const readName = `read${kind}${isBig ? order : direction}`;
    const writeName = `write${kind}${isBig ? order : direction}`;
    const named = {
      [readName](offset = 0) {
        return load(this, offset, view, backwards);
      },
      [writeName](value, offset = 0) {
        if (isBig) checkBigInt(this, value, offset, isSigned);
        return store(this, isBig ? value : +value, offset, view, backwards);
      },
    };
    methods[`read${kind}${order}`] = named[readName];
    methods[`write${kind}${order}`] = named[writeName];
  }
}

for (const name of Object.keys(methods)) {
  if (name.includes('UInt')) methods[name.replace('UInt', 'Uint')] = methods[name];
}

exports.methods = methods;
