//! Timers, immediates, ticks and microtasks: what their native functions and handles do.

use crate::common::{HEMIOLA, isolated};

/// What a program shows in virtual time.
fn simulated(source: &str) -> Vec<String> {
    let output = isolated(HEMIOLA).args(["simulate", "-e", source]).output();
    let output = output.expect("the command can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("output is text");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn callbacks_get_their_handle_and_their_arguments() {
    let shown = simulated(
        "const t = setTimeout(function (...a) { console.log(this === t, a.join()); }, 1, 1, 2, 3, 4, 5);
         const i = setImmediate(function (...a) { console.log(this === i, a.join()); }, 6, 7);
         process.nextTick((...a) => console.log(a.join()), 8, 9);
         queueMicrotask((...a) => console.log(a.length));",
    );
    assert_eq!(shown, ["8,9", "0", "true 6,7", "true 1,2,3,4,5"]);
}

#[test]
fn a_timer_is_cleared_by_handle_number_and_text() {
    let shown = simulated(
        "const never = () => console.log('never');
         clearTimeout(setTimeout(never, 1));
         clearTimeout(+setTimeout(never, 1));
         clearInterval(`${+setInterval(never, 1)}`);
         clearImmediate(setImmediate(never));
         for (const nothing of [undefined, null, {}, 'none', 1e9, -1, NaN, true, Symbol.iterator, () => {}]) {
           clearTimeout(nothing);
           clearImmediate(nothing);
         }
         clearTimeout(setImmediate(() => console.log('a timer function clears no immediate')));
         setTimeout(() => console.log('end'), 2);",
    );
    assert_eq!(shown, ["a timer function clears no immediate", "end"]);
}

#[test]
fn what_is_no_function_is_refused_as_by_node() {
    let shown = simulated(
        "for (const refuse of [setTimeout, setInterval, setImmediate, process.nextTick, queueMicrotask]) {
           try { refuse('text', 1); } catch (error) { console.log(refuse.name, error.code, error.message); }
         }",
    );
    let names = ["setTimeout", "setInterval", "setImmediate", "nextTick", "queueMicrotask"];
    let message =
        "The \"callback\" argument must be of type function. Received type string ('text')";
    assert_eq!(shown, names.map(|name| format!("{name} ERR_INVALID_ARG_TYPE {message}")));
}

#[test]
fn a_delay_is_whatever_becomes_a_number() {
    let shown = simulated(
        "const show = (name) => console.log(name, performance.now());
         setTimeout(show, '3', 1), setTimeout(show, { valueOf: () => 2 }, 2), setTimeout(show, 4.9, 3);
         setTimeout(show, undefined, 4), setTimeout(show, NaN, 5), setTimeout(show, -1, 6);
         setTimeout(show, 2 ** 31, 7);
         for (const bad of [1n, Symbol(), { valueOf() { throw new Error('mine'); } }]) {
           try { setTimeout(show, bad); } catch (error) { console.log(error.name); }
         }",
    );
    let expected = ["4 1", "5 1", "6 1", "7 1", "2 2", "1 3", "3 4"];
    assert_eq!(shown[..3], ["TypeError", "TypeError", "Error"]);
    assert_eq!(shown[3..], expected);
}

#[test]
fn handles_survive_the_search_for_cycles() {
    // Every handle is in a cycle with its callback; most are garbage by the time they are looked for.
    let shown = simulated(
        "let fired = 0;
         for (let i = 0; i < 60000; i++) {
           const t = setTimeout(() => { fired += t.hasRef() ? 1 : 0; }, i % 7, { i });
           if (i % 3 === 0) clearTimeout(t);
           const m = setImmediate(() => { fired += m.hasRef() ? 0 : 1; }, [i]);
           if (i % 3 === 1) clearImmediate(m);
         }
         setTimeout(() => console.log(fired), 10);",
    );
    assert_eq!(shown, ["80000"]);
}

#[test]
fn nothing_runs_after_an_exit_in_a_promise_job() {
    let shown = simulated(
        "queueMicrotask(() => { console.log('last'); process.exit(); });
         queueMicrotask(() => console.log('never'));
         Promise.resolve().then(() => console.log('never'));
         process.on('exit', () => console.log('exit'));",
    );
    assert_eq!(shown, ["last", "exit"]);
}

#[test]
fn an_error_of_a_microtask_is_an_uncaught_exception() {
    let shown = simulated(
        "process.on('uncaughtException', (error, origin) => console.log(error.message, origin));
         queueMicrotask(() => { throw new Error('first'); });
         queueMicrotask(() => console.log('second'));",
    );
    assert_eq!(shown, ["first uncaughtException", "second"]);
}
