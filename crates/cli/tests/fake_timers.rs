//! Timers and the date that tests move: what the files expect is what jest 29 and vitest 3 do under Node.

use crate::common::{directory, hemiola, text};

const JEST: &str = r#"
const run = (name, fn) => test(name, async () => {
  const seen = [];
  try { await fn((...words) => { seen.push(words.join(' ')); }); } finally { jest.useRealTimers(); }
  expect(seen.join('|')).toBe(EXPECTED[name]);
});
const EXPECTED = {
  order: '7|now|zero|less|none|-|one|-|text|each|each|ten|-|1',
  nested: 'a 5|now 6|b 10|c 11|20',
  'at once': '1|5',
  throws: 'after|boom|0',
  'throws at once': 'one|1|two|0',
  'moved within': 'a|b 5|a 11|13',
  clears: 'number|Cannot clear timer: timer created with setImmediate() but cleared with clearTimeout()|1',
  whole: 'f 1|g 1|h 1',
  dates: '2020-02-02T00:00:00.000Z|0|1000|now should be milliseconds since UNIX epoch|0|9',
  clocks: '1234 1,234000000 1234000000',
  async: 'slept 0|slept 1|25|slept 2|30|0',
  sync: 'slept 0|0|1',
  pending: '1|end 1',
  next: 'a|b|-|c|d|0',
  ticks: '2|tick|micro|-|timer|tick 2',
  negative: 'Negative ticks are not supported',
  callback: 'TypeError|Error',
  none: 'warned|0',
};
run('order', (log) => {
  jest.useFakeTimers();
  setTimeout(() => log('ten'), 10); setTimeout(() => log('zero'), 0); setTimeout(() => log('one'), 1);
  setImmediate(() => log('now')); setTimeout(() => log('less'), -5); setTimeout(() => log('none'), NaN);
  setTimeout(() => log('text'), '3');
  log(jest.getTimerCount());
  setInterval(() => log('each'), 4);
  for (const ms of [0, 1, 9]) { jest.advanceTimersByTime(ms); log('-'); }
  log(jest.getTimerCount());
});
run('nested', (log) => {
  jest.useFakeTimers({ now: 0 });
  setTimeout(() => {
    log('a', Date.now());
    setTimeout(() => { log('b', Date.now()); setTimeout(() => log('c', Date.now()), 0); }, 5);
    setImmediate(() => log('now', Date.now()));
  }, 5);
  jest.advanceTimersByTime(20);
  log(Date.now());
});
run('at once', (log) => {
  jest.useFakeTimers();
  let count = 0;
  const again = () => { if (++count < 5) setTimeout(again, 0); };
  setTimeout(again, 0);
  jest.advanceTimersByTime(0); log(count); jest.advanceTimersByTime(10); log(count);
});
run('throws', (log) => {
  jest.useFakeTimers();
  setTimeout(() => { throw new Error('boom'); }, 1); setTimeout(() => log('after'), 2);
  try { jest.advanceTimersByTime(5); } catch (error) { log(error.message); }
  log(jest.getTimerCount());
});
run('throws at once', (log) => {
  jest.useFakeTimers();
  setTimeout(() => { throw new Error('one'); }, 1); setTimeout(() => log('two'), 2);
  try { jest.runAllTimers(); } catch (error) { log(error.message); }
  log(jest.getTimerCount()); jest.runAllTimers(); log(jest.getTimerCount());
});
run('moved within', (log) => {
  jest.useFakeTimers({ now: 0 });
  setTimeout(() => { log('a'); jest.advanceTimersByTime(10); log('a', Date.now()); }, 1);
  setTimeout(() => log('b', Date.now()), 5);
  jest.advanceTimersByTime(3); log(Date.now());
});
run('clears', (log) => {
  jest.useFakeTimers();
  const timer = setTimeout(() => log('never'), 5); clearTimeout(+timer); log(typeof +timer);
  const now = setImmediate(() => {});
  try { clearTimeout(now); } catch (error) { log(error.message); }
  log(jest.getTimerCount());
});
run('whole', (log) => {
  jest.useFakeTimers({ now: 0 });
  setTimeout(() => log('f', Date.now()), 1.7); setTimeout(() => log('g', Date.now()), 1.2); setTimeout(() => log('h', Date.now()), 1);
  jest.advanceTimersByTime(1);
});
run('dates', (log) => {
  jest.useFakeTimers();
  jest.setSystemTime(new Date('2020-02-02T00:00:00Z')); log(new Date().toISOString());
  jest.setSystemTime(0); log(Date.now()); jest.advanceTimersByTime(1000); log(Date.now());
  try { jest.setSystemTime('2021-01-01'); } catch (error) { log(error.message); }
  jest.setSystemTime(); log(Date.now()); jest.setSystemTime({ getTime: () => 9 }); log(Date.now());
});
run('clocks', (log) => {
  jest.useFakeTimers();
  const [start, time, big] = [performance.now(), process.hrtime(), process.hrtime.bigint()];
  jest.advanceTimersByTime(1234);
  log(performance.now() - start, process.hrtime(time), process.hrtime.bigint() - big);
});
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
run('async', async (log) => {
  jest.useFakeTimers();
  (async () => { for (let at = 0; at < 3; at++) { await sleep(10); log('slept', at); } })();
  await jest.advanceTimersByTimeAsync(25); log('25'); await jest.advanceTimersByTimeAsync(5); log('30'); log(jest.getTimerCount());
});
run('sync', async (log) => {
  jest.useFakeTimers();
  (async () => { for (let at = 0; at < 3; at++) { await sleep(10); log('slept', at); } })();
  jest.advanceTimersByTime(100); const count = jest.getTimerCount(); await null; await null; log(count); log(jest.getTimerCount());
});
run('pending', async (log) => {
  jest.useFakeTimers();
  (async () => { await sleep(10); log('1'); await sleep(10); log('2'); })();
  await jest.runOnlyPendingTimersAsync(); log('end', jest.getTimerCount());
});
run('next', (log) => {
  jest.useFakeTimers();
  setTimeout(() => log('a'), 10); setTimeout(() => log('b'), 10); setTimeout(() => log('c'), 20); setTimeout(() => log('d'), 30);
  jest.advanceTimersToNextTimer(); log('-'); jest.advanceTimersToNextTimer(2); log(jest.getTimerCount());
});
run('ticks', (log) => {
  jest.useFakeTimers();
  process.nextTick(() => log('tick')); queueMicrotask(() => log('micro'));
  log(jest.getTimerCount()); jest.runAllTicks(); log('-');
  setTimeout(() => { log('timer'); process.nextTick(() => log('tick 2')); }, 1);
  jest.advanceTimersByTime(1);
});
run('negative', (log) => { jest.useFakeTimers(); try { jest.advanceTimersByTime(-5); } catch (error) { log(error.message); } });
run('callback', (log) => {
  jest.useFakeTimers();
  for (const wrong of ['x', undefined]) { try { setTimeout(wrong, 1); } catch (error) { log(error.name); } }
});
run('none', (log) => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => log('warned'));
  jest.advanceTimersByTime(5); warn.mockImplementation(() => {}); log(jest.getTimerCount()); warn.mockRestore();
});
"#;

