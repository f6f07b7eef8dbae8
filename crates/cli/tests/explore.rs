//! `hemiola explore`, `hemiola check` for JavaScript, and `hemiola replay --schedule` (rules EXPL-5 and EXPL-6).
//!
//! Reduction loses nothing: for random small programs the outcomes are those of all schedules, one by
//! one. `HEMIOLA_PROGRAMS` is how many, `HEMIOLA_SEED` is the first one's seed; a failure names the seed
//! of the program that differs.

use crate::common::{directory, hemiola, text};
use hemiola_machine::Seeded;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Output, Stdio};

const TIMER: &str = "\
const fs = require('fs');
let seen = false;
fs.stat(__filename, () => { seen = true; });
setTimeout(() => { if (!seen) throw new Error('the timer was first'); console.log('fine'); }, 5);
";

const UPDATE: &str = "\
const fs = require('fs/promises');
const file = '/nowhere-counter';
async function add() {
  const before = Number(await fs.readFile(file, 'utf8').catch(() => '0'));
  await fs.writeFile(file, String(before + 1));
}
Promise.all([add(), add()])
  .then(() => fs.readFile(file, 'utf8'))
  .then((all) => { obs(Number(all)); });
";

fn run(folder: &Path, args: &[&str]) -> Output {
    // Whoever goes on with a search finds it in the test's own directory.
    let state = folder.join("state");
    hemiola(folder).env("XDG_STATE_HOME", state).args(args).output().expect("hemiola runs")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it is not killed")
}

/// What `explore` finds, as JSON; it must not be a mistake.
fn explored(folder: &Path, args: &[&str]) -> Value {
    let output = run(folder, &[&["explore", "--format", "json"], args].concat());
    assert!([0, 100, 102].contains(&code(&output)), "{}", text(output.stderr));
    serde_json::from_str(&text(output.stdout)).expect("one object")
}

/// What the outcomes show.
fn outcomes(found: &Value) -> BTreeSet<String> {
    let all = found["outcomes"].as_array().expect("a list");
    let key = |one: &Value| {
        format!("{} {} {} {}", one["code"], one["observations"], one["stdout"], one["stderr"])
    };
    all.iter().map(key).collect()
}

#[test]
fn a_failing_schedule_is_found_told_and_repeated() {
    let folder = directory("explore-timer", &[("timer.js", TIMER)]);
    let output = run(&folder, &["explore", "timer.js"]);
    assert_eq!(code(&output), 100);
    let shown = text(output.stdout);
    assert!(shown.starts_with("2 outcomes\n"), "{shown}");
    assert!(shown.contains("\nall schedules: "), "{shown}");
    assert!(shown.contains("time passes by "), "{shown}");
    assert!(shown.contains("fs.stat"), "it is said what would have come first: {shown}");
    let command = shown.lines().last().expect("a last line");
    assert!(command.starts_with("hemiola replay --schedule "), "{command}");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let again = run(&folder, &words);
    assert_eq!(code(&again), 1);
    let error = text(again.stderr);
    assert!(error.contains("Error: the timer was first"), "{error}");
    let fine = run(&folder, &["replay", "--schedule", "default", "timer.js"]);
    assert_eq!((code(&fine), text(fine.stdout)), (0, "fine\n".into()));
}

#[test]
fn every_schedule_string_leads_to_its_outcome() {
    let folder = directory("explore-update", &[("update.js", UPDATE)]);
    let found = explored(&folder, &["update.js"]);
    assert_eq!(found["complete"], true);
    let all = found["outcomes"].as_array().expect("a list");
    let shown: BTreeSet<String> = all.iter().map(|one| one["observations"].to_string()).collect();
    assert!(shown.contains("[1]") && shown.contains("[2]"), "{shown:?}");
    for one in all {
        let schedule = one["schedule"].as_str().expect("a text");
        let again = run(&folder, &["replay", "--schedule", schedule, "update.js"]);
        assert_eq!(Value::from(code(&again)), one["code"], "{schedule}");
        assert_eq!(Value::from(text(again.stdout)), one["stdout"], "{schedule}");
    }
}

