//! `hemiola run` and `hemiola simulate`, as a user meets them.

use crate::common::{HEMIOLA, isolated};
use std::path::{Path, PathBuf};
use std::process::Output;

fn hemiola(args: &[&str]) -> Output {
    let output = isolated(HEMIOLA).args(args).output();
    output.expect("the command can be started")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

/// What a program shows in virtual time, which must be the same twice.
fn simulated(source: &str) -> Vec<String> {
    let run = || hemiola(&["simulate", "-e", source]);
    let (first, second) = (run(), run());
    assert_eq!(first.stdout, second.stdout, "two runs show the same");
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    stdout(&first).lines().map(str::to_owned).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

/// Every pair of asynchronous constructs, against what Node 20 printed.
#[test]
fn the_event_loop_has_the_order_of_node() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/event_loop");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the programs are there")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "js"))
        .collect();
    programs.sort();
    assert!(programs.len() >= 80, "{} programs", programs.len());
    for program in programs {
        let output = hemiola(&["run", program.to_str().expect("the path is text")]);
        assert_eq!(stdout(&output), read(&program.with_extension("out")), "{}", program.display());
    }
}

mod clocks {
    use super::simulated;

    const COUNTERS: &str = "let x = 0, n = 0; const shown = [];
        const increment = () => { x += 1; }, decrement = () => { x -= 2; };
        const all = []; const stop = () => all.forEach(clearInterval);
        const observe = () => { console.log(x); if (++n === 3) stop(); };";

    #[test]
    fn time_4_callbacks_of_one_clock_and_instant_are_one_action() {
        let program = format!(
            "{COUNTERS} all.push(setInterval(increment, 1000, 'A'), setInterval(decrement, 2000, 'A'),
             setInterval(observe, 4000, 'A'));"
        );
        assert_eq!(simulated(&program), ["0", "0", "0"]);
    }

    #[test]
    fn time_1_a_younger_clock_comes_later_at_the_same_instant() {
        let program = format!(
            "{COUNTERS} all.push(setInterval(increment, 1000, 'A'), setInterval(decrement, 2000, 'B'),
             setInterval(observe, 4000, 'A'));"
        );
        assert_eq!(simulated(&program), ["2", "2", "2"]);
    }

    #[test]
    fn time_7_an_asynchronous_callback_joins_a_clock() {
        let program = "let x = 0, n = 0, c;
            const a = setInterval(() => x += 1, 1000, 'A'), b = setInterval(() => x -= 2, 2000, 'A');
            setTimeout(() => {
              console.log('joins at', currentTime('A'));
              c = setInterval(() => {
                console.log(x, currentTime('A'));
                if (++n === 4) [a, b, c].forEach(clearInterval);
              }, 1000, 'A');
            }, 1500);";
        assert_eq!(simulated(program), ["joins at 1000", "0 2000", "1 3000", "0 4000", "1 5000"]);
    }

    #[test]
    fn time_5_time_6_a_tail_and_then_a_microstep() {
        let program = "setTimeout(() => {
              console.log('first'); Promise.resolve().then(() => console.log('job'));
              process.nextTick(() => console.log('tick'));
              setImmediate(() => console.log('immediate'));
              setTimeout(() => console.log('microstep'), 0, 'A');
            }, 10, 'A');
            setTimeout(() => console.log('second'), 10, 'A');
            setTimeout(() => console.log('younger'), 10, 'B');";
        let order = ["first", "second", "tick", "job", "microstep", "immediate", "younger"];
        assert_eq!(simulated(program), order);
    }

    #[test]
    fn time_9_time_10_clearing_and_throwing_within_an_action() {
        let program =
            "process.on('uncaughtException', (error) => console.log('caught', error.message));
            setTimeout(() => { clearTimeout(third); throw new Error('no'); }, 10, 'A');
            setTimeout(() => console.log('second'), 10, 'A');
            const third = setTimeout(() => console.log('never'), 10, 'A');";
        assert_eq!(simulated(program), ["caught no", "second"]);
    }

    #[test]
    fn time_12_time_13_delays_are_whole_and_clocks_end() {
        let program = "console.log(currentTime('A'));
            setTimeout(() => console.log('a', currentTime('A')), 1.9, 'A');
            setTimeout(() => console.log('b', currentTime('A')), NaN, 'A');
            setTimeout(() => console.log('gone', currentTime('A')), 50);
            try { setTimeout(() => {}, Infinity, 'A'); } catch (error) { console.log(error.name); }";
        assert_eq!(simulated(program), ["undefined", "RangeError", "b 0", "a 1", "gone undefined"]);
    }
}

#[test]
fn a_year_passes_at_once() {
    let shown = simulated(
        "const start = Date.now(); setTimeout(() => console.log(Date.now() - start), 365 * 86400e3);",
    );
    // Longer than 2^31 milliseconds: without a label Node takes that for one millisecond.
    assert_eq!(shown, ["1"]);
    let shown = simulated(
        "const start = Date.now(); setTimeout(() => console.log(Date.now() - start), 365 * 86400e3, 'A');",
    );
    assert_eq!(shown, ["31536000000"]);
}

#[test]
fn nothing_runs_after_an_exit() {
    let program = "process.once('beforeExit', () => {
          console.log('before'); setTimeout(() => console.log('never'), 1); process.exit(4);
        });";
    let output = hemiola(&["run", "-e", program]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(4), "before\n".into()));
    let stubbed = hemiola(&["run", "-e", "process.exit = () => {}; process.exitCode = 6;"]);
    assert_eq!(stubbed.status.code(), Some(6));
    let shown = simulated(
        "process.once('beforeExit', () => setTimeout(() => console.log('more'), 1));
        process.on('exit', () => console.log('exit'));",
    );
    assert_eq!(shown, ["more", "exit"]);
}

#[test]
fn a_seed_decides_random_numbers() {
    let draw = |seed: &str| {
        let program = "console.log(Math.random(), Math.random())";
        stdout(&hemiola(&["simulate", "--seed", seed, "-e", program]))
    };
    assert_eq!(draw("7"), draw("7"));
    assert_ne!(draw("7"), draw("8"));
}

#[test]
fn errors_look_like_nodes_and_exit_codes_are_passed_on() {
    let thrown = hemiola(&["run", "-e", "function f() { throw new TypeError('boom'); } f();"]);
    assert_eq!(thrown.status.code(), Some(1));
    let text = String::from_utf8_lossy(&thrown.stderr).into_owned();
    assert!(text.contains("TypeError: boom\n    at f ("), "{text}");

    let rejected = hemiola(&["run", "-e", "Promise.reject(new Error('nobody cares'))"]);
    assert_eq!(rejected.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&rejected.stderr).contains("Error: nobody cares"));

    let code =
        hemiola(&["run", "-e", "process.on('exit', (c) => console.log(c)); process.exit(5);"]);
    assert_eq!((code.status.code(), stdout(&code)), (Some(5), "5\n".into()));

    let overflow = hemiola(&[
        "run",
        "-e",
        "try { (function f() { f(); })(); } catch (e) { console.log(e.name); }",
    ]);
    assert_eq!(stdout(&overflow), "RangeError\n");

    let missing = hemiola(&["run", "/nowhere/at/all.js"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&missing.stderr)
            .contains("Cannot find module '/nowhere/at/all.js'")
    );
}
