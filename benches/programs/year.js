// Intervals of a second on three labels; run with `simulate --until 365d`.
const counts = { A: 0, B: 0, C: 0 };
for (const label of Object.keys(counts)) setInterval(() => { counts[label]++; }, 1000, label);
// A delay without a label has Node's limit of 25 days.
setTimeout(() => console.log(JSON.stringify(counts)), 365 * 86_400_000 - 1, 'end');