#[test]
fn what_is_found_does_not_depend_on_how_many_run_side_by_side() {
    let folder = directory("explore-jobs", &[("update.js", UPDATE)]);
    let args = ["update.js", "--max-schedules", "60"];
    let one = run(&folder, &[&["explore", "--jobs", "1", "--format", "json"], &args[..]].concat());
    let four = run(&folder, &[&["explore", "--jobs", "4", "--format", "json"], &args[..]].concat());
    assert_eq!(text(one.stdout), text(four.stdout));
}

#[test]
fn no_more_is_claimed_than_is_known() {
    let folder = directory(
        "explore-claims",
        &[
            ("update.js", UPDATE),
            ("endless.js", "setInterval(() => {}, 10);"),
            ("idle.js", "require('net').createServer().listen(0); console.log('up');"),
        ],
    );
    let bounded = explored(&folder, &["update.js", "--deviations", "1"]);
    assert_eq!((&bounded["covered"], &bounded["deviations"]), (&"deviations".into(), &1.into()));
    assert_eq!(bounded["complete"], false);
    let output = run(&folder, &["explore", "update.js", "--deviations", "0"]);
    assert_eq!(code(&output), 0, "all that was asked for was tried");
    assert!(text(output.stdout).contains("only the default order: 1 run"));
    let output = run(&folder, &["explore", "update.js", "--max-schedules", "9"]);
    assert_eq!(code(&output), 102);
    assert!(text(output.stdout).contains("drawn at random: 2"));
    let output = run(&folder, &["explore", "endless.js", "--max-steps", "20"]);
    assert_eq!(code(&output), 102);
    assert!(text(output.stdout).contains("cut after 20 callbacks"));
    let idle = explored(&folder, &["idle.js"]);
    assert_eq!(idle["outcomes"][0]["stdout"], "up\n");
}

#[test]
fn a_property_holds_for_every_schedule_or_is_broken_by_one() {
    let program = "obs('a'); setTimeout(() => obs('b')); setImmediate(() => obs('c'));";
    let folder = directory("explore-check", &[("two.js", program)]);
    let fine = run(&folder, &["check", "two.js", "--spec", "a (b c | c b) $"]);
    assert_eq!(code(&fine), 0);
    assert!(text(fine.stdout).starts_with("conforms: every schedule keeps to the property\n"));
    let broken = run(&folder, &["check", "two.js", "--spec", "a c b"]);
    assert_eq!(code(&broken), 100);
    let shown = text(broken.stdout);
    assert!(shown.contains("  a b c\n    ^ not allowed here\n"), "{shown}");
    assert!(shown.ends_with("\nhemiola replay --schedule 0:1 two.js\n"), "{shown}");
    let foreign = run(&folder, &["check", "two.js", "--spec", "a", "--mode", "lexical"]);
    assert_eq!(code(&foreign), 2);
}

#[test]
fn mistakes_are_told() {
    let folder = directory("explore-mistakes", &[("timer.js", TIMER), ("note", "hello\n")]);
    for (args, says) in [
        (&["explore", "nofile.js"][..], "cannot read `nofile.js`: there is no such file"),
        (&["replay", "--schedule", "1:0", "timer.js"], "must be a schedule"),
        (&["replay", "--schedule", "77:1", "timer.js"], "does not fit this program"),
        (&["explore", "--resume=note", "timer.js"], "it is not a saved exploration"),
        (&["explore", "--faults", "disk", "timer.js"], "does not know the faults `disk`"),
        (&["explore", "--max-schedules", "0", "timer.js"], "must be at least 1"),
    ] {
        let output = run(&folder, args);
        assert_eq!(code(&output), 2, "{args:?}");
        let error = text(output.stderr);
        assert!(error.contains(says) && error.contains("help: "), "{args:?}: {error}");
    }
}

