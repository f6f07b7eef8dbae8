// TIME-12: a period is a whole number of units, and at least one.
for (const period of [0, NaN, -7, 0.9, 2.9]) {
  const label = `P${period}`;
  const times = [];
  const interval = setInterval(() => {
    times.push(currentTime(label) - start);
    if (times.length < 3) return;
    clearInterval(interval);
    console.log(period, times);
  }, period, label);
  const start = currentTime(label);
}
