//! `--cpu-prof`: where a program spends its time, written as V8 writes it, for tools that show that.

use super::coverage::url_of;
use super::cron::{host_zone, now};
use crate::args::CPU_PROF;
use crate::console::complain;
use crate::input::reason;
use crate::report::Failure;
use hemiola_gate::MAIN;
use hemiola_js::{Clocks, Function, Node, Options, Sampled, Sampling, flags};
use hemiola_live::processor_time;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// The flags that say more about it.
const DETAILS: [&str; 3] = ["--cpu-prof-dir", "--cpu-prof-interval", "--cpu-prof-name"];
/// How often the stack is looked at if nobody says.
const INTERVAL: Duration = Duration::from_millis(1);
/// The numbers of what stands for no function: where the program is entered, and where it waits.
const ROOT: usize = 1;
const IDLE: usize = 2;

/// Looks where the program spends its time, if its flags ask for that.
pub(super) fn ask(options: &mut Options, may_write: bool) -> Result<(), Failure> {
    let value = |name| flags::value(&options.flags, name);
    if !flags::is_on(&options.flags, CPU_PROF) {
        let lonely = DETAILS.into_iter().find(|name| value(name).is_some());
        return lonely.map_or(Ok(()), |name| {
            let message =
                format!("`{name}` says how `{CPU_PROF}` is to be done, which is not asked for");
            Err(Failure::new(message).help(format!("add `{CPU_PROF}`")))
        });
    }
    let interval = value("--cpu-prof-interval").map_or(Ok(INTERVAL), interval)?;
    if !may_write {
        complain(
            "note: where the time goes is not written: who started this may not write files\n",
        );
        return Ok(());
    }
    let directory = Path::new(&options.cwd).join(value("--cpu-prof-dir").unwrap_or_default());
    let name = value("--cpu-prof-name").map(PathBuf::from);
    let tell = move |seen: Sampled| {
        let name = name_of(name.as_deref(), seen.machine);
        let path = directory.join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = written.and_then(|()| fs::write(&path, as_v8(&seen).to_string()));
        if let Err(error) = written {
            let place = path.display();
            complain(&format!(
                "note: where the time went cannot be written to {place}: {}\n",
                reason(&error)
            ));
        }
    };
    options.sampling = Some(Arc::new(Sampling::new(interval, clocks, tell)));
    Ok(())
}

/// Refuses to do that where more than one run is meant.
pub(super) fn refuse(flags: &[String], what: &str) -> Result<(), Failure> {
    if !flags::is_on(flags, CPU_PROF) {
        return Ok(());
    }
    let message = format!("`{CPU_PROF}` is about one run, and does not go with `{what}`");
    Err(Failure::new(message)
        .help(format!("take one of them: hemiola simulate --seed N {CPU_PROF} FILE")))
}

fn interval(text: &str) -> Result<Duration, Failure> {
    let micros = text.parse().ok().filter(|&micros| micros > 0).map(Duration::from_micros);
    micros.ok_or_else(|| {
        let text = text.escape_debug();
        let message =
            format!("`--cpu-prof-interval` must be a number of microseconds, not `{text}`");
        Failure::new(message).help("leave it out to look every millisecond: 1000")
    })
}

/// The name of the file for a machine of the run. Workers have files of their own.
fn name_of(given: Option<&Path>, machine: u64) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    match given {
        Some(name) if machine == MAIN => name.to_owned(),
        Some(name) => {
            let mut name = name.as_os_str().to_owned();
            name.push(format!(".{machine}"));
            name.into()
        }
        None => {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let now = now();
            // As `Sun 2024-03-10 03:00 -04:00`, of which the digits of day and minute are wanted.
            let shown = host_zone().show(now);
            let digits: String = shown.chars().filter(char::is_ascii_digit).collect();
            let (date, minute, second) = (&digits[..8], &digits[8..12], now.rem_euclid(60));
            let process = std::process::id();
            format!("CPU.{date}.{minute}{second:02}.{process}.{machine}.{number:03}.cpuprofile")
                .into()
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "who asks for it wants to know how the time went by")]
fn clocks() -> Clocks {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let computed = Duration::from_nanos(processor_time());
    Clocks { time: BEGUN.elapsed(), computed }
}

/// What V8 would say.
fn as_v8(seen: &Sampled) -> Value {
    let numbers: Vec<usize> =
        seen.samples.iter().map(|sample| sample.node.map_or(IDLE, number_of)).collect();
    let mut hits = vec![0_u64; seen.nodes.len() + number_of(0)];
    let mut called: Vec<Vec<usize>> = vec![Vec::new(); hits.len()];
    numbers.iter().for_each(|&number| hits[number] += 1);
    called[ROOT].push(IDLE);
    for (at, node) in seen.nodes.iter().enumerate() {
        called[node.caller.map_or(ROOT, number_of)].push(number_of(at));
    }
    let none = |name: &str| json!({ "functionName": name, "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1 });
    let mut scripts: Vec<&str> = seen.nodes.iter().map(|node| &*node.function.file).collect();
    scripts.sort_unstable();
    scripts.dedup();
    let frame = |Node { function: Function { name, file, place: (line, column) }, .. }: &Node| {
        let script = scripts.binary_search(&&**file).map_or(0, |at| at + 1);
        json!({
            // What stands for the text of a file is not its name.
            "functionName": if name.starts_with('<') { "" } else { name },
            "scriptId": script.to_string(),
            "url": shown(file),
            "lineNumber": i64::from(*line) - 1,
            "columnNumber": i64::from(*column) - 1,
        })
    };
    let frames = [none("(root)"), none("(idle)")].into_iter().chain(seen.nodes.iter().map(frame));
    let node = |(at, frame): (usize, Value)| {
        let number = at + ROOT;
        let mut node = json!({ "id": number, "callFrame": frame, "hitCount": hits[number] });
        if !called[number].is_empty() {
            node["children"] = called[number].clone().into();
        }
        node
    };
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    // Each is told by how much time lies between it and the one before, so that their sum is exact.
    let mut at = Duration::ZERO;
    let deltas = seen.samples.iter().map(|sample| {
        let before = micros(at);
        at += sample.took;
        micros(at) - before
    });
    let deltas: Vec<u64> = deltas.collect();
    json!({
        "nodes": frames.enumerate().map(node).collect::<Vec<_>>(),
        "startTime": micros(seen.time[0]),
        "endTime": micros(seen.time[0]) + deltas.iter().sum::<u64>(),
        "samples": numbers,
        "timeDeltas": deltas,
    })
}

/// A text as stacks name it, but files by their URL.
fn shown(name: &str) -> String {
    match name.strip_prefix("node:lib/") {
        Some(name) => format!("node:{name}"),
        None if name.starts_with('/') => url_of(name),
        // That of `eval`, which has none.
        None if name.starts_with("<input>") => String::new(),
        None => name.to_owned(),
    }
}

/// The number of a function in what V8 would say.
fn number_of(node: usize) -> usize {
    node + IDLE + 1
}
