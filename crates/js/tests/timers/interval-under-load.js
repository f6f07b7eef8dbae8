// node: --timers node
// An interval whose callback, or another one, took longer than its period fires once for all that it missed, and
// counts a whole period from then: nothing is made up for. A timer that is set meanwhile shows when that is.
const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end;); };
const told = [];
const tell = (text) => told.push(text);

let count = 0;
const interval = setInterval(() => {
  tell(`interval ${++count}`);
  if (count === 2) {
    busy(350);
    // After one firing for the four that were missed, and before the next.
    setTimeout(tell, 60, 'sixty after the late one');
  }
  if (count === 4) finish();
}, 80);

// One that is late because of others, again and again: at each turn it fires once.
function finish() {
  clearInterval(interval);
  let fired = 0;
  const late = setInterval(() => { fired++; }, 1);
  let turns = 0;
  (function turn() {
    busy(20);
    if (++turns < 10) return void setImmediate(turn);
    clearInterval(late);
    tell(`at most once a turn: ${fired > 0 && fired <= turns}`);
    console.log(told.join('\n'));
  })();
}
