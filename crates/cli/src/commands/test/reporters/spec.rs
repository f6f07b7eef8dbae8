//! A line for each test, as a tree; then the failures, and how many of each there were.

use super::super::outcome::{
    Class, Explored, Failed, FileResult, Found, Outcome, Snapshots, Summary, TestResult,
};
use super::{Writer, full_name, is_bad, safe, shown};
use crate::render::words::count;
use anstyle::{AnsiColor, Style};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const GREEN: Style = AnsiColor::Green.on_default();
const RED: Style = AnsiColor::Red.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// What takes longer is said to.
const SLOW_MS: f64 = 100.0;

pub(super) struct Spec {
    root: PathBuf,
}

impl Spec {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl Writer for Spec {
    fn begin(&mut self) -> String {
        String::new()
    }

    fn file(&mut self, result: &FileResult) -> String {
        let mut text = String::new();
        let style = if result.is_failed() { RED } else { BOLD };
        let _ = writeln!(text, "{style}{}{style:#}", shown(&self.root, &result.file));
        let mut around: &[String] = &[];
        for test in &result.tests {
            let (name, suites) =
                test.name.split_last().map_or(("", &[][..]), |(name, suites)| (name, suites));
            let common = around.iter().zip(suites).take_while(|(a, b)| a == b).count();
            for (depth, suite) in suites.iter().enumerate().skip(common) {
                let _ = writeln!(text, "{:width$}{}", "", safe(suite), width = 2 * depth + 2);
            }
            around = suites;
            line(test, name, suites.len(), &mut text);
        }
        for failed in &result.broken {
            let _ = writeln!(text, "  {RED}✖{RED:#} {}", safe(first_line(&failed.message)));
        }
        for note in &result.notes {
            let _ = writeln!(text, "  {YELLOW}note:{YELLOW:#} {note}");
        }
        if !result.output.is_empty() {
            let _ = writeln!(text, "  {DIM}it printed:{DIM:#}");
            for line in result.output.trim_end().lines() {
                let _ = writeln!(text, "    {}", safe(line));
            }
        }
        text
    }