#[test]
fn a_search_that_was_broken_off_goes_on() {
    let folder = directory("explore-resume", &[("update.js", UPDATE), ("timer.js", TIMER)]);
    let args = ["update.js", "--resume=journal", "--max-schedules"];
    let whole = explored(&folder, &[&args[..], &["400"]].concat());
    // As `kill -9` leaves it: the end of the last line is missing.
    let journal = folder.join("journal");
    let lines = std::fs::read_to_string(&journal).expect("a journal");
    let half: String = lines.split_inclusive('\n').take(20).collect();
    std::fs::write(&journal, format!("{half}{{\"plan\":\"0:")).expect("it can be cut");
    let rest = explored(&folder, &[&args[..], &["400"]].concat());
    assert_eq!(rest["resumed"], 19);
    assert_eq!(outcomes(&rest), outcomes(&whole));
    assert_eq!((&rest["schedules"], &rest["pruned"]), (&whole["schedules"], &whole["pruned"]));
    assert_eq!(std::fs::read_to_string(&journal).expect("a journal"), lines);
    let other = run(&folder, &["explore", "timer.js", "--resume=journal"]);
    assert_eq!(code(&other), 2);
    assert!(text(other.stderr).contains("it is of another program, or of other flags"));
}

#[test]
fn a_search_that_is_killed_goes_on() {
    let three = UPDATE.replace("[add(), add()]", "[add(), add(), add()]");
    let folder = directory("explore-killed", &[("three.js", &three)]);
    let args = ["three.js", "--max-schedules", "600", "--jobs", "1"];
    let whole = explored(&folder, &args);
    let resumes = [&args[..], &["--resume=journal"]].concat();
    let journal = folder.join("journal");
    let noted = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut killed = 0;
    // The second search is killed before it has noted more than the first had.
    for enough in [100, 0] {
        let mut command = hemiola(&folder);
        command.arg("explore").args(&resumes).stdout(Stdio::null()).stderr(Stdio::null());
        let mut search = command.spawn().expect("hemiola runs");
        while noted() < enough && search.try_wait().expect("it can be asked").is_none() {
            std::thread::yield_now();
        }
        search.kill().expect("it can be killed");
        search.wait().expect("it ends");
        assert!(noted() >= killed, "nothing is lost by a second kill");
        killed = noted();
        assert!((100..600).contains(&killed), "it was killed in the middle: {killed}");
    }
    let rest = explored(&folder, &resumes);
    let resumed = rest["resumed"].as_u64().expect("a number");
    // The last line may be half of one, and the first names the program.
    assert!(resumed + 2 >= killed as u64, "{resumed} of {killed}");
    assert_eq!(outcomes(&rest), outcomes(&whole));
    assert_eq!((&rest["schedules"], &rest["pruned"]), (&whole["schedules"], &whole["pruned"]));
}

#[test]
fn operations_may_fail_on_request() {
    let program =
        "require('fs').readFile(__filename, (error) => obs(error ? error.code : 'read'));";
    let folder = directory("explore-faults", &[("read.js", program)]);
    let plain = explored(&folder, &["read.js"]);
    assert_eq!(plain["outcomes"].as_array().expect("a list").len(), 1);
    let faulty = explored(&folder, &["read.js", "--faults", "fs"]);
    let all: BTreeSet<String> = outcomes(&faulty);
    assert!(all.len() > 1 && all.iter().any(|one| one.contains("EIO")), "{all:?}");
}

/// A random program: timers, immediates, ticks, promises, awaits, files, and variables that all share.
fn program(seed: u64) -> String {
    let mut maker = Maker { random: Seeded::new(seed), left: 0, names: 0 };
    maker.left = 2 + maker.below(2);
    let statements = 3 + maker.below(3);
    let body: Vec<String> = (0..statements).map(|_| maker.statement(0)).collect();
    format!(
        "const fs = require('fs'); const D = '/nowhere-at-all'; fs.mkdirSync(D);\n\
         let x = 0, y = 0, t, resolve; const p = new Promise((f) => {{ resolve = f; }});\n{}\n",
        body.join("\n")
    )
}