const VITEST: &str = r#"
import { afterEach, expect, test, vi } from 'vitest';
afterEach(() => { vi.useRealTimers(); });
test('a clock that runs goes on', () => {
  vi.useFakeTimers({ now: 5 }); setTimeout(() => {}, 1);
  vi.useFakeTimers({ now: 99 });
  expect([Date.now(), vi.getTimerCount()]).toEqual([5, 1]);
});
test('steps', () => {
  vi.useFakeTimers();
  const seen = [];
  for (const ms of [10, 20, 30]) setTimeout(() => seen.push(ms), ms);
  expect(vi.advanceTimersToNextTimer(2)).toBe(vi);
  expect(seen).toEqual([10]);
});
test('none', () => {
  expect(() => vi.advanceTimersByTime(5)).toThrow('Timers are not mocked');
  expect(() => vi.getTimerCount()).toThrow('Timers are not mocked');
});
test('the date alone', () => {
  const { setTimeout } = globalThis;
  expect(vi.getMockedSystemTime()).toBe(null);
  vi.setSystemTime('1970-01-01T00:00:00.500Z');
  expect([Date.now(), globalThis.setTimeout === setTimeout, vi.isFakeTimers()]).toEqual([500, true, false]);
  vi.useRealTimers();
  expect(Date.now()).toBeGreaterThan(1e9);
});
test('ticks are real', async () => {
  vi.useFakeTimers();
  let ticked = false;
  await new Promise((resolve) => process.nextTick(() => { ticked = true; resolve(); }));
  expect(ticked).toBe(true);
});
"#;

/// A test moves its clock between answers that come in any order.
const EXPLORED: &str = r#"
const { stat } = require('node:fs/promises');
beforeEach(() => { jest.useFakeTimers(); });
test('in its order', async () => {
  const seen = [];
  setTimeout(() => seen.push('later'), 20); setTimeout(() => seen.push('sooner'), 10);
  const answers = Promise.all([stat('.'), stat('.')]);
  jest.advanceTimersByTime(30);
  await answers;
  expect(seen).toEqual(['sooner', 'later']);
});
test('by luck', async () => {
  let isThere = false;
  stat('.').then(() => { isThere = true; });
  setTimeout(() => expect(isThere).toBe(true), 10);
  await jest.advanceTimersByTimeAsync(10);
});
"#;

#[test]
fn timers_are_moved_as_by_jest_and_vitest() {
    for (name, file, source, count) in
        [("jest", "a.test.js", JEST, 18), ("vitest", "a.test.mjs", VITEST, 5)]
    {
        let package =
            format!(r#"{{"devDependencies":{{"{name}":"1"}},"scripts":{{"test":"{name}"}}}}"#);
        let files = [(file, source), ("package.json", &*package)];
        let directory = directory(&format!("fake-timers-{name}"), &files);
        for (flags, words) in [(&["test"][..], "passed"), (&["test", "--explore"], "passed")] {
            let output = hemiola(&directory).args(flags).output().expect("it runs");
            let told = text(output.stdout);
            let expected = format!("{count} tests in 1 file: {count} {words}\n");
            assert!(told.ends_with(&expected), "{flags:?}: {told}{}", text(output.stderr));
        }
    }
}

#[test]
fn no_schedule_changes_the_order_of_fake_timers() {
    let directory = directory("fake-timers-explored", &[("a.test.js", EXPLORED)]);
    let output = hemiola(&directory).args(["test", "--explore"]).output().expect("it runs");
    let told = text(output.stdout);
    assert!(told.contains("✔ in its order: passes in all schedules (exhaustive, "), "{told}");
    assert!(told.contains("≈ by luck: flaky"), "{told}");
}
