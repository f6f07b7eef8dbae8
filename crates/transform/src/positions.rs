//! Where a place in the text that the engine has is in the source.

use std::sync::Arc;

/// From places in transformed text to places in the source.
///
/// The engine counts columns in bytes of UTF-8, Node in units of UTF-16. A line of which nothing is
/// known is all ASCII and unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    /// Sorted by line, then by column.
    steps: Vec<Step>,
    /// From the text that was changed here, which was made of the source itself.
    earlier: Option<Arc<Positions>>,
}

/// From this column on, until the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    line: u32,
    /// The column in the text, in bytes from 0.
    byte: u32,
    /// The column in the source, in UTF-16 units from 0.
    source: u32,
    /// Whether both columns advance together; otherwise all is one place in the source.
    copied: bool,
}

impl Positions {
    /// The positions of a text that was not changed.
    #[must_use]
    pub fn of_unchanged(text: &str) -> Self {
        if text.is_ascii() {
            return Self::default();
        }
        let mut builder = PositionsBuilder::default();
        builder.copied(text);
        builder.finish()
    }

    /// The source's column for a place in the text.
    ///
    /// `line` and both columns count from 1; the text's are bytes, the source's UTF-16 units. The
    /// line is the same in both.
    #[must_use]
    pub fn source_column(&self, line: u32, column: u32) -> u32 {
        match &self.earlier {
            None => self.changed_column(line, column),
            Some(earlier) => earlier.source_column(line, self.changed_column(line, column)),
        }
    }

    /// These positions in a text that was made by changing another: `self` must count that text's
    /// columns in bytes.
    #[must_use]
    pub fn after(self, earlier: Positions) -> Self {
        let earlier = match self.earlier {
            None => earlier,
            Some(own) => Arc::unwrap_or_clone(own).after(earlier),
        };
        Self { earlier: Some(Arc::new(earlier)), ..self }
    }

    /// The column in the text that was changed.
    fn changed_column(&self, line: u32, column: u32) -> u32 {
        let byte = column.saturating_sub(1);
        let next = self.steps.partition_point(|step| (step.line, step.byte) <= (line, byte));
        match next.checked_sub(1).map(|index| self.steps[index]) {
            Some(step) if step.line == line => {
                step.source + if step.copied { byte - step.byte } else { 0 } + 1
            }
            _ => byte + 1,
        }
    }

    /// The source's column for a place that the engine names.
    ///
    /// `prefix` is how many bytes of a wrapper the engine saw before the text. The engine counts
    /// the columns of a first line from 0, but calls column 0 column 1.
    #[must_use]
    pub fn engine_column(&self, line: u32, column: u32, prefix: u32) -> u32 {
        match line {
            1 if prefix == 0 && column <= 1 => self.source_column(1, 1),
            1 => self.source_column(1, (column + 1).saturating_sub(prefix)),
            _ => self.source_column(line, column),
        }
    }
}

/// Reads the pieces of a text in order.
#[derive(Default)]
pub(crate) struct PositionsBuilder {
    /// Whether the source's columns are bytes, too.
    in_bytes: bool,
    steps: Vec<Step>,
    /// The place after what was read so far; lines from 0.
    line: u32,
    byte: u32,
    source: u32,
    /// How far the two columns are apart according to the last step of this line.
    shift: i64,
    after_cr: bool,
}

impl PositionsBuilder {
    /// Counts the source's columns in units of UTF-16, or in bytes.
    pub(crate) fn counting(in_bytes: bool) -> Self {
        Self { in_bytes, ..Self::default() }
    }

    /// A piece that is the same in text and source.
    pub(crate) fn copied(&mut self, piece: &str) {
        let mut rest = piece;
        while !rest.is_empty() {
            self.step(true);
            let is_plain = |byte: u8| byte.is_ascii() && byte != b'\n' && byte != b'\r';
            let plain = rest.bytes().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
            let columns = u32::try_from(plain).unwrap_or(u32::MAX);
            self.byte += columns;
            self.source += columns;
            rest = &rest[plain..];
            if plain > 0 {
                self.after_cr = false;
            } else if let Some(char) = rest.chars().next() {
                self.read_both(char);
                rest = &rest[char.len_utf8()..];
            }
        }
    }

    /// A piece of the source with what stands in its place, which has the same line breaks.
    pub(crate) fn replaced(&mut self, piece: &str, text: &str) {
        let same_breaks = || {
            let places = |text: &'_ str| {
                text.match_indices(is_break).map(|(index, _)| index).collect::<Vec<_>>()
            };
            places(piece) == places(text)
        };
        if piece.len() == text.len() && same_breaks() {
            // Blanks: the source's characters tell how the columns run.
            self.copied(piece);
            return;
        }
        self.step(false);
        for char in text.chars().filter(|&char| is_break(char)) {
            self.read_both(char);
            self.step(false);
        }
        // The text's last line, which is all of it if it has one line.
        let last = text.split(is_break).next_back().unwrap_or_default();
        self.byte += u32::try_from(last.len()).unwrap_or(u32::MAX);
        let last = piece.split(is_break).next_back().unwrap_or_default();
        self.source += last.chars().map(|char| self.width(char)).sum::<u32>();
        // What follows is either copied, and then says so, or not.
        self.shift = i64::MAX;
    }

    pub(crate) fn finish(mut self) -> Positions {
        self.step(true);
        Positions { steps: self.steps, earlier: None }
    }

    fn read_both(&mut self, char: char) {
        let after_cr = std::mem::replace(&mut self.after_cr, char == '\r');
        if is_break(char) {
            if !(char == '\n' && after_cr) {
                self.line += 1;
            }
            self.byte = 0;
            self.source = 0;
            self.shift = 0;
        } else {
            self.byte += u32::try_from(char.len_utf8()).unwrap_or(4);
            self.source += self.width(char);
        }
    }

    fn width(&self, char: char) -> u32 {
        if self.in_bytes { char.len_utf8() as u32 } else { units(char) }
    }

    /// Notes that the columns run in another way from here on.
    fn step(&mut self, copied: bool) {
        let shift = if copied { i64::from(self.source) - i64::from(self.byte) } else { i64::MIN };
        if shift == self.shift {
            return;
        }
        self.shift = shift;
        let step = Step { line: self.line + 1, byte: self.byte, source: self.source, copied };
        match self.steps.last_mut() {
            Some(last) if (last.line, last.byte) == (step.line, step.byte) => *last = step,
            _ => self.steps.push(step),
        }
    }
}