struct Maker {
    random: Seeded,
    left: u64,
    names: u64,
}

impl Maker {
    fn below(&mut self, count: u64) -> u64 {
        self.random.number() % count
    }

    fn log(&mut self, what: &str) -> String {
        self.names += 1;
        format!("console.log({}, {what});", self.names)
    }

    fn body(&mut self, depth: u64) -> String {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.statement(depth + 1)).collect::<Vec<_>>().join(" ")
    }

    fn statement(&mut self, depth: u64) -> String {
        match self.below(20) {
            0..5 => self.log("x, y"),
            5 => "x += 1;".into(),
            6 => "y = x * 2 + 1;".into(),
            7 => "x = y;".into(),
            8 => "resolve();".into(),
            9 => format!("p.then(() => {{ {} }});", self.log("x")),
            10 => "clearTimeout(t);".into(),
            _ if depth > 2 || self.left == 0 => "x = x * 3 + 1;".into(),
            kind => {
                self.left -= u64::from(kind < 17);
                let file = format!("D + '/{}'", self.below(2));
                let delay = [0, 0, 1, 2, 5][self.below(5) as usize];
                let body = self.body(depth);
                match kind {
                    11 | 12 => format!("t = setTimeout(() => {{ {body} }}, {delay});"),
                    13 => format!("setImmediate(() => {{ {body} }});"),
                    14 => {
                        let log = self.log("e ? e.code : s.size");
                        format!("fs.stat({file}, (e, s) => {{ {log} {body} }});")
                    }
                    15 => format!("fs.mkdir({file}, () => {{ {body} }});"),
                    16 => {
                        let log = self.log("e ? e.code : 0");
                        format!("fs.rmdir({file}, (e) => {{ {log} {body} }});")
                    }
                    17 => format!("process.nextTick(() => {{ {body} }});"),
                    18 => format!("queueMicrotask(() => {{ {body} }});"),
                    _ => {
                        let what = ["null", "p"][self.below(2) as usize];
                        let rest = self.body(depth);
                        format!("(async () => {{ {body} await {what}; {rest} }})();")
                    }
                }
            }
        }
    }
}

fn number(variable: &str, default: u64) -> u64 {
    let asked = std::env::var(variable).ok();
    asked.map_or(default, |asked| asked.parse().expect("a number"))
}

#[test]
fn reduction_loses_no_outcome() {
    let first = number("HEMIOLA_SEED", 1);
    let mut compared = 0;
    for seed in first..first + number("HEMIOLA_PROGRAMS", 25) {
        let source = program(seed);
        let folder = directory("explore-random", &[("program.js", &source)]);
        let args = ["program.js", "--jobs", "1", "--max-schedules", "400", "--reduction"];
        let plain = explored(&folder, &[&args[..], &["none"]].concat());
        if plain["covered"] != "all" {
            continue; // Too many to be tried one by one.
        }
        compared += 1;
        for reduction in ["order", "accesses"] {
            let reduced = explored(&folder, &[&args[..], &[reduction]].concat());
            assert_eq!(reduced["covered"], "all", "program {seed}, {reduction}:\n{source}");
            assert_eq!(
                outcomes(&plain),
                outcomes(&reduced),
                "program {seed}, {reduction}:\n{source}"
            );
        }
    }
    assert!(compared > 0, "some programs are small enough");
}

