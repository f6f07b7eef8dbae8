//! A character for each test; then the failures, and how many of each there were.

use super::super::outcome::{FileResult, Outcome, Summary};
use super::Writer;
use super::spec::Spec;
use std::path::Path;

/// So many characters make a line.
const WIDTH: usize = 80;

pub(super) struct Dot {
    written: usize,
    rest: Spec,
}

impl Dot {
    pub(super) fn new(root: &Path) -> Self {
        Self { written: 0, rest: Spec::new(root) }
    }
}

impl Writer for Dot {
    fn begin(&mut self) -> String {
        String::new()
    }

    fn file(&mut self, result: &FileResult) -> String {
        let marks = result.tests.iter().map(|test| match test.outcome {
            Outcome::Pass => '.',
            Outcome::Fail => 'X',
            Outcome::Flaky => '~',
            Outcome::Skip | Outcome::Todo => '-',
        });
        let mut text = String::new();
        for mark in marks.chain(result.broken.iter().map(|_| 'X')) {
            text.push(mark);
            self.written += 1;
            if self.written.is_multiple_of(WIDTH) {
                text.push('\n');
            }
        }
        text
    }

    fn end(&mut self, results: &[FileResult], summary: &Summary) -> String {
        let line = if self.written.is_multiple_of(WIDTH) { "" } else { "\n" };
        format!("{line}{}", self.rest.end(results, summary))
    }
}
