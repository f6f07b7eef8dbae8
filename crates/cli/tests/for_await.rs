//! Leaving a `for await` waits for its iterator to be closed, however it is left.

use crate::common::{HEMIOLA, isolated};

const PROGRAM: &str = "
async function* numbers() { try { yield 1; yield 2; } finally { await null; console.log('closed'); } }
const closing = (close) => ({ [Symbol.asyncIterator]: () => ({
  next: async () => ({ value: 1, done: false }),
  return: close,
}) });
const slow = closing(() => new Promise((done) => setTimeout(() => { console.log('slow'); done({}); }, 1)));
(async () => {
  try { for await (const n of numbers()) { throw 'thrown'; } } catch (error) { console.log(error); }
  try { for await (const n of numbers()) await Promise.reject('rejected'); } catch (error) { console.log(error); }
  try { for await (const n of slow) throw 'after slow'; } catch (error) { console.log(error); }
  // What closing throws matters only when nothing else was thrown.
  for (const close of [() => { throw 'close'; }, () => Promise.reject('close'), () => 5]) {
    try { for await (const n of closing(close)) throw 'body'; } catch (error) { console.log(error); }
    try { for await (const n of closing(close)) break; } catch (error) { console.log(error instanceof TypeError || error); }
  }
  outer: for (const once of [1]) {
    inner: for await (const n of numbers()) {
      for await (const m of numbers()) { if (m === 1) continue inner; }
    }
  }
  const nested = async () => { for await (const n of numbers()) for await (const m of numbers()) throw 'nested'; };
  await nested().catch(console.log);
  console.log(nested.toString());
  const returned = await (async () => { for await (const n of numbers()) return n; })();
  console.log('returned', returned);
})();";

/// As Node 20 prints it.
const SHOWN: &str = "closed
thrown
closed
rejected
slow
after slow
body
close
body
close
body
true
closed
closed
closed
closed
closed
nested
async () => { for await (const n of numbers()) for await (const m of numbers()) throw 'nested'; }
closed
returned 1
";

#[test]
fn an_iterator_is_closed_before_what_follows() {
    let mut command = isolated(HEMIOLA);
    let output = command.args(["simulate", "-e", PROGRAM]).output();
    let output = output.expect("the command can be started");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), SHOWN);
}

#[test]
fn a_pattern_may_yield() {
    let source = "async function* takes() {
          let a, b;
          for await ([a = yield 'default', b] of [[, 2], [3, 4]]) console.log(a, b);
          for await (b[yield 'key'] of [5]) console.log(b);
        }
        (async () => {
          const taking = takes();
          console.log((await taking.next()).value);
          console.log((await taking.next(1)).value);
          console.log((await taking.next('k')).done);
        })();";
    let output = isolated(HEMIOLA).args(["run", "-e", source]).output().expect("it can be started");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(shown, "default\n1 2\n3 4\nkey\n4\ntrue\n", "{output:?}");
}