/// How many bytes of a line come before a column, which is counted in UTF-16 units from 1.
pub(crate) fn bytes_before(line: &str, column: u32) -> u32 {
    let mut left = column.saturating_sub(1);
    let mut bytes = 0;
    for char in line.chars() {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(units(char));
        bytes += char.len_utf8() as u32;
    }
    bytes
}

/// Lines and columns of offsets, both from 1, in one pass over the text. An offset behind the text is at
/// its end.
pub(crate) fn places(text: &str, offsets: &[u32]) -> Vec<(u32, u32)> {
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_by_key(|&index| offsets[index]);
    let mut places = vec![(1, 1); offsets.len()];
    let (mut line, mut column, mut chars) = (1, 1, text.char_indices().peekable());
    for index in order {
        while let Some((at, char)) = chars.next_if(|(at, _)| *at < offsets[index] as usize) {
            if is_break(char) {
                if !(char == '\r' && text[at + 1..].starts_with('\n')) {
                    line += 1;
                }
                column = 1;
            } else {
                column += units(char);
            }
        }
        places[index] = (line, column);
    }
    places
}

/// Finds lines and columns, from 1, of offsets that come in their order. There may be many: each is counted
/// from the one before.
pub(crate) struct Places<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    column: u32,
    /// Whether a carriage return came last.
    returned: bool,
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0, line: 1, column: 1, returned: false }
    }

    /// Line and column of an offset; one that is before the last is counted from the beginning.
    pub(crate) fn find(&mut self, offset: usize) -> (u32, u32) {
        if offset < self.at {
            *self = Self::new(self.text);
        }
        for char in self.text.get(self.at..offset).unwrap_or_default().chars() {
            if is_break(char) {
                self.line += u32::from(!(self.returned && char == '\n'));
                self.column = 1;
            } else {
                self.column += units(char);
            }
            self.returned = char == '\r';
        }
        self.at = offset;
        (self.line, self.column)
    }
}

pub(crate) fn is_break(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

pub(crate) fn units(char: char) -> u32 {
    if char.len_utf16() == 2 { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::{Places, Positions, PositionsBuilder};

    #[test]
    fn places_are_those_of_an_error_there() {
        let text = "a\r\nb\u{2028}😀c\rd\n\ne";
        let mut places = Places::new(text);
        let offsets = text.char_indices().map(|(offset, _)| offset);
        for offset in offsets.clone().chain(offsets) {
            let error = crate::goal::error_at(text, offset, "");
            if text[offset..].starts_with('\n') && text[..offset].ends_with('\r') {
                continue; // Nothing is between the two.
            }
            assert_eq!(places.find(offset), (error.line, error.column), "{offset}");
        }
    }

    /// The source's columns for the text's columns 1, 2, ….
    fn columns(positions: &Positions, line: u32, count: u32) -> Vec<u32> {
        (1..=count).map(|column| positions.source_column(line, column)).collect()
    }

    #[test]
    fn columns_are_bytes_in_the_text_and_units_in_the_source() {
        let positions = Positions::of_unchanged("ab\né𝒳c\r\nd");
        assert_eq!(columns(&positions, 1, 3), [1, 2, 3]);
        let [e, x, c] = [1, 3, 7];
        assert_eq!([e, x, c].map(|column| positions.source_column(2, column)), [1, 2, 4]);
        assert_eq!(columns(&positions, 3, 2), [1, 2]);
    }

    #[test]
    fn inserted_text_is_where_it_was_inserted() {
        let mut builder = PositionsBuilder::default();
        builder.copied("ab");
        builder.replaced("", "xyz");
        builder.copied("cd\ne");
        builder.replaced("await", "(");
        builder.copied("f");
        let positions = builder.finish();
        assert_eq!(columns(&positions, 1, 8), [1, 2, 3, 3, 3, 3, 4, 5]);
        assert_eq!(columns(&positions, 2, 4), [1, 2, 7, 8]);
    }

    #[test]
    fn line_breaks_of_a_replaced_piece_are_kept() {
        let mut builder = PositionsBuilder::default();
        builder.copied("a");
        builder.replaced("enum\nE {", "var E;(\n");
        builder.copied("b");
        let positions = builder.finish();
        assert_eq!(columns(&positions, 1, 9), [1, 2, 2, 2, 2, 2, 2, 2, 2]);
        assert_eq!(columns(&positions, 2, 2), [4, 5]);
    }

    #[test]
    fn the_engine_counts_a_first_line_from_zero() {
        let positions = Positions::default();
        assert_eq!(positions.engine_column(1, 1, 0), 1);
        assert_eq!(positions.engine_column(1, 2, 0), 3);
        assert_eq!(positions.engine_column(1, 22, 20), 3);
        assert_eq!(positions.engine_column(2, 3, 20), 3);
    }
}
