// TIME-3, TIME-4: two that sleep on one clock stay in step, however long each of them takes.
const { clock, spend } = require('hemiola:clock');
const a = clock('A');
let start;
async function sleeper(name, period, count, busy) {
  for (let i = 0; i < count; i++) {
    await a.sleep(period);
    spend(busy);
    console.log(name, a.now() - start);
  }
}
sleeper('slow', 6, 3, 5);
start = a.now();
sleeper('quick', 2, 9, 1);
