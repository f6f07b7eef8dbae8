// The same system as a simulation that was written by hand: stations and hub are functions in one process, the network is a
// timer of @sinonjs/fake-timers with a latency that a seed decides.
const { createClock } = require('@sinonjs/fake-timers');

const [stations, seconds] = process.argv.slice(2).map(Number);
const clock = createClock();
let seed = 1;
const latency = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return 1 + (seed >>> 8) % 20;
};
let delivered = 0;
const deliver = (to, message, from) => clock.setTimeout(() => {
  delivered += 1;
  to(message, from);
}, latency());

const last = new Map();
let count = 0;
const hub = (message, from) => {
  const [name, reading] = message.split(' ');
  last.set(name, Number(reading));
  count += 1;
  deliver(from, String(count), hub);
};
for (let number = 0; number < stations; number += 1) {
  let [reading, answers] = [0, 0];
  const station = () => { answers += 1; };
  clock.setInterval(() => {
    reading += 1;
    deliver(hub, `station${number} ${reading}`, station);
  }, 1000);
}
clock.tick(seconds * 1000);
console.log(JSON.stringify({ delivered }));
