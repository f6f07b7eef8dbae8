// Rules of the web platform that programs run into through URL, performance, streams and channels.
const { domainToASCII, domainToUnicode } = require('url');
const { Blob, resolveObjectURL } = require('buffer');
const attempt = (f) => { try { return f(); } catch (e) { return `${e.name} ${e.code}: ${e.message}`; } };

// Names of hosts: letters without their case, joiners and directions.
for (const name of [
  'ΒΌΛΟΣ.com', 'βόλος', 'STRAẞE', 'straße', 'İ', 'Ꭰꭰ', 'ﬄ', 'a\u00adb', 'x\u{e0100}y', 'a。b', '⒈a', 'a︒', 'Ⴀ', 'Ӏ', 'ℲↃ',
  'نامه\u200cای', 'ශ්\u200dරී', 'a\u200cb', 'क\u200d', 'ل\u200cۯ', 'xn--mgba3gch31f060k', 'يa', 'xn--a-yoc', 'אb', 'א1', '1א',
  'א٠1', 'א-', '-א', 'א.b', '\u0300a', 'xn--', 'xn--a', 'xn--zca', 'xn--ls8h', 'é..b', '\u115f', '\ufffd', '¨',
]) {
  const ascii = domainToASCII(name);
  console.log(JSON.stringify(name), ascii, domainToUnicode(ascii) === domainToUnicode(name), URL.canParse(`http://${name}/`));
}

for (const [href, name, value] of [
  ['a:/.//p', 'hostname', ''], ['a:/.//p', 'host', ':'], ['a:/p', 'hostname', ''], ['a:/.//p', 'hostname', 'h'], ['a://h//p', 'host', ''],
]) {
  const url = new URL(href);
  url[name] = value;
  console.log(href, name, JSON.stringify(value), url.href);
}

// A blob is found by its address whatever follows it, but not fetched by a query.
const address = URL.createObjectURL(new Blob(['text']));
console.log(['', '#a', '?a', '/a'].map((more) => resolveObjectURL(address + more) !== undefined));
Promise.all(['', '#a', '?a'].map((more) => fetch(address + more).then((it) => it.text(), (e) => e.name))).then(console.log);

// What the web platform has is enumerable, with the arguments that it needs.
for (const Class of [Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver, PerformanceObserverEntryList]) {
  const own = Object.entries(Object.getOwnPropertyDescriptors(Class.prototype)).filter(([, it]) => it.enumerable);
  console.log(Class.name, Class.length, own.map(([name, { value }]) => `${name} ${value?.length ?? '-'}`).sort().join(', '));
}
console.log(['assert', 'dir', 'table', 'log', 'time'].map((name) => console[name].length).join(), String(new PerformanceObserver(() => {})));

performance.mark('one', { startTime: 1 });
performance.mark('four', { startTime: 4, detail: { deep: true } });
for (const given of [
  ['one', 'four'], [{ start: 'one', duration: 5 }], [{ end: 'four', duration: 1 }], [{ start: 2, end: 'four', detail: 'said' }], [{}, 'four'],
  [{ detail: 1 }, 12], [null, 3], [{ start: 2 }, 12], [{ end: 3 }, null], ['none', 1], ['one', null], [{ start: -1 }, undefined],
  [{ start: 1, end: 2, duration: 3 }], [{ start: 1, duration: -1 }],
]) {
  const made = attempt(() => performance.measure('m', ...given));
  console.log(JSON.stringify(given), typeof made === 'string' ? made : JSON.stringify(made));
}
console.log(attempt(() => performance.mark('nodeStart')), performance.measure('start', 'v8Start', 'v8Start').duration);
console.log(attempt(() => PerformanceEntry.prototype.name), attempt(() => PerformanceMark.prototype.detail), 'detail' in PerformanceEntry.prototype);
const observer = new PerformanceObserver(() => {});
observer.observe({ type: 'mark' });
console.log(attempt(() => observer.observe({ entryTypes: ['mark'] })));
observer.disconnect();
observer.observe({ entryTypes: ['mark', 5] });
console.log(attempt(() => observer.observe({ type: 'mark' })), attempt(() => observer.observe({ entryTypes: 'mark' })));
observer.disconnect();

// Strategies do not construct, and setters of all objects are not called by streams.
for (const Strategy of [CountQueuingStrategy, ByteLengthQueuingStrategy]) {
  const { size } = new Strategy({ highWaterMark: 1 });
  console.log(size.name, size.length, 'prototype' in size, attempt(() => new size({})).slice(0, 9));
}
for (const name of ['highWaterMark', 'size']) {
  Object.defineProperty(Object.prototype, name, { set() { throw new Error(`${name} was set`); }, configurable: true });
}
console.log(attempt(() => new TransformStream() && new ReadableStream().tee().length));
for (const name of ['highWaterMark', 'size']) delete Object.prototype[name];
const iterator = new ReadableStream({ start(it) { it.enqueue('chunk'); it.close(); } }).values();
const AsyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);
console.log(Object.getPrototypeOf(Object.getPrototypeOf(iterator)) === AsyncIterator, iterator.next.length, iterator.return.length, typeof iterator.throw);
(async () => { for await (const chunk of iterator) console.log(chunk); })();
console.log(attempt(() => AbortSignal.prototype.onabort));

// What was transferred has no bytes.
const gone = new Uint8Array(4);
structuredClone(gone, { transfer: [gone.buffer] });
console.log(new TextEncoder().encodeInto('text', gone), ['utf-8', 'latin1', 'utf-16le', 'shift_jis'].map((name) => new TextDecoder(name).decode(gone)));
console.log(new TextDecoder('utf-8', { fatal: true }).decode(gone.buffer) === '');

// What a channel is sent after it closed itself is lost.
const [from, to] = [new BroadcastChannel('numbers'), new BroadcastChannel('numbers')];
to.onmessage = ({ data }) => {
  console.log('heard', data);
  if (data === 2) [from, to].forEach((one) => one.close());
};
for (const number of [1, 2, 3, 4]) from.postMessage(number);
