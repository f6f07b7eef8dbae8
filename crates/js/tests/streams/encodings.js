// What a Writable makes of chunks, encodings and its options. The output is Node 20's.
'use strict';

const { Writable } = require('stream');

const chunks = ['x', '', Buffer.from('y'), new Uint8Array([65]), new Uint16Array([1]), 5, null, undefined, {}];
const encodings = [undefined, null, '', 'hex', 'utf-8', 'UTF8', 'buffer', 'bogus', 5, () => {}];
const allOptions = [
  {}, { objectMode: true }, { decodeStrings: false }, { defaultEncoding: 'latin1', decodeStrings: false },
  { defaultEncoding: 'latin1', objectMode: true }, { defaultEncoding: 'bogus' },
];
for (const options of allOptions) {
  for (const method of ['write', 'end']) {
    for (const chunk of chunks) {
      for (const encoding of encodings) {
        const got = [];
        try {
          const w = new Writable({ ...options, write(value, enc, done) { got.push(value, enc); } });
          w[method](chunk, encoding);
        } catch (error) {
          got.push(error.code, error.message);
        }
        console.log(JSON.stringify(options), method, chunk, typeof encoding === 'function' ? 'function' : encoding, '=>', got);
      }
    }
  }
}
