// TIME-11: wherever an async function goes on, it counts for the clock in whose action it began. Each place
// has a clock of its own, and leaves an immediate there that only the place itself can hold the clock by.
const places = 34;
async function walk(gate, at) {
  await gate;
  at(0);
  try {
    at(1);
    await null;
    at(2);
    await Promise.reject();
  } catch {
    at(3);
    await null;
    at(4);
  } finally {
    at(5);
    await null;
    at(6);
  }
  for (const n of [7]) at(await n);
  for await (const n of [8, 9]) {
    at(n);
    await null;
    at(n + 2);
  }
  try {
    for await (const n of [12]) throw await n;
  } catch (n) {
    at(n);
  }
  at(13);
  async function* numbers() {
    at(14);
    yield 15;
    await null;
    at(16);
    try {
      yield 17;
    } finally {
      await null;
      at(18);
    }
  }
  for await (const n of numbers()) {
    at(n);
    if (n === 17) break;
  }
  at(19);
  const inner = async () => {
    at(20);
    await null;
    at(21);
    return 22;
  };
  at(await inner());
  switch (await 23) {
    case await 23: at(23);
  }
  loop: for (;;) {
    await null;
    at(24);
    for await (const _ of [0]) {
      await null;
      break loop;
    }
  }
  at(25);
  at(await (await (async () => async () => 26)())());
  {
    await using _ = { async [Symbol.asyncDispose]() { at(27); await null; at(28); } };
    await null;
    at(29);
  }
  at(30);
  at(Number(`${await 3}${await 1}`));
  const { n = await 32 } = {};
  at(n);
  try {
    return await null;
  } finally {
    at(33);
  }
}

let open;
const gate = new Promise((yes) => { open = yes; });
const seen = [];
for (let place = 0; place < places; place++) {
  const label = `place ${place}`;
  setTimeout(() => {
    walk(gate, (reached) => {
      if (reached === place) setImmediate(() => { seen[place] = currentTime(label) !== undefined; });
    });
  }, 10, label);
}
setTimeout(() => open(), 20, 'C');
setTimeout(() => {
  for (let place = 0; place < places; place++) console.log(place, seen[place], currentTime(`place ${place}`) !== undefined);
}, 30, 'C');
