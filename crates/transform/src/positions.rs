//! Where a place in the text that the engine has is in the source.

/// From places in transformed text to places in the source.
///
/// The engine counts columns in bytes of UTF-8, Node in units of UTF-16. A line of which nothing is
/// known is all ASCII and unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    /// Sorted by line, then by column.
    steps: Vec<Step>,
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
    /// A piece that is the same in text and source.
    pub(crate) fn copied(&mut self, piece: &str) {
        for char in piece.chars() {
            self.step(true);
            self.read_both(char);
        }
    }

    /// A piece of the source with what stands in its place: either has no line break, or both have
    /// the same ones and are equally long.
    pub(crate) fn replaced(&mut self, piece: &str, text: &str) {
        if piece.len() == text.len() {
            // Blanks: the source's characters tell how the columns run.
            self.copied(piece);
            return;
        }
        self.step(false);
        let mut pieces = piece.split(is_break);
        let mut texts = text.split(is_break);
        let last = |parts: &mut dyn Iterator<Item = &str>| parts.last().map(str::to_owned);
        let breaks = text.chars().filter(|&char| is_break(char)).count();
        if breaks > 0 {
            for char in text.chars().filter(|&char| is_break(char)) {
                self.read_both(char);
            }
            self.step(false);
        }
        let piece = last(&mut pieces).unwrap_or_default();
        let text = last(&mut texts).unwrap_or_default();
        self.byte += u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.source += piece.chars().map(units).sum::<u32>();
        // What follows is either copied, and then says so, or not.
        self.shift = i64::MAX;
    }

    pub(crate) fn finish(mut self) -> Positions {
        self.step(true);
        Positions { steps: self.steps }
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
            self.source += units(char);
        }
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

pub(crate) fn is_break(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

pub(crate) fn units(char: char) -> u32 {
    if char.len_utf16() == 2 { 2 } else { 1 }
}
