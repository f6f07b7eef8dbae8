// Timers of many delays, set in one turn, half of them cleared.
const COUNT = 4000;
let left = COUNT / 2;
const fire = () => { if (--left === 0) console.log('fired'); };
for (let i = 0; i < COUNT; i++) {
  const timer = setTimeout(fire, (i * 7919) % 100);
  if (i % 2 === 1) clearTimeout(timer);
}
