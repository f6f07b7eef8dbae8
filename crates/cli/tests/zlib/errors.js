// Every way in which compressed data can be wrong: cut anywhere, or any of its bytes changed. The data was
// compressed by Node. Rules ZLIB-9, ZLIB-11 and ZLIB-16.
const zlib = require('zlib');

const samples = {
  deflate: 'eJzzLFEoTyxWKMlIVUhKLS5RyE9TKMnMTS3WUchEyJTnF+GSSkxPBUmUZxan5OdaK3gOauMU3bLNotW8C6wTtANKHVINQqtcs0yjVL3yreK1/EvsU/RDKl0yTSJVAAQ5Xi0=',
  gzip: 'H4sIAAAAAAAAA/MsUShPLFYoyUhVSEotLlHIT1MoycxNLdZRyETIlOcX4ZJKTE8FSZRnFqfk51oreA5q4xTdss2i1bwLrBO0A0odUg1Cq1yzTKNUvfKt4rX8S+xT9EMqXTJNIlUAtakROhUBAAA=',
  raw: '8yxRKE8sVijJSFVISi0uUchPUyjJzE0t1lHIRMiU5xfhkkpMTwVJlGcWp+TnWit4DmrjFN2yzaLVvAusE7QDSh1SDUKrXLNMo1S98q3itfxL7FP0QypdMk0iVQA=',
  brotli: 'GxQBUIyU7hrPBuaZ6mBdZtyBQw7Y264eJpBTIhhswFEE64TDvG4TooNAr7ET1eUO8R62eywvJxtwZ2D6oA2wwtWe0tVXsBJa/9Re7aP5izWhKk9/yTd/yU7pIQ==',
  fixed: 'eAHzLFEoTyxWKMlIVUhKLS5RyE9TKMnMTS3WUchEyJTnF+GSSkxPBUmUZxan5OdaK3gOauMU3bLNotW8C6wTtANKHVINQqtcs0yjVL3yreK1/EvsU/RDKl0yTSJVAAQ5Xi0=',
  stored: 'eAEBHgDh/0l0IHdhcyB0aGUgYmVzdCBvZiB0aW1lcywgaXQgd6CRCk8=',
  dict: 'eLsAIg2b8yxRKE8sVihBV6ujkImQgejDKoVimLXC4DZO0S3bLFrNu8A6QTug1CHVILTKNcs0StUr3ypey7/EPkU/pNIl0yRSBQAEOV4t',
};
const readers = {
  deflate: ['inflateSync', 'unzipSync'], gzip: ['gunzipSync', 'unzipSync'], raw: ['inflateRawSync'],
  brotli: ['brotliDecompressSync'], fixed: ['inflateSync'], stored: ['inflateSync'], dict: ['inflateSync'],
};

function attempt(read, bytes, options) {
  try {
    const result = zlib[read](bytes, options);
    return `${result.length} bytes, checksum ${zlib.crc32(result)}`;
  } catch (error) {
    return `${error.name} ${error.code} ${error.errno} ${error.message}`;
  }
}

// Prints a result once for as many in a row as have it.
function report(title, count, each) {
  console.log(title);
  let from = 0;
  let before;
  for (let at = 0; at <= count; at++) {
    const now = at < count ? each(at) : undefined;
    if (now === before) continue;
    if (before !== undefined) console.log(`  ${from}-${at - 1}: ${before}`);
    [from, before] = [at, now];
  }
}

const dictionary = Buffer.from('the best of times worst age of wisdom');
for (const [name, text] of Object.entries(samples)) {
  const bytes = Buffer.from(text, 'base64');
  for (const read of readers[name]) {
    const options = name === 'dict' ? { dictionary } : undefined;
    console.log(name, read, attempt(read, bytes, options));
    report(' cut', bytes.length, (length) => attempt(read, bytes.subarray(0, length), options));
    report(' cut, but not to be finished', bytes.length, (length) => attempt(
      read, bytes.subarray(0, length), { ...options, finishFlush: name === 'brotli' ? 1 : zlib.constants.Z_SYNC_FLUSH }));
    for (const mask of [0x01, 0x80, 0x55, 0xff]) {
      report(` changed by ${mask}`, bytes.length, (at) => {
        const changed = Buffer.from(bytes);
        changed[at] ^= mask;
        return attempt(read, changed, options);
      });
    }
  }
}

// The wrong reader for each.
for (const [name, text] of Object.entries(samples)) {
  for (const read of ['inflateSync', 'gunzipSync', 'inflateRawSync', 'unzipSync', 'brotliDecompressSync']) {
    console.log(name, read, attempt(read, Buffer.from(text, 'base64')));
  }
}

// Dictionaries: none, another, for raw data.
const other = Buffer.from('something else');
console.log(attempt('inflateSync', Buffer.from(samples.dict, 'base64')));
console.log(attempt('inflateSync', Buffer.from(samples.dict, 'base64'), { dictionary: other }));
console.log(attempt('unzipSync', Buffer.from(samples.dict, 'base64'), { dictionary }));
const raw = zlib.deflateRawSync('the best of times', { dictionary });
console.log(attempt('inflateRawSync', raw, { dictionary }), attempt('inflateRawSync', raw));
const zipped = zlib.gzipSync('the best of times', { dictionary });
console.log(attempt('gunzipSync', zipped, { dictionary }), attempt('gunzipSync', zipped));

// What comes after the end.
const gzip = Buffer.from(samples.gzip, 'base64');
const after = (...parts) => Buffer.concat([gzip, ...parts]);
for (const [title, bytes] of [
  ['another', after(gzip)], ['three', after(gzip, gzip)], ['zeros', after(Buffer.alloc(10))], ['garbage', after(Buffer.from([1, 2, 3]))],
  ['zeros and another', after(Buffer.alloc(3), gzip)], ['half a mark', after(Buffer.from([0x1f]))],
  ['a mark', after(Buffer.from([0x1f, 0x8b]))], ['a mark and garbage', after(Buffer.from([0x1f, 0x8b, 0xff, 0xff]))],
  ['a cut one', after(gzip.subarray(0, 20))],
]) {
  for (const read of ['gunzipSync', 'unzipSync']) console.log('gzip and', title, read, attempt(read, bytes));
}
const deflate = Buffer.from(samples.deflate, 'base64');
for (const read of ['inflateSync', 'unzipSync']) {
  console.log(read, attempt(read, Buffer.concat([deflate, deflate])), attempt(read, Buffer.concat([deflate, Buffer.from('xyz')])));
}
const brotli = Buffer.from(samples.brotli, 'base64');
console.log(attempt('brotliDecompressSync', Buffer.concat([brotli, Buffer.from('xyz')])));

// A window that is too small for the data.
for (const windowBits of [0, 8, 9, 14, 15]) {
  console.log(windowBits, attempt('inflateSync', deflate, { windowBits }), attempt('gunzipSync', gzip, { windowBits }));
}

// Too much.
for (const maxOutputLength of [1, 100, 276, 277, 278, 1000]) {
  console.log(maxOutputLength, attempt('inflateSync', deflate, { maxOutputLength }), attempt('brotliDecompressSync', brotli, { maxOutputLength }));
}

// Nothing.
for (const read of ['inflateSync', 'gunzipSync', 'inflateRawSync', 'unzipSync', 'brotliDecompressSync']) {
  console.log(read, attempt(read, Buffer.alloc(0)), attempt(read, Buffer.alloc(0), { finishFlush: 1 }));
}
