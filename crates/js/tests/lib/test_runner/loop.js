// What the host supplies for node:test, for the bare engine: a loop with a clock of its own, in which
// nothing takes time but timers. Goes before a program, which gets `require`.
let clock = 0;
let order = 0;
let finish = null;
let exitCode = 0;
const ticks = [];
const immediates = new Set();
const timers = new Set();

Object.assign(binding, {
  argv: ['hemiola'],
  env: {},
  cwd: '/work',
  now: () => clock,
  wallClock: () => clock,
  writeStdout: (text) => print(text.replace(/\n$/, '')),
  writeStderr: (text) => print(text.replace(/\n$/, '')),
  nextTick: (fn, ...args) => ticks.push(() => fn(...args)),
  startTests: (fn) => { finish = fn; },
  setExitCode: (code) => { exitCode = code; },
  timeoutPrototype: {},
  immediatePrototype: {},
  startTimer(callback, delay, repeat, args) {
    const timer = Object.create(binding.timeoutPrototype);
    const every = Math.max(Math.trunc(delay) || 1, 1);
    Object.assign(timer, { due: clock + every, order: order++, run: () => callback(...args), every: repeat ? every : 0, ref_: true });
    timers.add(timer);
    return timer;
  },
  clearTimeout: (timer) => timers.delete(timer),
  referTimer: (timer, refer) => { timer.ref_ = refer; },
  refreshTimer: (timer) => { timer.due = clock + timer.every; },
  timerInfo: (timer) => ({ number: timer.order, referenced: timer.ref_ }),
  setImmediate(callback, args) {
    const immediate = Object.create(binding.immediatePrototype);
    immediate.run = () => callback(...args);
    immediates.add(immediate);
    return immediate;
  },
  clearImmediate: (immediate) => immediates.delete(immediate),
  setUnrefTimeout(callback, delay) { binding.referTimer(binding.startTimer(callback, delay, false, []), false); },
});

Object.assign(globalThis, load('internal/timers'), load('internal/abort_controller'));
globalThis.process = load('internal/process');
globalThis.console = { log: (...args) => print(args.map((arg) => (typeof arg === 'string' ? arg : load('internal/util/inspect').inspect(arg))).join(' ')) };
const require = (name) => load(name.replace(/^node:/, ''));

// The engine's program runs timers between microtasks, so these are let pass by count.
async function microtasks() {
  for (let i = 0; i < 3000; i++) await null;
}

function runOne(fn) {
  try { fn(); } catch (error) { load('internal/uncaught').handle(error); }
}

async function runLoop() {
  let over = false;
  while (true) {
    await microtasks();
    if (ticks.length > 0) {
      runOne(ticks.shift());
      continue;
    }
    const immediate = immediates.values().next().value;
    const [next] = [...timers].sort((a, b) => a.due - b.due || a.order - b.order);
    if (next !== undefined && next.due <= clock) {
      if (next.every > 0) next.due = clock + next.every;
      else timers.delete(next);
      runOne(next.run);
    } else if (immediate !== undefined) {
      immediates.delete(immediate);
      runOne(immediate.run);
    } else if ([...timers].some((timer) => timer.ref_)) {
      clock = next.due;
    } else if (finish !== null) {
      const fn = finish;
      finish = null;
      fn().then(() => { over = true; });
    } else {
      break;
    }
  }
  print(`exit ${exitCode}`);
}
