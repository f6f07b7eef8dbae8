//! Programs in JavaScript under each of the strategies (rules LOOP-3 to LOOP-7).

use crate::common::{HEMIOLA, isolated};

/// What a program shows under a strategy, in virtual time; it must be the same twice.
fn shown(strategy: &str, source: &str) -> String {
    let run = || {
        let mut command = isolated(HEMIOLA);
        command.args(["simulate", "--until", "10s", "--strategy", strategy, "-e", source]);
        let output = command.output().expect("the command can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("output is text")
    };
    let (first, second) = (run(), run());
    assert_eq!(first, second, "two runs show the same");
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

const MIXED: &str = "
    const log = (text) => () => console.log(text);
    setImmediate(log('immediate'));
    let n = 0;
    (function tick() { if (n++ < 3) process.nextTick(() => { console.log('tick' + n); tick(); }); })();
    Promise.resolve().then(log('job1')).then(log('job2')).then(log('job3'));
    setTimeout(log('timer'), 1);";

#[test]
fn loop_3_all_takes_what_is_ready_and_leaves_the_rest_for_the_next_turn() {
    assert_eq!(shown("all", MIXED), "tick1 job1 immediate tick2 job2 tick3 job3 timer");
}

#[test]
fn loop_3_recursion_of_ticks_starves_nobody() {
    let program = "let n = 0; const again = () => { if (!done && n++ < 1e6) process.nextTick(again); };
        let done = false; again(); setImmediate(() => { done = true; console.log('immediate after', n); });";
    assert_eq!(shown("all", program), "immediate after 2");
}

#[test]
fn loop_3_a_job_that_a_tick_of_the_batch_queued_waits_for_the_next() {
    let program = "const log = (text) => () => console.log(text);
        queueMicrotask(() => { log('job')(); process.nextTick(log('tick-of-job')); });
        setImmediate(log('immediate'));
        process.nextTick(() => { log('tick')(); queueMicrotask(log('job-of-tick')); process.nextTick(log('tick-of-tick')); });";
    let expected = "tick job immediate tick-of-tick tick-of-job job-of-tick";
    assert_eq!(shown("all", program), expected);
    let urgent_first = "tick job tick-of-tick tick-of-job job-of-tick immediate";
    assert_eq!(shown("micro", program), urgent_first);
}

#[test]
fn loop_4_micro_runs_what_is_urgent_in_batches_before_anything_else() {
    assert_eq!(shown("micro", MIXED), "tick1 job1 tick2 job2 tick3 job3 immediate timer");
}

#[test]
fn loop_5_edge_has_zero_timeouts_among_the_urgent_and_no_immediates() {
    let program = "
        const log = (text) => () => console.log(text);
        console.log(typeof setImmediate, typeof clearImmediate);
        setTimeout(log('zero'), 0);
        clearTimeout(setTimeout(log('cleared'), 0));
        Promise.resolve().then(log('job')).then(log('job2'));
        process.nextTick(log('tick'));
        setTimeout(log('one'), 1);";
    assert_eq!(shown("edge", program), "undefined undefined tick zero job job2 one");
}

#[test]
fn loop_7_node_phases_drains_ticks_and_jobs() {
    assert_eq!(shown("node-phases", MIXED), "tick1 tick2 tick3 job1 job2 job3 immediate timer");
}

#[test]
fn an_unhandled_rejection_ends_a_program_under_every_strategy() {
    for strategy in ["all", "micro", "edge", "node-phases"] {
        let mut command = isolated(HEMIOLA);
        command.args(["run", "--strategy", strategy, "-e", "Promise.reject(new Error('boom'))"]);
        let output = command.output().expect("the command can be started");
        assert_eq!(output.status.code(), Some(1), "{strategy}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("Error: boom"), "{strategy}");
    }
}

const LABELLED: &str = "
    const log = (text) => () => console.log(text);
    setTimeout(() => {
        log('action')();
        setTimeout(log('zero'), 0, 'A');
        Promise.resolve().then(() => { log('job')(); process.nextTick(log('tick2')); }).then(log('job2'));
        process.nextTick(log('tick'));
    }, 0, 'A');
    setTimeout(log('other'), 0, 'B');";

#[test]
fn time_6_a_zero_delay_on_a_clock_overtakes_no_tick_and_no_promise() {
    for strategy in ["all", "micro", "edge", "node", "node-phases", "machine", "priority"] {
        let expected = "action tick job job2 tick2 zero other";
        assert_eq!(shown(strategy, LABELLED), expected, "{strategy}");
    }
}

/// A clock is collected after a callback that leaves nothing outstanding on it. Ticks of others do not keep it;
/// where they belong to the callback's tail, they see its clocks as they were.
#[test]
fn time_11_a_clock_is_collected_after_a_callback_whatever_else_waits() {
    let program = "const timer = setTimeout(() => {}, 50, 'A');
        setTimeout(() => {
            process.nextTick(() => console.log(currentTime('A')));
            clearTimeout(timer);
        }, 1);";
    for (strategy, expected) in
        [("all", "undefined"), ("micro", "undefined"), ("edge", "undefined"), ("node-phases", "0")]
    {
        assert_eq!(shown(strategy, program), expected, "{strategy}");
    }
    // Of the reactions to one promise each is a callback.
    let reactions = "let resolve; const promise = new Promise((now) => { resolve = now; });
        setTimeout(() => { promise.then(() => {}); }, 0, 'A');
        setTimeout(() => { promise.then(() => console.log(currentTime('A'))); }, 0, 'B');
        setTimeout(() => resolve(), 5);";
    for (strategy, expected) in
        [("all", "undefined"), ("micro", "undefined"), ("edge", "undefined"), ("node-phases", "0")]
    {
        assert_eq!(shown(strategy, reactions), expected, "{strategy}");
    }
}

/// What waits for a batch of its own is an action by itself, and so are the clocks that it makes.
#[test]
fn time_2_a_tick_in_a_later_batch_samples_its_own_origin() {
    let program = |later: &str| {
        format!(
            "const {{ spend }} = require('hemiola:clock');
            setTimeout(() => {{
                setTimeout(() => {{}}, 9, 'A');
                {later}(() => {{
                    spend(5);
                    setTimeout(() => {{}}, 9, 'B');
                    console.log(currentTime('B') - currentTime('A'));
                }});
            }}, 1);"
        )
    };
    for later in ["process.nextTick", "queueMicrotask"] {
        for (strategy, expected) in [
            ("all", "5"),
            ("micro", "5"),
            ("edge", "5"),
            ("node", "0"),
            ("node-phases", "0"),
            ("machine", "0"),
            ("priority", "0"),
        ] {
            assert_eq!(shown(strategy, &program(later)), expected, "{later} under {strategy}");
        }
    }
    // In the tail of a labelled action nothing is divided.
    let tail = "const { spend } = require('hemiola:clock');
        setTimeout(() => {
            setTimeout(() => {}, 9, 'B');
            process.nextTick(() => {
                spend(5);
                setTimeout(() => {}, 9, 'C');
                console.log(currentTime('C') - currentTime('B'));
            });
        }, 1, 'A');";
    for strategy in ["all", "micro", "edge", "node-phases"] {
        assert_eq!(shown(strategy, tail), "0", "{strategy}");
    }
}

#[test]
fn the_end_of_virtual_time_stops_what_still_computes() {
    for (source, last) in [
        ("console.log('begun'); setTimeout(() => { for (;;); }, 5);", "still computes"),
        ("console.log('begun'); for (;;);", "still computes"),
        ("console.log('begun'); const go = () => process.nextTick(go); go();", "still computes"),
        // A job takes few of the engine's steps, and a bounded one begins to count them anew.
        (
            "console.log('begun'); const go = () => Promise.resolve().then(go); go();",
            "still computes",
        ),
        (
            "'bounded'; console.log('begun'); (async () => { for (;;) await 1; })();",
            "still computes",
        ),
    ] {
        let mut command = isolated(HEMIOLA);
        command.args(["simulate", "--until", "100ms"]);
        if source.starts_with("'bounded'") {
            command.args(["--max-action", "50"]);
        }
        command.args(["-e", source]);
        let output = command.output().expect("the command can be started");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(124), "{source}: {err}");
        assert!(err.contains("the virtual time is up (--until)") && err.contains(last), "{err}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "begun\n", "{source}");
    }
    // What computes for long, and comes to its end, is not stopped, also at the last instant.
    let long = "setTimeout(() => { for (let i = 0; i < 3e6; i++); console.log('done'); }, 100);";
    let mut command = isolated(HEMIOLA);
    command.args(["simulate", "--until", "100ms", "-e", long]);
    let output = command.output().expect("the command can be started");
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"done\n"[..]));
}

#[test]
fn loop_6_node_runs_one_callback_and_what_is_urgent_after_it() {
    let expected = "tick1 tick2 tick3 job1 job2 job3 immediate timer";
    assert_eq!(shown("node", MIXED), expected);
}

#[test]
fn loop_8_machine_lets_immediates_in_when_nothing_else_waits() {
    let program = "
        const log = (text) => () => console.log(text);
        setImmediate(() => { log('immediate')(); process.nextTick(log('tick')); });
        setImmediate(log('immediate2'));
        require('fs').stat('/', () => { log('io')(); setImmediate(log('immediate3')); });
        setTimeout(log('timer'), 5);";
    let expected = "immediate tick immediate2 io immediate3 timer";
    assert_eq!(shown("machine", program), expected);
    assert_eq!(shown("machine", MIXED), "tick1 tick2 tick3 job1 job2 job3 immediate timer");
}

#[test]
fn time_13_physical_time_is_a_whole_number() {
    let program = "setTimeout(() => console.log(Number.isInteger(currentTime())), 1.5)";
    assert_eq!(shown("node-phases", program), "true");
}