#[test]
fn a_promise_that_nobody_settles_is_a_deadlock_on_request() {
    let program = "const fs = require('fs');
let ready;
const wait = new Promise((resolve) => { ready = resolve; });
let told = false;
fs.stat(__filename, () => { if (told) ready(); });
setTimeout(() => { told = true; }, 0);
(async () => { await wait; console.log('on'); })();
";
    let folder = directory("explore-deadlock", &[("late.js", program)]);
    let silent = explored(&folder, &["late.js"]);
    assert_eq!(silent["outcomes"].as_array().map(Vec::len), Some(2), "{silent}");
    let output = run(&folder, &["explore", "--deadlocks", "late.js"]);
    assert_eq!(code(&output), 100);
    let shown = text(output.stdout);
    assert!(
        shown.contains("failed: deadlock: a promise is awaited that nothing settles\n"),
        "{shown}"
    );
    let words: Vec<&str> = shown.lines().last().expect("a command").split(' ').skip(1).collect();
    assert_eq!(words[..2], ["replay", "--schedule"]);
    let again = run(&folder, &words);
    assert_eq!(code(&again), 13, "{}", text(again.stderr));
    let settled = "Promise.race([new Promise((now) => setTimeout(now)), 1]).then(() => {});";
    let fine = directory("explore-no-deadlock", &[("fine.js", settled)]);
    assert_eq!(code(&run(&fine, &["explore", "--deadlocks", "fine.js"])), 0);
}

