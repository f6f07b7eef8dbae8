// Takes the lease and writes as long as it holds, by its own clock.
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

(async () => {
  for (;;) {
    const answer = await fetch('http://lock/lease').catch(() => ({ ok: false }));
    if (!answer.ok) {
      await sleep(300);
      continue;
    }
    const fence = await answer.text();
    const until = performance.now() + 2000;
    while (performance.now() < until) {
      await sleep(50);
      await fetch(`http://lock/write?fence=${fence}`).catch(() => {});
    }
  }
})();
