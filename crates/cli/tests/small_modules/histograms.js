// Histograms: classes of values, percentiles, and what is refused.
'use strict';
const { createHistogram, monitorEventLoopDelay } = require('perf_hooks');
const attempt = (f) => { try { return f(); } catch (e) { return `${e.name} ${e.code} ${e.message}`; } };
const h = createHistogram();
const show = (h) => console.log(h.count, h.min, h.max, h.mean, h.exceeds, h.stddev, h.percentile(50), h.percentile(99), [...h.percentiles].join(' '));
show(h);
for (const v of [1, 2, 3, 1000, 2047, 2048, 2049, 5000, 123456, 123457, 99999999]) { h.record(v); show(h); }
console.log(attempt(() => h.record(0)), attempt(() => h.record('x')), attempt(() => h.record(-1)), attempt(() => h.record(1.5)), attempt(() => h.percentile(0)), attempt(() => h.percentile(101)), attempt(() => h.percentile('x')));
console.log(h.percentile(100), h.percentile(0.1), h.countBigInt, h.minBigInt, h.maxBigInt, h.exceedsBigInt, h.percentileBigInt(50), [...h.percentilesBigInt].length);
h.reset(); show(h);
h.record(10n); show(h);
const small = createHistogram({ lowest: 1, highest: 100, figures: 1 });
for (const v of [5, 37, 50, 99, 150, 1000]) small.record(v); show(small);
console.log(attempt(() => createHistogram(1)), attempt(() => createHistogram({ lowest: 0 })), attempt(() => createHistogram({ highest: 1 })), attempt(() => createHistogram({ figures: 6 })));
const a = createHistogram(); a.record(7); a.record(9); h.add(a); show(h); console.log(attempt(() => h.add({})));
const m = monitorEventLoopDelay({ resolution: 1 }); console.log(m.enable(), m.enable(), m.disable(), m.disable(), m.count >= 0, m.constructor.name, Object.getOwnPropertyNames(Object.getPrototypeOf(m)).join());
console.log(attempt(() => monitorEventLoopDelay({ resolution: 0 })), attempt(() => monitorEventLoopDelay(1)), attempt(() => new m.constructor()), typeof JSON.stringify(h), JSON.stringify(h.toJSON()));
console.log(attempt(() => createHistogram({ lowest: 5n, highest: 9n })), attempt(() => createHistogram({ lowest: 'x' })));
