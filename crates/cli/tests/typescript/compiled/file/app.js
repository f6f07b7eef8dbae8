"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.inner = inner;
function inner(a) {
    throw new Error('boom ' + a.x);
}
class K {
    method() { inner({ x: 1 }); }
}
/****/ const run = () => { new K().method(); };
if (process.argv[2] === 'uncaught')
    run();
else if (process.argv[2] === 'api') {
    const { findSourceMap, SourceMap } = require('module');
    const m = findSourceMap(__filename);
    console.log(m instanceof SourceMap, m.payload.sources, m.findEntry(3, 10), m.findOrigin?.(4, 11));
}
else
    try {
        run();
    }
    catch (e) {
        console.log(e.stack);
    }
//# sourceMappingURL=app.js.map