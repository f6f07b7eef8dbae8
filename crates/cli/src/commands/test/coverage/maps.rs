//! From compiled files to their sources, by the maps that they name.

use super::lines::{Covered, Lines};
use crate::commands::coverage::{self, Told, without_mark};
use hemiola_transform::{FunctionRanges, Range};
use std::fs;
use std::path::PathBuf;

/// What of the sources of a text was executed; nothing if it names no map, or that leads to no file.
pub(super) fn sources(told: &Told, text: &str) -> Option<Vec<Covered>> {
    let map = coverage::read_map(text, &told.file)??;
    let entries = entries(map["mappings"].as_str()?)?;
    let made = Lines::of(text);
    let ranges = told.ranges();
    let names = map["sources"].as_array()?;
    let contents = map["sourcesContent"].as_array();
    let covered = names.iter().enumerate().filter_map(|(number, name)| {
        let path: PathBuf = coverage::path_of(name.as_str()?)?;
        let content = contents.and_then(|all| all.get(number)?.as_str()).map(str::to_owned);
        let source = content.or_else(|| fs::read_to_string(&path).ok())?;
        let source = without_mark(&source);
        let mapping = Mapping { entries: &entries, number, made: &made, source: Lines::of(source) };
        Some(Covered::of(&path, source, &mapping.functions(&ranges)))
    });
    let covered: Vec<Covered> = covered.collect();
    (!covered.is_empty()).then_some(covered)
}

/// A place in what was made, and the one in a source that it comes from; all from 0.
struct Entry {
    made: (usize, u32),
    source: usize,
    place: (usize, u32),
}

/// From one text to one of its sources.
struct Mapping<'m> {
    entries: &'m [Entry],
    number: usize,
    made: &'m Lines,
    source: Lines,
}

impl Mapping<'_> {
    fn functions(&self, functions: &[FunctionRanges]) -> Vec<FunctionRanges> {
        let mapped = functions.iter().enumerate().filter_map(|(at, function)| {
            let mut ranges: Vec<Range> =
                function.ranges.iter().filter_map(|range| self.range(range)).collect();
            if at == 0 {
                // All of the text is all of each source.
                let count = function.ranges[0].count;
                let whole = Range { start: 0, end: self.source.end(), count };
                let inner = function.ranges[1..].iter().filter_map(|range| self.range(range));
                ranges = [whole].into_iter().chain(inner).collect();
            } else {
                self.range(&function.ranges[0])?;
            }
            let (name, is_block) = (function.name.clone(), function.is_block);
            Some(FunctionRanges { name, ranges, is_block })
        });
        mapped.collect()
    }

    /// Where a range is in the source, if anything of it comes from there.
    fn range(&self, range: &Range) -> Option<Range> {
        let before = |place: u32| {
            let place = self.made.column(place);
            self.entries.partition_point(|entry| entry.made < place)
        };
        let (first, after) = (before(range.start), before(range.end));
        let inside = self.entries.get(first..after)?;
        let start = inside.first().filter(|entry| entry.source == self.number)?;
        let own = |entry: &&Entry| entry.source == self.number;
        let last = inside.iter().rev().find(own)?;
        let next = self.entries.get(after).filter(own).filter(|next| next.place > last.place);
        let place = |(line, column): (usize, u32)| self.source.place(line, column);
        let end = next.map_or_else(|| self.source.end_of(last.place.0), |next| place(next.place));
        let start = place(start.place);
        (start < end).then_some(Range { start, end, count: range.count })
    }
}

/// All entries of a map, in the order of what was made.
fn entries(mappings: &str) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let [mut source, mut line, mut place] = [0_i64; 3];
    for (at, segments) in mappings.split(';').enumerate() {
        let mut column = 0;
        for segment in segments.split(',').filter(|segment| !segment.is_empty()) {
            let numbers = numbers(segment)?;
            column += numbers.first()?;
            let [_, of_source, of_line, of_column, ..] = numbers.as_slice() else { continue };
            source += of_source;
            line += of_line;
            place += of_column;
            entries.push(Entry {
                made: (at, u32::try_from(column).ok()?),
                source: usize::try_from(source).ok()?,
                place: (usize::try_from(line).ok()?, u32::try_from(place).ok()?),
            });
        }
    }
    entries.sort_by_key(|entry| entry.made);
    Some(entries)
}

/// The numbers of a segment: digits to the base of 32, the lowest first; the lowest bit is the sign.
fn numbers(segment: &str) -> Option<Vec<i64>> {
    let (mut numbers, mut value, mut shift) = (Vec::new(), 0_i64, 0);
    for letter in segment.bytes() {
        let digit = i64::from(coverage::base64_digit(letter)?);
        if shift > 50 {
            return None;
        }
        value += (digit & 31) << shift;
        shift += 5;
        if digit & 32 == 0 {
            numbers.push(if value & 1 == 1 { -(value >> 1) } else { value >> 1 });
            (value, shift) = (0, 0);
        }
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::{entries, numbers};

    #[test]
    fn segments_are_read_as_the_format_says() {
        assert_eq!(numbers("AAgBC"), Some(vec![0, 0, 16, 1]));
        assert_eq!(numbers("D"), Some(vec![-1]));
        assert_eq!(numbers("!"), None);
    }

    #[test]
    fn places_are_counted_from_the_entry_before() {
        let found = entries("AAAA;EACE,C").expect("it is a map");
        let places: Vec<_> = found.iter().map(|entry| (entry.made, entry.place)).collect();
        assert_eq!(places, [((0, 0), (0, 0)), ((1, 2), (1, 2))]);
    }
}
