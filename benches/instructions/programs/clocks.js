// Three labelled clocks, each with intervals that meet at the same instants.
let fired = 0;
for (const [label, every] of [['A', 10], ['B', 15], ['C', 30]]) {
  for (let i = 0; i < 10; i++) {
    const timer = setInterval(() => { if (++fired > 6000) clearInterval(timer); }, every, label);
  }
}
process.on('exit', () => console.log(fired > 6000));
