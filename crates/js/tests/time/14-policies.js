// only: simulate
// TIME-14: what becomes of missed periods: all run, or are skipped, or the latest runs.
const { clock, spend } = require('hemiola:clock');
(async () => {
  for (const policy of ['all', 'skip', 'latest']) {
    const a = clock(policy);
    a.policy(policy);
    const shown = [];
    await new Promise((resolve) => {
      const interval = a.setInterval(() => {
        shown.push(a.now() - start);
        if (shown.length === 1) spend(35);
        if (a.now() - start >= 60) { a.clearInterval(interval); resolve(); }
      }, 10);
      const start = a.now();
      a.setTimeout(() => shown.push('once'), 30);
    });
    console.log(policy, a.policy(), shown.join(' '), 'skipped', a.skipped());
    a.close();
    console.log(clock(policy).policy(), clock(policy).skipped());
  }
})();
