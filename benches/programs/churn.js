// Set a timer and clear it at once, while a thousand others are pending.
const COUNT = 1e6;
const pending = [];
for (let i = 0; i < 1000; i++) pending.push(setTimeout(() => {}, 60000 + i));
const nothing = () => {};
const start = performance.now();
for (let i = 0; i < COUNT; i++) clearTimeout(setTimeout(nothing, 1000));
const ms = performance.now() - start;
for (const timer of pending) clearTimeout(timer);
console.log(JSON.stringify({ ms, ops: COUNT }));
