// module.SourceMap and what else node:module tells.
'use strict';
const module_ = require('module');
const map = new module_.SourceMap({
  version: 3, sources: ['a.js', 'b.js'], names: ['n'], mappings: 'AAAA,EAACA;;ACACA,GAAC', sourceRoot: 'src/', sourcesContent: ['x'],
});
for (const [line, column] of [[0, 0], [0, 1], [0, 2], [0, 50], [1, 0], [2, 0], [2, 3], [2, 9], [9, 9], [-1, 0]]) {
  console.log(line, column, JSON.stringify(map.findEntry(line, column)), JSON.stringify(map.findOrigin(line + 1, column + 1)));
}
console.log(map.lineLengths, Object.keys(map), map.payload.sourceRoot, module_.findSourceMap(__filename));
try {
  new module_.SourceMap();
} catch ({ code, message }) {
  console.log(code, message);
}
console.log(['node:fs', 'fs', 'x', 'node:test', 'test', 'node:sea', 'sea'].map((name) => module_.isBuiltin(name)));
console.log(process.sourceMapsEnabled);
process.setSourceMapsEnabled(true);
require('./generated/one.cjs');
const own = module_.findSourceMap(require.resolve('./generated/one.cjs'));
console.log(own.findEntry(0, 0).originalSource.replace(/^file:.*small_modules/, ''), own.findOrigin(1, 1).lineNumber, own.lineLengths.length);
