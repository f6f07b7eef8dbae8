//! Actions that run for too long, and clocks that let nobody else run (rules TIME-8, TIME-14, GATE-2).

use crate::common::{directory, hemiola, text};
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

fn call(directory: &Path, words: &[&str]) -> Output {
    let mut command = hemiola(directory);
    command.args(words).env("HEMIOLA_RUNS", directory.join("runs"));
    command.output().expect("hemiola runs")
}

fn said(directory: &Path, words: &[&str]) -> String {
    let output = call(directory, words);
    assert!(output.status.success(), "{words:?}: {}", text(output.stderr));
    text(output.stdout)
}

const SPENDS: &str = "
    const { clock, spend } = require('hemiola:clock');
    const a = clock('A');
    const time = () => Math.round(performance.now());
    a.watchdog(50, (error) => console.log('fault', error.code, error.message, a.now(), time()));
    a.setTimeout(() => {
      process.nextTick(() => console.log('tail'));
      try {
        spend(30);
        spend(1000);
        console.log('not reached');
      } catch {
        console.log('caught');
      } finally {
        console.log('finally');
      }
    }, 10);
    a.setTimeout(() => console.log('the rest of the action'), 10);
    const interval = a.setInterval(() => console.log('tick', a.now(), time()), 10);
    a.setTimeout(() => console.log('next', a.now()), 20);
    a.setTimeout(() => clearInterval(interval), 30);
";

#[test]
fn an_action_past_its_limit_ends_and_the_handler_is_next_in_virtual_time() {
    let directory = directory("watchdog_virtual", &[("spends.js", SPENDS)]);
    let expected = "fault ERR_ACTION_TIMEOUT The action ran for longer than 50 ms 10 60\n\
                    tail\ntick 20 60\nnext 20\ntick 30 60\n";
    assert_eq!(said(&directory, &["simulate", "spends.js"]), expected);
    // It is the same with a trace, and twice.
    assert_eq!(said(&directory, &["simulate", "--paranoid", "spends.js"]), expected);
}

/// Computing takes no virtual time, so that its steps count; where it is interrupted does not depend on who
/// looks on.
#[test]
fn endless_computing_is_interrupted_in_virtual_time() {
    let program = "
        const { clock } = require('hemiola:clock');
        const a = clock('A');
        let steps = 0;
        a.watchdog(1, (error) => {
          console.log('fault', steps, a.now(), performance.now(), /at Timeout.spins/.test(error.stack));
        });
        a.setTimeout(function spins() { for (;;) steps++; }, 10);
        a.setTimeout(async function waits() { await null; for (;;) steps++; }, 20);
        a.setTimeout(() => /(a+)+b/.test('a'.repeat(40)), 30);";
    let directory = directory("watchdog_steps", &[("spins.js", program)]);
    let shown = said(&directory, &["simulate", "spins.js"]);
    let faults: Vec<Vec<&str>> = shown.lines().map(|line| line.split(' ').collect()).collect();
    let steps = |at: usize| faults[at][1].parse::<u64>().expect("it is a number");
    assert_eq!(faults.len(), 3, "{shown}");
    assert!((40_000..60_000).contains(&steps(0)), "{shown}");
    assert!((40_000..60_000).contains(&(steps(1) - steps(0))), "{shown}");
    assert_eq!(faults[0][2..], ["10", "10", "true"], "{shown}");
    assert_eq!(said(&directory, &["simulate", "spins.js"]), shown);
    let trace = directory.join("trace.jsonl");
    let trace = trace.to_str().expect("the path is text");
    assert_eq!(said(&directory, &["simulate", "--trace", trace, "spins.js"]), shown);
    let outcomes = said(&directory, &["explore", "spins.js"]);
    let of_all = |text: &str| outcomes.matches(text).count();
    assert!(of_all("fault ") > 3, "{outcomes}");
    assert_eq!(of_all(&format!("fault {} ", steps(0))) * 3, of_all("fault "), "{outcomes}");
}

