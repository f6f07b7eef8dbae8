// Integers written into a Buffer, with whatever may be given as a value or as an offset, and the memory of small ones.
const out = [];
const values = [0, 1, 254.9, 255, 255.5, 256, -0, -0.5, -1, NaN, Infinity, 65535, 65535.7, 65536, 0xffffffff, 0xffffffff + 0.5, 2 ** 32, '7', null, undefined, true, {}, [], 5n];
const offsets = [undefined, 0, 1, 2, 3, 4, 5, -1, 0.5, NaN, '0', null, -0, true];
for (const name of ['writeUInt8', 'writeUInt16LE', 'writeUInt16BE', 'writeUInt32LE', 'writeUInt32BE']) {
  for (const value of values) for (const offset of offsets) {
    const bytes = Buffer.alloc(5, 9);
    let result;
    try {
      result = bytes[name](value, offset);
    } catch (error) {
      result = `${error.name} ${error.code} ${error.message}`;
    }
    out.push(`${name} ${String(typeof value === 'object' ? JSON.stringify(value) : value)} ${String(offset)}: ${result} ${bytes.toString('hex')}`);
  }
}
console.log(out.join('\n'));
for (const size of [0, -0, 1, 1.5, 7, 2.999, 4095, 4096, 4097, 8192, '3', NaN, -1, null, undefined, 2 ** 53]) {
  try {
    const bytes = Buffer.allocUnsafe(size);
    console.log(String(size), bytes.length, bytes.byteOffset % 8, bytes.buffer.byteLength === Buffer.poolSize, bytes.constructor.name);
  } catch (error) {
    console.log(String(size), error.code, error.message);
  }
}
const pool = Buffer.poolSize;
Buffer.poolSize = 16;
console.log(Buffer.allocUnsafe(8).buffer.byteLength, Buffer.allocUnsafe(7).length);
Buffer.poolSize = pool;
let last = Buffer.allocUnsafe(8);
let overlaps = 0;
for (let i = 1; i < 3000; i++) {
  const bytes = Buffer.allocUnsafe(i % 40 + 1);
  if (bytes.buffer === last.buffer && bytes.byteOffset < last.byteOffset + last.length) overlaps += 1;
  last = bytes;
}
console.log('overlaps', overlaps);
