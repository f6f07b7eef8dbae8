//! XML as JUnit writes it: a suite for each file.

use super::super::outcome::{Failed, FileResult, Outcome, Summary, TestResult};
use super::{Writer, shown};
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub(super) struct Junit {
    root: PathBuf,
}

impl Junit {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl Writer for Junit {
    fn begin(&mut self) -> String {
        String::new()
    }

    fn file(&mut self, _: &FileResult) -> String {
        String::new()
    }

    fn end(&mut self, results: &[FileResult], summary: &Summary) -> String {
        let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        let seconds: f64 = results.iter().map(|result| result.ms / 1000.0).sum();
        let _ = writeln!(
            text,
            "<testsuites tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{seconds:.3}\">",
            summary.tests,
            summary.failed,
            summary.broken,
            summary.skipped + summary.todo
        );
        for result in results {
            self.suite(result, &mut text);
        }
        text.push_str("</testsuites>\n");
        text
    }
}

impl Junit {
    fn suite(&self, result: &FileResult, text: &mut String) {
        let mut own = Summary::default();
        own.add(result);
        let file = escaped(&shown(&self.root, &result.file));
        let _ = writeln!(
            text,
            "  <testsuite name=\"{file}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\">",
            own.tests,
            own.failed,
            own.broken,
            own.skipped + own.todo,
            result.ms / 1000.0
        );
        for test in &result.tests {
            case(&file, test, text);
        }
        for failed in &result.broken {
            let _ = writeln!(
                text,
                "    <testcase name=\"{file}\" classname=\"{file}\" time=\"0.000\">"
            );
            inner("error", failed, text);
            text.push_str("    </testcase>\n");
        }
        if !result.output.is_empty() {
            let _ = writeln!(text, "    <system-out>{}</system-out>", escaped(&result.output));
        }
        text.push_str("  </testsuite>\n");
    }
}

fn case(file: &str, test: &TestResult, text: &mut String) {
    let (name, suites) =
        test.name.split_last().map_or(("", &[][..]), |(name, suites)| (name.as_str(), suites));
    let class = escaped(&suites.join(" > "));
    let class = if class.is_empty() { file.to_owned() } else { class };
    let _ = write!(
        text,
        "    <testcase name=\"{}\" classname=\"{class}\" file=\"{file}\" time=\"{:.3}\"",
        escaped(name),
        test.ms / 1000.0
    );
    match test.outcome {
        Outcome::Pass => text.push_str("/>\n"),
        Outcome::Skip | Outcome::Todo => text.push_str(">\n      <skipped/>\n    </testcase>\n"),
        Outcome::Fail | Outcome::Flaky => {
            text.push_str(">\n");
            for failed in &test.failures {
                inner("failure", failed, text);
            }
            text.push_str("    </testcase>\n");
        }
    }
}

fn inner(kind: &str, failed: &Failed, text: &mut String) {
    let first = failed.message.lines().next().unwrap_or_default();
    let _ = writeln!(
        text,
        "      <{kind} message=\"{}\">{}</{kind}>",
        escaped(first),
        escaped(&format!("{}\n{}", failed.message, failed.stack))
    );
}

/// A text as it may stand in XML: characters that must not be there at all are shown as U+FFFD.
fn escaped(text: &str) -> String {
    let mut made = String::new();
    for char in text.chars() {
        match char {
            '&' => made.push_str("&amp;"),
            '<' => made.push_str("&lt;"),
            '>' => made.push_str("&gt;"),
            '"' => made.push_str("&quot;"),
            '\n' => made.push_str("&#10;"),
            '\t' => made.push_str("&#9;"),
            '\r' => made.push_str("&#13;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => made.push('\u{fffd}'),
            char => made.push(char),
        }
    }
    made
}