/// Each of these would catch an error that is thrown.
const CATCHES: &str = "
    const { clock } = require('hemiola:clock');
    const a = clock('A');
    const caught = (how) => () => console.log('caught by', how);
    const forever = () => { for (;;); };
    async function asynchronous() { await null; forever(); }
    async function* generator() { yield 1; forever(); }
    function* yields() { try { yield 1; } finally { caught('return of an iterator')(); } }
    const ways = {
      statement() { try { forever(); } catch { caught('catch')(); } finally { caught('finally')(); } },
      async function() { try { forever(); } catch { caught('async catch')(); } finally { caught('async finally')(); } },
      async awaits() { try { await asynchronous(); } catch { caught('await')(); } finally { caught('await, finally')(); } },
      inner() { (async () => forever())().catch(caught('catch()')); caught('the caller of an async function')(); },
      executor() { new Promise(forever).catch(caught('a promise')); caught('new Promise')(); },
      reaction() { Promise.resolve().then(forever).then(caught('then'), caught('a reaction')).finally(caught('finally()')); },
      all() { Promise.all([asynchronous()]).then(caught('all'), caught('all')); },
      settled() { Promise.allSettled([asynchronous()]).then(caught('allSettled')); },
      race() { Promise.race([asynchronous()]).catch(caught('race')); },
      async iterates() { try { for await (const _ of generator()); } finally { caught('for await')(); } },
      each() { [1].forEach(forever); caught('forEach')(); },
      from() { Array.from(yields(), forever); caught('from')(); },
      of() { for (const _ of yields()) forever(); },
      emits() { new (require('events'))().on('x', forever).emit('x'); caught('emit')(); },
      microtask() { queueMicrotask(() => { try { forever(); } finally { caught('a microtask')(); } }); },
      tick() { process.nextTick(() => { try { forever(); } finally { caught('a tick')(); } }); },
    };
    let pending;
    a.watchdog(1, (error) => console.log(error.code));
    process.on('unhandledRejection', caught('unhandledRejection'));
    process.on('uncaughtException', caught('uncaughtException'));
    Object.values(ways).forEach((way, index) => a.setTimeout(way, 10 * index));
    a.setTimeout(() => { pending = asynchronous(); }, 1000);
    a.setTimeout(() => {
      pending.then(caught('a later then'), caught('a later then'));
      console.log(Object.keys(ways).length, 'ways', require('util').inspect(pending));
    }, 1010);
";

#[test]
fn nothing_catches_an_interruption() {
    let directory = directory("watchdog_uncaught", &[("catches.js", CATCHES)]);
    let ways = 16;
    let fault = "ERR_ACTION_TIMEOUT\n".repeat(ways + 1);
    let expected = format!("{fault}{ways} ways Promise {{ <pending> }}\n");
    assert_eq!(said(&directory, &["simulate", "catches.js"]), expected);
}

const SPINS: &str = "
    const { clock } = require('hemiola:clock');
    const a = clock('A');
    let steps = 0;
    let faults = 0;
    const watchdog = a.watchdog(700, (error) => {
      faults++;
      console.log('fault', steps, a.now() !== undefined, /spins?/.test(error.stack));
    });
    a.setTimeout(function spins() {
      try {
        for (;;) if (steps++ % 3) continue;
      } finally {
        console.log('finally');
      }
    }, 1);
    async function spin() {
      await undefined;
      await Promise.resolve().then(() => {});
      for (;;) steps++;
    }
    a.setTimeout(async () => {
      try {
        await spin();
      } catch {
        console.log('caught');
      }
    }, 2);
    a.setTimeout(function ends() {
      if (faults < 2) return a.setTimeout(ends, 1);
      watchdog.remove();
      const end = performance.now() + 1000;
      while (performance.now() < end);
      console.log('nobody watches');
    }, 3);
";

/// The error is not for the callback, and a replay interrupts it after as many steps, whether somebody traces
/// it or not.
#[test]
fn a_live_action_is_interrupted_and_its_replay_at_the_same_step() {
    let directory = directory("watchdog_live", &[("spins.js", SPINS)]);
    let recorded = said(&directory, &["run", "--record", "spins.js"]);
    let faults = recorded.lines().filter(|line| line.starts_with("fault")).count();
    assert!(recorded.ends_with("nobody watches\n"), "{recorded}");
    assert_eq!((faults, recorded.lines().count()), (2, 3), "{recorded}");
    assert!(!recorded.contains("false"), "{recorded}");
    assert_eq!(said(&directory, &["replay"]), recorded);
    let trace = directory.join("trace.jsonl");
    let trace = trace.to_str().expect("the path is text");
    assert_eq!(said(&directory, &["replay", "--trace", trace]), recorded);
    assert_eq!(said(&directory, &["replay", "--stacks=both"]), recorded);
}

