//! The process that starts others to read inputs, and sees what becomes of them.

use crate::child::Files;
use crate::scratch::{self, Scratch};
use crate::target::Target;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// How often a child is looked at.
const LOOK: Duration = Duration::from_millis(10);
/// A process may wait for so many times as long as it may compute: others compute, too.
const PATIENCE: u32 = 10;
/// More memory than that is a failure.
const MOST_MEGABYTES: u64 = 2048;
/// How many failing inputs are looked for before a target is given up.
const MOST_FAILURES: usize = 20;
/// How long a failing input is made smaller.
const SHRINKING: Duration = Duration::from_secs(20);

/// How a target is attacked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seed of all inputs.
    pub seed: u64,
    /// The number of the first.
    pub first: u64,
    /// How many.
    pub runs: u64,
    /// How long.
    pub time: Duration,
    /// How long one input may take.
    pub limit: Duration,
    /// Where failing inputs are written.
    pub out: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Summary {
    /// How many inputs were read.
    pub inputs: u64,
    /// How long it took.
    pub took: Duration,
    /// How long the slowest input took, in milliseconds, and its number.
    pub slowest: (u64, u64),
    /// What went wrong, each kind once.
    pub failures: Vec<Failure>,
}

/// An input that a reader did not survive.
#[derive(Debug)]
pub struct Failure {
    /// What happened, in a line.
    pub what: String,
    /// The number of the input.
    pub number: u64,
    /// Where it is, made as small as could be.
    pub file: PathBuf,
    /// How many bytes it had, and has.
    pub sizes: (usize, usize),
    /// Whether it fails alone; else only after those before it.
    pub alone: bool,
}

/// What became of a child.
enum End {
    /// It is through; the number of the next input.
    Through(u64),
    /// It failed at that input.
    Failed(u64, String),
}

/// Attacks a target with as many inputs as are wanted, or as there is time for.
pub fn attack(target: Target, plan: &Plan) -> io::Result<Summary> {
    let scratch = Scratch::new();
    let started = Instant::now();
    let end = plan.first.saturating_add(plan.runs);
    let mut summary = Summary::default();
    let mut known = BTreeSet::new();
    let mut next = plan.first;
    let mut failed = 0;
    while next < end && failed < MOST_FAILURES {
        let left = plan.time.saturating_sub(started.elapsed());
        if left.is_zero() {
            break;
        }
        let words = [
            "seeded".into(),
            plan.seed.to_string(),
            next.to_string(),
            (end - next).to_string(),
            left.as_millis().to_string(),
        ];
        let (outcome, slowest) =
            watch(target, &words.map(OsString::from), scratch.path(), plan.limit)?;
        summary.slowest = summary.slowest.max(slowest.unwrap_or_default());
        next = match outcome {
            End::Through(number) => number,
            End::Failed(number, what) => {
                failed += 1;
                if known.insert(signature(&what)) {
                    summary.failures.push(keep(target, plan, number, what, scratch.path())?);
                }
                number + 1
            }
        };
        if matches!(summary.failures.last(), Some(last) if !last.alone && last.number + 1 == next) {
            // What fails only after others would not fail again if they were left out.
            break;
        }
    }
    summary.inputs = next - plan.first;
    summary.took = started.elapsed();
    Ok(summary)
}

/// Whether an input in a file is survived; what happens, if not.
pub fn repeat(target: Target, file: &Path, limit: Duration) -> io::Result<Option<String>> {
    let scratch = Scratch::new();
    outcome(target, file, scratch.path(), limit)
}

fn outcome(
    target: Target,
    file: &Path,
    scratch: &Path,
    limit: Duration,
) -> io::Result<Option<String>> {
    let words = ["file".into(), file.as_os_str().to_owned()];
    Ok(match watch(target, &words, scratch, limit)?.0 {
        End::Through(_) => None,
        End::Failed(_, what) => Some(what),
    })
}

