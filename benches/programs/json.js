// A small document of every kind of value, to text and back.
const COUNT = 2e4;
const document = {
  id: 4711, name: 'thermostat', open: true, since: null, ratio: 0.618,
  tags: ['room', 'first floor', 'naïve "quotes" and\nlines'],
  readings: Array.from({ length: 40 }, (_, at) => ({ at: at * 1000, value: 20 + at / 7, unit: 'C', note: `reading ${at}` })),
  place: { street: 'Long Lane', number: 12, inside: { floor: 1, door: 'left' } },
};
const text = JSON.stringify(document);
let length = 0;
const start = performance.now();
for (let i = 0; i < COUNT; i++) length += JSON.stringify(JSON.parse(text)).length;
const ms = performance.now() - start;
console.log(JSON.stringify({ ms, ops: COUNT, ok: length === COUNT * text.length }));
