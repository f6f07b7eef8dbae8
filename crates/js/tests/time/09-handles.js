// TIME-9: timeouts and intervals are cleared alike, by handle, by number, by text; no handle is used twice.
const log = (what) => console.log(what);
const byNumber = setTimeout(() => log('never'), 5, 'A');
clearTimeout(+byNumber);
const byText = setInterval(() => log('never'), 5, 'A');
clearTimeout(`${byText}`);
const closed = setInterval(() => log('never'), 5, 'A');
closed.close();
const disposed = setTimeout(() => log('never'), 5, 'A');
disposed[Symbol.dispose]();
const seen = new Set();
for (let i = 0; i < 200; i++) {
  const timer = setTimeout(() => log('never'), 5, 'A');
  seen.add(+timer);
  clearTimeout(timer);
}
log(seen.size);
const old = +byNumber;
setTimeout(() => log('a stale number clears nobody'), 5, 'A');
clearTimeout(old);
clearInterval(byNumber);
