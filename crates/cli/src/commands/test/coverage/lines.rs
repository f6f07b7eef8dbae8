//! Lines, branches and functions, made of ranges as c8 does.

use super::Told;
use hemiola_transform::{Attribution, FunctionRanges, Range};
use std::path::{Path, PathBuf};

/// What of a file was executed.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    pub(super) path: PathBuf,
    /// How often each line.
    pub(super) lines: Vec<u64>,
    pub(super) branches: Vec<Branch>,
    pub(super) functions: Vec<Called>,
}

/// A part that was executed another number of times than what is around it, or a whole function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    /// From 1.
    pub(super) line: usize,
    pub(super) count: u64,
}

/// A function that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Called {
    pub(super) name: String,
    /// From 1.
    pub(super) line: usize,
    pub(super) count: u64,
}

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) covered: usize,
    pub(super) of: usize,
}

impl Share {
    pub(super) fn add(&mut self, counts: impl Iterator<Item = u64>) {
        for count in counts {
            self.of += 1;
            self.covered += usize::from(count > 0);
        }
    }

    /// In percent, never more than it is, with two digits after the point.
    pub(super) fn percent(self) -> f64 {
        match self.of {
            0 => 100.0,
            of => (self.covered * 10_000 / of) as f64 / 100.0,
        }
    }
}

impl Told {
    /// What was executed, as it was.
    pub(super) fn ranges(&self) -> Vec<FunctionRanges> {
        self.table.ranges(&self.counts, Attribution::Exact)
    }
}

impl Covered {
    pub(super) fn of(path: &Path, source: &str, functions: &[FunctionRanges]) -> Self {
        let lines = Lines::of(source);
        let ignored = ignored(source);
        let is_ignored = |line: usize| ignored.get(line).copied().unwrap_or_default();
        let mut counts: Vec<u64> = vec![1; lines.0.len()];
        let (mut branches, mut called) = (Vec::new(), Vec::new());
        for function in functions {
            for (at, range) in function.ranges.iter().enumerate() {
                let line = lines.beginning(range.start);
                let count = if is_ignored(line) { 1 } else { range.count };
                for within in lines.within(range) {
                    counts[within] = if is_ignored(within) { 1 } else { range.count };
                }
                if function.is_block && !lines.0.is_empty() {
                    branches.push(Branch { line: line + 1, count });
                }
                if at == 0 && !function.name.is_empty() {
                    called.push(Called { name: function.name.clone(), line: line + 1, count });
                }
            }
        }
        Self { path: path.to_owned(), lines: counts, branches, functions: called }
    }

    /// A file that no test loads.
    pub(super) fn nothing(path: &Path, source: &str) -> Self {
        let count = 0;
        Self {
            path: path.to_owned(),
            lines: vec![count; Lines::of(source).0.len()],
            branches: vec![Branch { line: 1, count }],
            functions: vec![Called { name: "(never loaded)".into(), line: 1, count }],
        }
    }

    /// The same file, as another text of it was executed.
    pub(super) fn add(&mut self, other: Self) {
        self.lines.resize(self.lines.len().max(other.lines.len()), 0);
        self.lines.iter_mut().zip(other.lines).for_each(|(sum, count)| *sum += count);
        for branch in other.branches {
            let same = self.branches.iter_mut().find(|known| known.line == branch.line);
            match same {
                Some(same) => same.count += branch.count,
                None => self.branches.push(branch),
            }
        }
        for function in other.functions {
            let is_same =
                |known: &&mut Called| known.line == function.line && known.name == function.name;
            match self.functions.iter_mut().find(is_same) {
                Some(same) => same.count += function.count,
                None => self.functions.push(function),
            }
        }
    }
}

/// Start and end of each line, in UTF-16 units; what breaks it is not in it.
pub(super) struct Lines(Vec<(u32, u32)>);

impl Lines {
    pub(super) fn of(source: &str) -> Self {
        let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
        let mut at = 0;
        let lines = source.split_inclusive('\n').map(|line| {
            let start = at;
            at += units(line);
            (start, start + units(line.trim_end_matches(['\r', '\n'])))
        });
        Self(lines.collect())
    }

    /// The line, from 0, that a place is in.
    pub(super) fn at(&self, place: u32) -> usize {
        self.0.partition_point(|(start, _)| *start <= place).saturating_sub(1)
    }

