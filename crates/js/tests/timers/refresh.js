// refresh: before it fires, in its own callback, after it fired, after it was cleared.
let count = 0;
const inside = setTimeout(() => {
  console.log('inside', ++count, inside._destroyed);
  if (count < 3) inside.refresh();
  else after();
}, 1);
function after() {
  let fired = 0;
  const late = setTimeout(() => console.log('fired', ++fired), 1);
  setTimeout(() => {
    console.log('destroyed', late._destroyed);
    console.log(late.refresh() === late, late._destroyed);
    setTimeout(cleared, 10);
  }, 10);
}
function cleared() {
  const gone = setTimeout(() => console.log('never'), 1);
  clearTimeout(gone);
  gone.refresh();
  const early = setTimeout(() => { console.log('early'); pushed(); }, 1);
  early.refresh().refresh();
}
function pushed() {
  const first = setTimeout(() => console.log('refreshed is last'), 5);
  setTimeout(() => console.log('first now'), 5);
  first.refresh();
  let rounds = 0;
  const interval = setInterval(() => {
    console.log('interval', ++rounds);
    interval.refresh();
    if (rounds === 3) clearInterval(interval);
  }, 20);
}
