//! What the programs of a fleet print: whole lines, each behind the name of its host.

use crate::console;
use anstyle::{AnsiColor, Style};
use hemiola_machine::Stream;

/// Hosts have these colours, one after the other.
const COLORS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::BrightCyan,
];

/// A longer line is printed in pieces.
const LONGEST: usize = 256 * 1024;

/// One stream of a program.
pub(super) struct Voice {
    host: String,
    style: Style,
    stream: Stream,
    line: Vec<u8>,
}

impl Voice {
    /// A stream of a program on a host, which have numbers.
    pub(super) fn new(host: &str, number: usize, stream: Stream) -> Self {
        let style = COLORS[number % COLORS.len()].on_default();
        Self { host: host.to_owned(), style, stream, line: Vec::new() }
    }

    /// Prints the lines that are whole by now.
    pub(super) fn hear(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            let (line, rest) = bytes.split_at(end + 1);
            self.line.extend_from_slice(line);
            bytes = rest;
            self.say();
        }
        self.line.extend_from_slice(bytes);
        if self.line.len() > LONGEST {
            self.line.push(b'\n');
            self.say();
        }
    }

    fn say(&mut self) {
        let line = String::from_utf8_lossy(&self.line);
        console::line_of(&self.host, self.style, self.stream, &line);
        self.line.clear();
    }
}

impl Drop for Voice {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            self.line.push(b'\n');
            self.say();
        }
    }
}