#[test]
fn a_callback_that_computes_without_end_fails_its_schedule() {
    let folder = directory("explore-endless", &[]);
    let program = "let seen = false; require('fs').stat('.', () => { seen = true; });\
                   setTimeout(() => { if (!seen) for (;;); obs('seen'); }, 5);";
    let found = explored(&folder, &["--eval", program]);
    let failures: BTreeSet<&str> = found["outcomes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["failure"].as_str().unwrap_or("none"))
        .collect();
    assert_eq!(failures, BTreeSet::from(["a callback computes without end", "none"]));
    assert_eq!(found["complete"], true, "every schedule was judged");
}

#[test]
fn the_time_of_a_search_is_up_also_in_the_middle_of_a_callback() {
    let folder = directory("explore-time", &[]);
    let program = "let seen = false; require('fs').stat('.', () => { seen = true; });\
        const go = () => Promise.resolve().then(go);\
        setTimeout(() => { if (!seen) go(); else obs('seen'); }, 5);";
    let args = ["explore", "--format", "json", "--time", "8s", "--max-steps", "100000000"];
    let output = run(&folder, &[&args[..], &["--eval", program]].concat());
    assert_eq!(code(&output), 102, "{}", text(output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!(found["outcomes"][0]["observations"], serde_json::json!(["seen"]), "{found}");
    assert_eq!(found["complete"], false, "{found}");
    assert_ne!(found["interrupted"], 0, "{found}");
    // Nothing ends, and that is told.
    for command in ["explore", "races"] {
        let output = run(&folder, &[command, "--time", "300ms", "--eval", "for (;;);"]);
        assert_eq!(code(&output), 102, "{command}");
        let shown = text(output.stdout);
        assert!(shown.contains("not even the default order came to its end"), "{shown}");
    }
}

/// The sequences that a program can show.
fn sequences(folder: &Path, program: &str) -> BTreeSet<String> {
    let found = explored(folder, &["--eval", program]);
    assert_eq!(found["complete"], true, "{found}");
    let outcomes = found["outcomes"].as_array().expect("a list").iter();
    let line = |one: &Value| {
        let shown = one["observations"].as_array().expect("a list").iter();
        shown.map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned)).collect()
    };
    outcomes.map(line).map(|words: Vec<String>| words.join(" ")).collect()
}

/// Node 20 shows both (rule LOOP-7): of what one poll phase sees, the operation that was begun earlier may be the
/// one that was done later.
#[test]
fn the_last_trip_of_an_operation_comes_before_or_after_a_fresh_answer_of_its_poll_phase() {
    let folder = directory("explore-last-trip", &[("file", "text")]);
    let program = "const fs = require('fs'); fs.readFile('file', () => obs('read'));\
        const next = (n) => fs.stat('file', () => { obs(n);\
            if (n < 4) next(n + 1); else setImmediate(() => obs('immediate')); });\
        next(1);";
    let shown = sequences(&folder, program);
    assert!(shown.contains("1 2 3 read 4 immediate"), "{shown:?}");
    assert!(shown.contains("1 2 3 4 read immediate"), "{shown:?}");
}

#[test]
fn endless_ticks_and_jobs_cut_a_run_and_starve_what_waits() {
    let folder = directory("explore-ticks", &[]);
    let waits = "setTimeout(() => obs('timer'), 1); setImmediate(() => obs('immediate'));\
                 require('fs').stat('.', () => obs('stat'));";
    for endless in [
        "const again = () => process.nextTick(again); again();",
        "(async () => { for (;;) await null; })();",
        "const again = () => queueMicrotask(again); again();",
    ] {
        let program = format!("{waits} {endless}");
        let found = explored(&folder, &["--max-steps", "50", "--eval", &program]);
        assert_eq!(found["outcomes"], serde_json::json!([]), "{found}");
        assert_eq!((&found["cut"] != 0, &found["complete"]), (true, &false.into()), "{found}");
        let starves = found["starves"].as_array().expect("a list").iter();
        let starves: Vec<&str> = starves.filter_map(Value::as_str).collect();
        let begin = |with: &str| starves.iter().any(|one| one.starts_with(with));
        assert!(begin("fs.stat") && begin("the immediate") && begin("the timer"), "{starves:?}");
        // Each has its own place and no other.
        assert!(starves.iter().all(|one| one.matches('(').count() == 1), "{starves:?}");
    }
    // Immediates that come again let everything else have its turn.
    let fair = format!("{waits} const again = () => setImmediate(again); again();");
    let found = explored(&folder, &["--max-steps", "50", "--max-schedules", "20", "--eval", &fair]);
    assert_eq!(found["starves"], serde_json::json!([]), "{found}");
}

/// What comes before the first choice is shared by all schedules, and where it is long, what surrounds a run is
/// copied: that changes nothing of what is found.
#[test]
fn a_long_way_to_a_race_changes_nothing_of_what_is_found() {
    let race = "
const fs = require('fs');
function race() {
  for (const name of ['a', 'b', 'c']) {
    fs.readFile(file, 'utf8', (error, before) => {
      fs.writeFile(file, before + name, () => fs.readFile(file, 'utf8', (error, text) => obs(text + Math.random())));
    });
  }
}
const file = '/nowhere-shared';
";
    let step = [
        "fs.writeFileSync(file, ''); (async () => { while (left--) await null; race(); })();",
        "fs.writeFileSync(file, ''); (function step() { if (left--) setTimeout(step, 1); else race(); })();",
        "(function step() { if (left--) fs.writeFile(file, `${left}`, step); else race(); })();",
    ];
    for (number, step) in step.into_iter().enumerate() {
        let [short, long] = [2, 600].map(|steps| {
            let program = format!("{race} let left = {steps}; {step}");
            let folder = directory(&format!("explore-long-{number}"), &[("app.js", &program)]);
            let mut found = ["none", "order"].map(|reduction| {
                let flags = ["--max-schedules", "120", "--max-steps", "5000", "--reduction"];
                explored(&folder, &[&flags[..], &[reduction, "app.js"]].concat())
            });
            for one in &mut found {
                one.as_object_mut().expect("an object").retain(|key, _| key != "program");
            }
            found
        });
        assert_eq!(short, long, "{step}");
    }
}

/// A schedule that does not fit is told in the same words, whoever follows it.
#[test]
fn replay_and_debug_say_the_same_of_a_schedule_that_does_not_fit() {
    let folder = directory("explore-misfit", &[("timer.js", "setTimeout(() => {}, 5)")]);
    let told = |words: &[&str]| {
        let mut command = hemiola(&folder);
        let command = command.args(words).args(["--schedule", "77:1", "timer.js"]);
        text(command.output().expect("it runs").stderr)
    };
    let replayed = told(&["replay"]);
    assert!(replayed.contains("wanted: alternative 1 at choice 77"), "{replayed}");
    assert!(replayed.contains("found:  the run made 0 choices"), "{replayed}");
    assert_eq!(told(&["debug", "--log", "timer.js:1 1"]), replayed);
}