    fn end(&mut self, results: &[FileResult], summary: &Summary) -> String {
        let mut text = String::new();
        for result in results {
            failures(&self.root, result, &mut text);
        }
        slow_failures(&self.root, results, &mut text);
        text.push('\n');
        totals(summary, &mut text);
        text
    }
}

fn line(test: &TestResult, name: &str, depth: usize, text: &mut String) {
    let (style, mark) = match test.outcome {
        Outcome::Pass => (GREEN, "✔"),
        Outcome::Fail => (RED, "✖"),
        Outcome::Flaky => (YELLOW, "≈"),
        Outcome::Skip => (DIM, "-"),
        Outcome::Todo => (DIM, "…"),
    };
    let _ =
        write!(text, "{:width$}{style}{mark}{style:#} {}", "", safe(name), width = 2 * depth + 2);
    if let Some(explored) = &test.explored {
        let _ = write!(text, ": {}", safe(&coverage(test, explored)));
    }
    match test.outcome {
        Outcome::Flaky if test.explored.is_none() => {
            text.push_str(": failed, and passed as well");
        }
        Outcome::Todo => text.push_str(": to do"),
        Outcome::Skip => {
            let reason = test.reason.as_deref().filter(|reason| !reason.starts_with("sync skip"));
            let _ = write!(
                text,
                ": skipped{}",
                reason.map_or_else(String::new, |reason| format!(", {reason}"))
            );
        }
        Outcome::Pass | Outcome::Fail | Outcome::Flaky => {}
    }
    if test.ms >= SLOW_MS {
        let _ = write!(text, " {DIM}({:.0} ms){DIM:#}", test.ms);
    }
    text.push('\n');
}

/// In how many schedules a test passes.
fn coverage(test: &TestResult, explored: &Explored) -> String {
    let Explored { schedules, failing, exhaustive, cut, instead } = explored;
    let runs = count(*schedules as usize, "schedule");
    let mut words = match (test.outcome, instead) {
        (Outcome::Pass, Some(instead)) => format!("passes live; {instead}"),
        (Outcome::Pass, None) if *exhaustive => {
            format!("passes in all schedules (exhaustive, {runs})")
        }
        (Outcome::Pass, None) => format!("passes in {runs}"),
        (Outcome::Flaky, Some(instead)) => format!("flaky live; {instead}"),
        (Outcome::Flaky, None) => {
            let slow = if test.is_only_slow() { ", only if answers are slow" } else { "" };
            format!("flaky{slow}: fails in {failing} of {runs}")
        }
        (Outcome::Fail, _) => "fails live, too".to_owned(),
        (Outcome::Skip | Outcome::Todo, _) => return "not explored".to_owned(),
    };
    if *cut > 0 && instead.is_none() {
        let _ = write!(words, ", {cut} of them cut because they go on for long");
    }
    words
}

/// The failures of a file, one after the other, without those that need slow answers.
pub(super) fn failures(root: &Path, result: &FileResult, text: &mut String) {
    let file = shown(root, &result.file);
    let tests = result.tests.iter().filter(|test| is_bad(test) && !test.is_only_slow());
    for test in tests {
        let mark = if test.outcome == Outcome::Flaky { "≈" } else { "✖" };
        let _ = writeln!(text, "\n{RED}{mark} {file} > {}{RED:#}", safe(&full_name(test)));
        for failed in &test.failures {
            failure(root, failed, text);
        }
    }
    for failed in &result.broken {
        let _ = writeln!(text, "\n{RED}✖ {file}{RED:#}");
        failure(root, failed, text);
    }
}

/// The failures of all files that need slow answers.
fn slow_failures(root: &Path, results: &[FileResult], text: &mut String) {
    let tests = results.iter().flat_map(|result| {
        let slow = result.tests.iter().filter(|test| is_bad(test) && test.is_only_slow());
        slow.map(|test| (shown(root, &result.file), test))
    });
    for (number, (file, test)) in tests.enumerate() {
        if number == 0 {
            let _ = writeln!(text, "\n{BOLD}only if answers are slow{BOLD:#}");
        }
        let _ = writeln!(text, "\n{YELLOW}≈ {file} > {}{YELLOW:#}", safe(&full_name(test)));
        for failed in &test.failures {
            failure(root, failed, text);
        }
    }
}

fn failure(root: &Path, failed: &Failed, text: &mut String) {
    let body = [Some(&failed.message), failed.diff.as_ref()];
    for part in body.into_iter().flatten() {
        text.push('\n');
        for line in part.lines() {
            let style = match line.as_bytes() {
                [b'-', b' ', ..] => GREEN,
                [b'+', b' ', ..] => RED,
                _ => Style::new(),
            };
            let _ = writeln!(text, "  {style}{}{style:#}", safe(line));
        }
    }
    excerpt(root, failed, text);
    let frames: Vec<&str> = failed.stack.lines().take(8).collect();
    if !frames.is_empty() {
        text.push('\n');
    }
    for frame in frames {
        let _ = writeln!(text, "  {DIM}{}{DIM:#}", safe(frame.trim()));
    }
    if let Some(found) = &failed.found {
        cause(root, found, text);
    }
}

/// How a failure comes about, and how to see it again.
fn cause(root: &Path, found: &Found, text: &mut String) {
    let Found { class, schedule, deviations, command, race } = found;
    let when = match class {
        Class::Order => "",
        Class::Slow => ", only if answers are slow",
    };
    let _ = writeln!(text, "\n  in the schedule {schedule}{when}");
    for (taken, instead) in deviations {
        let _ = writeln!(text, "    {}\n      by default: {}", safe(taken), safe(instead));
    }
    if let Some(race) = race {
        let what = match race.what.as_str() {
            "" => "the order of two callbacks",
            "timer" => "a timer that is cleared, or runs before",
            what => what,
        };
        let _ = writeln!(text, "  the race behind it: {}", safe(what));
        for (does, place) in &race.sides {
            let place = place.as_ref().map_or_else(String::new, |place| {
                format!("{}:{}:{} ", shown(root, &place.file), place.line, place.column)
            });
            let _ = writeln!(text, "    {place}{does}");
        }
    }
    let _ = writeln!(text, "  run it again with\n    {command}");
}

/// The lines around the place of a failure.
fn excerpt(root: &Path, failed: &Failed, text: &mut String) {
    let Some(place) = failed.places.first() else { return };
    let Ok(source) = std::fs::read_to_string(&place.file) else { return };
    let line = usize::try_from(place.line).unwrap_or(usize::MAX);
    if line == 0 || line > source.lines().count() {
        return;
    }
    let _ = writeln!(
        text,
        "\n  {DIM}{}:{}:{}{DIM:#}",
        shown(root, &place.file),
        place.line,
        place.column
    );
    for (at, content) in
        source.lines().enumerate().skip(line.saturating_sub(3)).take(5.min(line + 2))
    {
        if at + 1 > line + 2 {
            break;
        }
        let mark = if at + 1 == line { ">" } else { " " };
        let _ = writeln!(text, "  {mark} {:>4} │ {}", at + 1, safe(content));
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn totals(summary: &Summary, text: &mut String) {
    let mut parts = vec![format!("{} passed", summary.passed)];
    let mut add = |number: usize, word: &str| {
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    };
    add(summary.failed, "failed");
    add(summary.flaky, "flaky");
    add(summary.skipped, "skipped");
    add(summary.todo, "to do");
    let style = if summary.is_failed() { RED } else { GREEN };
    let tests = count(summary.tests, "test");
    let files = count(summary.files, "file");
    let _ = writeln!(text, "{style}{tests} in {files}: {}{style:#}", parts.join(", "));
    if summary.broken > 0 {
        let _ = writeln!(text, "{RED}{} outside of tests{RED:#}", count(summary.broken, "failure"));
    }
    let Snapshots { written, updated, removed, obsolete } = summary.snapshots;
    let told = [
        (written, "written"),
        (updated, "updated"),
        (removed, "removed"),
        (obsolete, "that no test asks for"),
    ];
    let told: Vec<String> = told
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    if !told.is_empty() {
        let _ = writeln!(text, "snapshots: {}", told.join(", "));
    }
    if obsolete > 0 {
        text.push_str("remove snapshots that no test asks for: hemiola test --update-snapshots\n");
    }
}
