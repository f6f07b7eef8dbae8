// Set a timer and clear it at once: alone, and while a thousand others are pending.
const COUNT = 1e6;
const nothing = () => {};

function churn() {
  const start = performance.now();
  for (let i = 0; i < COUNT; i++) clearTimeout(setTimeout(nothing, 1000));
  return { ms: performance.now() - start, ops: COUNT };
}

const alone = churn();
const pending = [];
for (let i = 0; i < 1000; i++) pending.push(setTimeout(nothing, 60000 + i));
const among = churn();
for (const timer of pending) clearTimeout(timer);
console.log(JSON.stringify({ alone, 'among 1,000': among }));
