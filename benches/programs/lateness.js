// An interval of 1 ms for five seconds: by how much each firing is more than 1 ms after the one before,
// and how many there were of 5000. Where BUSY is set, half of each millisecond is spent computing.
const LENGTH = 5000;
const late = [];
let previous;
let end;
const interval = setInterval(() => {
  const now = performance.now();
  end ??= now + LENGTH;
  if (previous !== undefined) late.push(Math.max(0, now - previous - 1));
  previous = now;
  if (globalThis.BUSY) while (performance.now() - now < 0.5);
  if (now >= end) {
    clearInterval(interval);
    const fired = late.length;
    late.sort((a, b) => a - b);
    const at = (share) => late[Math.floor(fired * share)];
    console.log(JSON.stringify({ p50: at(0.5), p99: at(0.99), fired }));
  }
}, 1);