    /// The line, from 0, in which a part begins that begins there: at the end of a line, the next.
    fn beginning(&self, place: u32) -> usize {
        let line = self.0.partition_point(|(_, end)| *end <= place);
        line.min(self.0.len().saturating_sub(1))
    }

    /// Where a place is: line and column, both from 0.
    pub(super) fn column(&self, place: u32) -> (usize, u32) {
        let line = self.at(place);
        (line, place - self.0.get(line).map_or(0, |(start, _)| *start))
    }

    /// The place of a line and a column, both from 0; where the line ends if it is shorter.
    pub(super) fn place(&self, line: usize, column: u32) -> u32 {
        self.0.get(line).map_or(self.end(), |&(start, end)| (start + column).min(end))
    }

    /// Where a line ends.
    pub(super) fn end_of(&self, line: usize) -> u32 {
        self.0.get(line).map_or(self.end(), |&(_, end)| end)
    }

    /// Where the last line ends.
    pub(super) fn end(&self) -> u32 {
        self.0.last().map_or(0, |&(_, end)| end)
    }

    /// The lines that are wholly in a range.
    fn within(&self, range: &Range) -> std::ops::Range<usize> {
        let first = self.0.partition_point(|(start, _)| *start < range.start);
        let after = self.0.partition_point(|(_, end)| *end <= range.end);
        first..after.max(first)
    }
}

/// Which lines comments take out: `/* c8 ignore next 3 */`, `/* c8 ignore start */` … `/* c8 ignore stop */`, and the
/// same with `v8`; `/* node:coverage ignore next */`, `disable` and `enable`.
fn ignored(source: &str) -> Vec<bool> {
    if !source.contains("ignore") && !source.contains("node:coverage") {
        return Vec::new();
    }
    let (mut lines, mut next, mut is_off) = (Vec::new(), 0, false);
    for line in source.split_inclusive('\n') {
        let words = comment(line);
        let is_alone = line.trim_start().starts_with("/*") && line.trim_end().ends_with("*/");
        match words.as_slice() {
            ["c8" | "v8", "ignore", "start"] | ["node:coverage", "disable"] => is_off = true,
            ["c8" | "v8", "ignore", "stop"] | ["node:coverage", "enable"] => {
                is_off = false;
                lines.push(true);
                continue;
            }
            ["c8" | "v8" | "node:coverage", "ignore", "next", count @ ..] => {
                let count = count.first().and_then(|count| count.parse::<usize>().ok());
                // Behind other text, the comment means its own line.
                next = if is_alone { count.unwrap_or(1) + 1 } else { 1 };
            }
            _ => {}
        }
        lines.push(is_off || next > 0);
        next = next.saturating_sub(1);
    }
    lines
}

/// The words of a comment in a line, if it has one.
fn comment(line: &str) -> Vec<&str> {
    let inside = line.split_once("/*").and_then(|(_, after)| after.split_once("*/"));
    inside.map(|(inside, _)| inside.split_whitespace().collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Covered, Share, ignored};
    use hemiola_transform::{FunctionRanges, Range};
    use std::path::Path;

    #[test]
    fn a_line_counts_as_the_innermost_range_that_holds_all_of_it() {
        let source = "a {\n  b\n} c\n";
        let range = |start, end, count| Range { start, end, count };
        let ranges = vec![range(0, 12, 3), range(2, 9, 0)];
        let function = FunctionRanges { name: String::new(), ranges, is_block: true };
        let covered = Covered::of(Path::new("/a.js"), source, &[function]);
        assert_eq!(covered.lines, [3, 0, 3]);
        assert_eq!(
            covered.branches.iter().map(|one| (one.line, one.count)).collect::<Vec<_>>(),
            [(1, 3), (1, 0)]
        );
        assert!(covered.functions.is_empty());
    }

    #[test]
    fn comments_take_lines_out() {
        let source = "a\n/* c8 ignore next 2 */\nb\nc\nd\n/* v8 ignore start */\ne\n/* v8 ignore stop */\nf /* c8 ignore next */\ng\n";
        let lines = ignored(source);
        assert_eq!(lines, [false, true, true, true, false, true, true, true, true, false]);
    }

    #[test]
    fn percent_is_never_more_than_it_is() {
        assert_eq!(Share { covered: 2, of: 3 }.percent(), 66.66);
        assert_eq!(Share { covered: 0, of: 0 }.percent(), 100.0);
    }
}
