//! What a program, a trace or a recording says is shown, and never sent to a terminal as it is: a name with
//! an escape sequence in it could hide a line, or type for the user.

use std::io::{self, Write};

/// A text with its control characters written out.
pub(crate) fn shown(text: &str) -> String {
    escaped(text, false)
}

/// The same, but for colours: those of our own titles.
pub(crate) fn colored(text: &str) -> String {
    escaped(text, true)
}

fn escaped(text: &str, keeps_colors: bool) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut writer = Harmless { to: &mut bytes, keeps_colors, waiting: Vec::new() };
    let written = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
    written.expect("memory takes everything");
    String::from_utf8(bytes).expect("letters stay as they are")
}

/// Writes control characters out, as `\u{1b}`, but for the ends of lines and tabulators.
pub(crate) struct Harmless<W> {
    to: W,
    /// Whether `ESC [ 1 ; 32 m` and its like pass.
    keeps_colors: bool,
    /// The beginning of a letter or of a colour, which the next bytes decide about.
    waiting: Vec<u8>,
}

/// The first byte of the control characters behind ASCII, in UTF-8.
const BEHIND_ASCII: u8 = 0xc2;
const ESCAPE: u8 = 0x1b;

impl<W: Write> Harmless<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to, keeps_colors: false, waiting: Vec::new() }
    }

    fn byte(&mut self, byte: u8) -> io::Result<()> {
        match self.waiting.first() {
            Some(&BEHIND_ASCII) => {
                self.waiting.clear();
                if (0x80..0xa0).contains(&byte) {
                    return write!(self.to, "\\u{{{byte:x}}}");
                }
                self.to.write_all(&[BEHIND_ASCII])?;
            }
            Some(_) => {
                self.waiting.push(byte);
                let is_start = self.waiting.len() == 2 && byte == b'[';
                let is_inside = self.waiting.len() > 2 && matches!(byte, b'0'..=b'9' | b';');
                if is_start || is_inside {
                    return Ok(());
                }
                if self.waiting.len() > 2 && byte == b'm' {
                    return self.to.write_all(&std::mem::take(&mut self.waiting));
                }
                return self.give_up();
            }
            None => {}
        }
        match byte {
            BEHIND_ASCII => self.waiting.push(byte),
            ESCAPE if self.keeps_colors => self.waiting.push(byte),
            b'\n' | b'\t' => self.to.write_all(&[byte])?,
            _ if byte.is_ascii_control() => {
                write!(self.to, "{}", char::from(byte).escape_default())?;
            }
            _ => self.to.write_all(&[byte])?,
        }
        Ok(())
    }

    /// What waited was no colour.
    fn give_up(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        match waiting.split_first() {
            Some((&ESCAPE, rest)) => {
                self.to.write_all(b"\\u{1b}")?;
                rest.iter().try_for_each(|&byte| self.byte(byte))
            }
            _ => self.to.write_all(&waiting),
        }
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = |byte: &u8| {
            matches!(byte, b'\n' | b'\t') || !byte.is_ascii_control() && *byte != BEHIND_ASCII
        };
        let plain = bytes.iter().take_while(|byte| is_plain(byte)).count();
        if plain > 0 && self.waiting.is_empty() {
            self.to.write_all(&bytes[..plain])?;
            return Ok(plain);
        }
        bytes.first().map_or(Ok(0), |&byte| self.byte(byte).map(|()| 1))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.give_up()?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(keeps_colors: bool, pieces: &[&[u8]]) -> String {
        let mut bytes = Vec::new();
        let mut writer = Harmless { to: &mut bytes, keeps_colors, waiting: Vec::new() };
        for piece in pieces {
            writer.write_all(piece).expect("memory takes everything");
        }
        writer.flush().expect("memory takes everything");
        String::from_utf8(bytes).expect("it is UTF-8")
    }

    #[test]
    fn control_characters_are_shown() {
        for (text, shown) in [
            ("a\tb\n", "a\tb\n"),
            ("\u{1b}[2J\u{1b}]0;x\u{7}", "\\u{1b}[2J\\u{1b}]0;x\\u{7}"),
            ("a\rb\u{8}\u{0}\u{7f}", "a\\rb\\u{8}\\u{0}\\u{7f}"),
            ("\u{9b}31m \u{e9}\u{20ac}\u{c2}", "\\u{9b}31m \u{e9}\u{20ac}\u{c2}"),
        ] {
            assert_eq!(super::shown(text), shown);
            let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(through(false, &single), shown, "a byte at a time");
        }
    }

    #[test]
    fn colours_of_our_own_pass() {
        for (text, shown) in [
            ("\u{1b}[1;32mnote\u{1b}[0m: x", "\u{1b}[1;32mnote\u{1b}[0m: x"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{1b}\u{1b}[1mx", "\\u{1b}\u{1b}[1mx"),
            ("\u{1b}[1", "\\u{1b}[1"),
        ] {
            assert_eq!(through(true, &[text.as_bytes()]), shown);
        }
    }
}