/// Starts a child and waits until it ends, or has to be ended.
fn watch(
    target: Target,
    words: &[OsString],
    scratch: &Path,
    limit: Duration,
) -> io::Result<(End, Option<(u64, u64)>)> {
    let files = Files::at(scratch);
    files.clear();
    let errors = scratch.join("stderr");
    let mut child = Command::new(std::env::current_exe()?)
        .args(["child", target.name()])
        .arg(scratch)
        .args(words)
        .env(scratch::WITHIN, scratch)
        .stderr(File::create(&errors)?)
        .spawn()?;
    let (mut progress, mut since, mut spent) = (None, Instant::now(), Duration::ZERO);
    let what = loop {
        if let Some(status) = child.try_wait()? {
            break ended(status, &files, &errors);
        }
        let now = files.progress();
        if now != progress {
            (progress, since, spent) = (now, Instant::now(), processor_time(child.id()));
        }
        let memory = megabytes(child.id());
        if memory > MOST_MEGABYTES {
            end(&mut child)?;
            break Some(format!("memory: it takes {memory} MB"));
        }
        let computes = processor_time(child.id()).saturating_sub(spent);
        if computes > limit || since.elapsed() > limit * PATIENCE {
            end(&mut child)?;
            let seconds = limit.as_secs();
            break Some(
                files.report().unwrap_or_else(|| format!("hang: it takes longer than {seconds} s")),
            );
        }
        std::thread::sleep(LOOK);
    };
    let number = files.progress().unwrap_or_default();
    let end = match what {
        None => End::Through(number),
        Some(what) => End::Failed(number, what),
    };
    Ok((end, files.slowest()))
}

fn end(child: &mut Child) -> io::Result<()> {
    child.kill()?;
    child.wait().map(drop)
}

/// What an end means; nothing for a good one.
fn ended(status: ExitStatus, files: &Files, errors: &Path) -> Option<String> {
    if status.success() {
        return None;
    }
    let said = || {
        let text = fs::read(errors).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
    };
    Some(match (files.report(), status.signal()) {
        (Some(report), None) => report,
        (_, Some(signal)) => format!("signal {signal}: {}", said()),
        (None, None) => format!("{status}: {}", said()),
    })
}

/// How long a process has computed.
fn processor_time(process: u32) -> Duration {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program, in parentheses, may hold anything.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// How much memory a process takes.
fn megabytes(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages: u64 =
        text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or_default();
    pages * 4096 / (1024 * 1024)
}

/// What makes two failures the same: the first line, without what differs from input to input.
fn signature(what: &str) -> String {
    let first = what.lines().next().unwrap_or_default();
    let same = match first.find("panicked at ") {
        // The place says it.
        Some(at) => first[at..].split_whitespace().take(3).collect::<Vec<_>>().join(" "),
        None => first.chars().filter(|one| !one.is_ascii_digit()).take(60).collect(),
    };
    same.trim_end_matches(':').to_owned()
}

/// Writes a failing input to a file, as small as it can be made.
fn keep(
    target: Target,
    plan: &Plan,
    number: u64,
    what: String,
    scratch: &Path,
) -> io::Result<Failure> {
    let input = target.input(&target.corpus()?, plan.seed, number);
    fs::create_dir_all(&plan.out)?;
    let file = plan.out.join(format!("{}-{}-{number}", target.name(), plan.seed));
    fs::write(&file, &input)?;
    let limit = plan.limit;
    let sought = signature(&what);
    let mut fails = |bytes: &[u8]| -> io::Result<bool> {
        let tried = scratch.join("tried");
        fs::write(&tried, bytes)?;
        let found = outcome(target, &tried, scratch, limit)?;
        Ok(found.is_some_and(|found| signature(&found) == sought))
    };
    let alone = fails(&input)?;
    let small = if alone { shrink(input.clone(), &mut fails)? } else { input.clone() };
    fs::write(&file, &small)?;
    Ok(Failure { what, number, file, sizes: (input.len(), small.len()), alone })
}

/// Leaves out pieces, ever smaller ones, as long as it still fails and there is time.
fn shrink(
    mut input: Vec<u8>,
    fails: &mut impl FnMut(&[u8]) -> io::Result<bool>,
) -> io::Result<Vec<u8>> {
    let started = Instant::now();
    let mut piece = input.len().div_ceil(2);
    while piece > 0 {
        let before = input.len();
        let mut at = 0;
        while at < input.len() {
            if started.elapsed() > SHRINKING {
                return Ok(input);
            }
            let mut without = input.clone();
            drop(without.drain(at..(at + piece).min(input.len())));
            match fails(&without)? {
                true => input = without,
                false => at += piece,
            }
        }
        if input.len() == before {
            piece /= 2;
        }
    }
    Ok(input)
}