/// Hooks before statements are given back as steps; since a few jumps are others with hooks, it is told.
#[test]
fn a_debugger_interrupts_at_nearly_the_same_place_and_says_so() {
    let program = "
        const { clock } = require('hemiola:clock');
        const a = clock('A');
        let steps = 0;
        a.watchdog(700, () => console.log('fault', steps));
        a.setTimeout(() => {
          for (;;) {
            steps++;
            Math.abs(steps);
          }
        }, 1);";
    let directory = directory("watchdog_debug", &[("spins.js", program)]);
    let recorded = said(&directory, &["run", "--record", "spins.js"]);
    let mut command = hemiola(&directory);
    command.env("HEMIOLA_RUNS", directory.join("runs")).args(["debug", "--tty"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("hemiola can be run");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(b"continue\nquit\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let (shown, notes) = (text(output.stdout), text(output.stderr));
    assert!(notes.contains("callbacks were interrupted for running too long (1)"), "{notes}");
    let steps = |text: &str| -> i64 {
        let line = text.lines().find_map(|line| line.split("fault ").nth(1));
        line.expect("there is a fault").trim().parse().expect("it is a number")
    };
    assert!((steps(&shown) - steps(&recorded)).abs() <= 2, "{recorded}{shown}");
}

#[test]
fn max_action_bounds_every_callback() {
    const ENDLESS: &str = "
        setTimeout(function endless() { try { for (;;); } catch { console.log('caught'); } }, 1);
        setTimeout(() => console.log('goes on'), 2);";
    const HANDLED: &str = "process.on('uncaughtException', (error) => console.log(error.code));";
    let handled = format!("{HANDLED}{ENDLESS}");
    let directory = directory(
        "watchdog_flag",
        &[("endless.js", ENDLESS), ("handled.js", &handled), ("main.js", "for (;;);")],
    );
    for mode in ["run", "simulate"] {
        let output = call(&directory, &[mode, "--max-action", "1500", "endless.js"]);
        let error = text(output.stderr);
        assert_eq!(output.status.code(), Some(1), "{mode}: {error}");
        assert!(error.contains("The action ran for longer than 1500 ms"), "{mode}: {error}");
        assert!(error.contains("at Timeout.endless"), "{mode}: {error}");
        assert_eq!(text(output.stdout), "", "{mode}");
    }
    let expected = "ERR_ACTION_TIMEOUT\ngoes on\n";
    let words = ["run", "--record", "--max-action=1500", "handled.js"];
    assert_eq!(said(&directory, &words), expected);
    assert_eq!(said(&directory, &["replay"]), expected);
    assert_eq!(said(&directory, &["simulate", "--max-action=20", "handled.js"]), expected);
    let main = call(&directory, &["simulate", "--max-action=500", "main.js"]);
    assert_eq!(main.status.code(), Some(1), "{}", text(main.stderr));
    for wrong in ["0", "-1", "1.5", "much", ""] {
        let output = call(&directory, &["run", &format!("--max-action={wrong}"), "endless.js"]);
        let error = text(output.stderr);
        assert_eq!(output.status.code(), Some(2), "{wrong}: {error}");
        assert!(error.contains("--max-action"), "{wrong}: {error}");
    }
}

/// Nobody is told of a handler that runs for too long but the program's own handler of errors.
#[test]
fn a_watchdog_does_not_call_its_handler_for_its_handler() {
    let program = "
        const { clock } = require('hemiola:clock');
        const a = clock('A');
        a.watchdog(1, () => { console.log('handler'); for (;;); });
        process.on('uncaughtException', (error) => console.log('uncaught', error.code));
        a.setTimeout(() => { for (;;); }, 1);
        a.setTimeout(() => console.log('goes on'), 2);";
    let directory = directory("watchdog_handler", &[("handler.js", program)]);
    let expected = "handler\nuncaught ERR_ACTION_TIMEOUT\ngoes on\n";
    assert_eq!(said(&directory, &["simulate", "handler.js"]), expected);
}

#[test]
fn what_is_no_watchdog_is_refused() {
    let program = "
        const { clock } = require('hemiola:clock');
        const a = clock('A');
        const tries = [[-1, () => {}], [0, () => {}], [NaN, () => {}], [Infinity, () => {}], ['5', () => {}],
          [5], [5, {}], [undefined, () => {}]];
        for (const args of tries) {
          try {
            a.watchdog(...args);
            console.log('taken');
          } catch (error) {
            console.log(error.code, error.message.split('. ')[0]);
          }
        }
        const first = a.watchdog(1, () => console.log('first'));
        a.watchdog(2, (error) => { console.log(error.message); a.close(); });
        first.remove();
        a.setTimeout(() => { for (;;); }, 1);
        setTimeout(() => {
          try { a.watchdog(1, () => {}); } catch (error) { console.log(error.code); }
          const b = clock('A');
          b.setTimeout(() => { for (let i = 0; i < 200_000; i++); console.log('nobody watches'); }, 1);
        }, 10);";
    let directory = directory("watchdog_refused", &[("refused.js", program)]);
    let expected = "\
        ERR_OUT_OF_RANGE The value of \"ms\" is out of range\n\
        ERR_OUT_OF_RANGE The value of \"ms\" is out of range\n\
        ERR_OUT_OF_RANGE The value of \"ms\" is out of range\n\
        ERR_OUT_OF_RANGE The value of \"ms\" is out of range\n\
        ERR_INVALID_ARG_TYPE The \"ms\" argument must be of type number\n\
        ERR_INVALID_ARG_TYPE The \"handler\" argument must be of type function\n\
        ERR_INVALID_ARG_TYPE The \"handler\" argument must be of type function\n\
        ERR_INVALID_ARG_TYPE The \"ms\" argument must be of type number\n\
        The action ran for longer than 2 ms\nERR_INVALID_STATE\nnobody watches\n";
    assert_eq!(said(&directory, &["simulate", "refused.js"]), expected);
}

/// A handler is told of an action once, whatever it releases before it.
#[test]
fn a_deadline_handler_that_releases_on_its_own_clock_does_not_livelock() {
    let program = "
        const { clock, spend } = require('hemiola:clock');
        const a = clock('A');
        a.deadline(5, (lag) => {
          console.log('late', lag);
          a.setTimeout(() => console.log('made up for', a.now()), 0);
        });
        a.setTimeout(() => spend(30), 10);
        a.setTimeout(() => console.log('action', a.now()), 20);
        a.setTimeout(() => console.log('in time', a.now()), 100);";
    let directory = directory("watchdog_deadline", &[("late.js", program)]);
    let expected = "late 20\nmade up for 10\naction 20\nin time 100\n";
    assert_eq!(said(&directory, &["simulate", "--until", "1s", "late.js"]), expected);
}

/// Zero delays without end do not keep answers and immediates waiting for ever, and it is told once.
#[test]
fn endless_zero_delays_let_others_in_and_are_reported() {
    let program = "
        const { clock } = require('hemiola:clock');
        const a = clock('A');
        let [steps, rounds, running] = [0, 0, true];
        const loop = () => {
          steps++;
          if (running) a.setTimeout(loop, 0);
        };
        a.setTimeout(loop, 0);
        setImmediate(() => console.log('immediate', steps <= 2002));
        const read = () => require('node:fs').readFile(__filename, () => {
          console.log('read', steps > 0);
          if (++rounds === 3) running = false;
          else read();
        });
        read();";
    let directory = directory("watchdog_zeno", &[("zeno.js", program)]);
    for mode in ["run", "simulate"] {
        let output = call(&directory, &[mode, "zeno.js"]);
        let error = text(output.stderr);
        assert!(output.status.success(), "{mode}: {error}");
        assert_eq!(
            text(output.stdout),
            "immediate true\nread true\nread true\nread true\n",
            "{mode}"
        );
        let warning = "The clock 'A' had 1000 zero delays in a row";
        assert_eq!(error.matches(warning).count(), 1, "{mode}: {error}");
    }
}

const SCRIPTS: &str = "
    const vm = require('node:vm');
    globalThis.steps = 0;
    const counts = (timeout) => {
      try {
        vm.runInThisContext('for (;;) steps++', { timeout });
      } catch (error) {
        console.log(error.code, steps);
      }
    };
    vm.runInThisContext('for (let i = 0; i < 30000; i++) steps++', { timeout: 60000 });
    console.log('computed', steps);
    counts(2);
    counts(1);
    setTimeout(async () => {
      counts(1);
      await null;
      counts(2);
      console.log('end');
    }, 10);
";

/// When a script was interrupted is in the recording, whoever looks on at the replay; in virtual time its steps count.
#[test]
fn scripts_are_interrupted_after_the_same_steps_again() {
    let directory = directory("watchdog_scripts", &[("scripts.js", SCRIPTS)]);
    let shown = said(&directory, &["run", "--record", "scripts.js"]);
    assert_eq!(shown.matches("ERR_SCRIPT_EXECUTION_TIMEOUT").count(), 4, "{shown}");
    assert!(shown.starts_with("computed 30000\n") && shown.ends_with("end\n"), "{shown}");
    assert_eq!(said(&directory, &["replay"]), shown);
    let trace = directory.join("trace.jsonl");
    let trace = trace.to_str().expect("the path is text");
    assert_eq!(said(&directory, &["replay", "--trace", trace, "latest"]), shown);

    let shown = said(&directory, &["simulate", "--paranoid", "scripts.js"]);
    let steps: Vec<i64> =
        shown.lines().filter_map(|line| line.split_once(' ')?.1.parse().ok()).collect();
    assert!((80_000..100_000).contains(&(steps[1] - steps[0])), "{shown}");
    assert!((40_000..60_000).contains(&(steps[2] - steps[1])), "{shown}");
    assert_eq!(said(&directory, &["simulate", "--trace", trace, "scripts.js"]), shown);
    // A limit of the callback around it counts for itself, from the callback's beginning.
    let bounded = said(&directory, &["simulate", "--max-action", "1000", "scripts.js"]);
    assert_eq!(bounded.matches("ERR_SCRIPT_EXECUTION_TIMEOUT").count(), 4, "{bounded}");
}

/// `spend()` in a script reaches the script's limit at its instant; the limit of the callback comes first where it is
/// earlier, and ends both.
#[test]
fn a_script_spends_no_more_than_it_may_and_ends_with_its_callback() {
    let program = "
        const vm = require('node:vm');
        const { clock, spend } = require('hemiola:clock');
        globalThis.spend = spend;
        const a = clock('A');
        const runs = (code, timeout) => {
          try {
            return vm.runInThisContext(code, { timeout });
          } catch (error) {
            return error.message;
          }
        };
        a.watchdog(50, (error) => console.log(error.code, performance.now()));
        a.setTimeout(() => {
          console.log(runs('spend(5); 1', 20), performance.now());
          console.log(runs('spend(5); spend(1000); spend(1)', 20), performance.now());
          console.log(runs('spend(1000)', 60), 'not reached');
        }, 10);
        a.setTimeout(() => console.log(runs('for (;;) ;', 60), 'not reached'), 100);";
    let directory = directory("watchdog_spends", &[("spends.js", program)]);
    let expected = "1 15\nScript execution timed out after 20ms 35\n\
                    ERR_ACTION_TIMEOUT 60\nERR_ACTION_TIMEOUT 100\n";
    assert_eq!(said(&directory, &["simulate", "--paranoid", "spends.js"]), expected);
}

/// Scripts one after the other do not keep the program from being ended.
#[test]
fn a_program_of_many_short_scripts_is_ended() {
    let program = "
        const vm = require('node:vm');
        for (;;) vm.runInThisContext('1', { timeout: 60000 });";
    let directory = directory("watchdog_many", &[("many.js", program)]);
    let output = call(&directory, &["run", "--timeout", "200ms", "many.js"]);
    assert!(text(output.stderr).contains("the time is up"));
    let output = call(&directory, &["simulate", "--max-action", "2", "many.js"]);
    assert!(text(output.stderr).contains("ERR_ACTION_TIMEOUT"));
}
