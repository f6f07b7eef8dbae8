//! How far the engine looks ahead.
//!
//! Whether a bracket begins a pattern or parameters the engine knows by what follows its end, and so it knows which kind
//! of loop a `for` is. It looks no deeper than [`LEVELS`] brackets, and takes what is deeper for something else. What is
//! inserted into a text adds brackets, so a text that it can read may become one that it cannot.

/// How many brackets within each other the engine looks through.
const LEVELS: usize = 255;

/// Whether there is something in a text that the engine would take for something else.
pub(crate) fn is_mistaken(text: &str) -> bool {
    // Each level takes at least one byte.
    text.len() > LEVELS && Scan::new(text).finds()
}

/// An open bracket.
struct Level {
    /// Its letter; a backtick for what is inserted into a template.
    kind: u8,
    /// Whether it is the head of a loop.
    is_loop: bool,
    /// Whether there are three dots right in it.
    spreads: bool,
    /// How many brackets are within each other in it, itself among them.
    height: usize,
}

struct Scan<'t> {
    text: &'t [u8],
    at: usize,
    levels: Vec<Level>,
    /// Whether what came last can end an operand, so that a slash divides.
    operand: bool,
    /// Whether `for`, or `for await`, came last.
    after_for: bool,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        let text = text.as_bytes();
        Self { text, at: 0, levels: Vec::new(), operand: false, after_for: false }
    }

    fn finds(mut self) -> bool {
        while let Some(&byte) = self.text.get(self.at) {
            let rest = &self.text[self.at..];
            self.at += 1;
            match byte {
                _ if byte.is_ascii_whitespace() || byte == 0xb => continue,
                b'/' if rest.starts_with(b"//") => self.skip_past(b"\n"),
                b'/' if rest.starts_with(b"/*") => {
                    self.at += 1;
                    self.skip_past(b"*/");
                }
                b'"' | b'\'' => {
                    self.skip_text(byte);
                    self.follows(true);
                }
                b'/' if !self.operand => {
                    self.skip_expression();
                    self.follows(true);
                }
                b'`' => self.template(),
                b'(' | b'[' | b'{' => {
                    let is_loop = byte == b'(' && self.after_for;
                    self.open(byte, is_loop);
                    self.follows(false);
                }
                b')' | b']' | b'}' => {
                    let closed = self.levels.pop();
                    if closed.as_ref().is_some_and(|level| level.kind == b'`') {
                        self.template();
                        continue;
                    }
                    self.follows(true);
                    if closed.is_some_and(|level| self.is_too_deep(&level)) {
                        return true;
                    }
                }
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' | b'#' | 128.. => self.word(),
                b'.' if rest.starts_with(b"...") => {
                    self.at += 2;
                    if let Some(level) = self.levels.last_mut() {
                        level.spreads = true;
                    }
                    self.follows(false);
                }
                _ => self.follows(false),
            }
        }
        false
    }

    /// Whether a bracket that was just closed is one of those that the engine has to see the end of.
    fn is_too_deep(&self, level: &Level) -> bool {
        if level.height <= LEVELS {
            return false;
        }
        let begins = |word: &[u8], rest: &[u8]| {
            let next = rest.get(word.len());
            rest.starts_with(word) && !next.is_some_and(|&byte| is_part(byte))
        };
        let rest = self.after_space();
        let is_pattern = rest.starts_with(b"=") && !rest.starts_with(b"==")
            || level.kind != b'(' && (begins(b"of", rest) || begins(b"in", rest));
        is_pattern || level.is_loop || level.spreads && level.kind == b'{'
    }

    /// What comes after white space and comments.
    fn after_space(&self) -> &'t [u8] {
        let mut rest = &self.text[self.at..];
        loop {
            rest = rest.trim_ascii_start();
            let end: &[u8] = match rest {
                [b'/', b'/', ..] => b"\n",
                [b'/', b'*', ..] => b"*/",
                [0xb, after @ ..] => {
                    rest = after;
                    continue;
                }
                _ => return rest,
            };
            let found = rest.windows(end.len()).skip(2).position(|window| window == end);
            rest = found.map_or(&[], |at| &rest[at + 2 + end.len()..]);
        }
    }

    fn follows(&mut self, operand: bool) {
        self.operand = operand;
        self.after_for = false;
    }

    fn open(&mut self, kind: u8, is_loop: bool) {
        self.levels.push(Level { kind, is_loop, spreads: false, height: 0 });
        // Those that are known to be as high need not be told.
        for (inner, level) in self.levels.iter_mut().rev().enumerate() {
            if level.height > inner {
                break;
            }
            level.height = inner + 1;
        }
    }

    fn word(&mut self) {
        let start = self.at - 1;
        let rest = &self.text[start..];
        let length = rest.iter().skip(1).position(|&byte| !is_part(byte));
        let word = &rest[..length.map_or(rest.len(), |length| length + 1)];
        self.at = start + word.len();
        let after_for = word == b"for" || word == b"await" && self.after_for;
        self.follows(!matches!(
            word,
            b"await"
                | b"case"
                | b"delete"
                | b"do"
                | b"else"
                | b"in"
                | b"instanceof"
                | b"new"
                | b"of"
                | b"return"
                | b"throw"
                | b"typeof"
                | b"void"
                | b"yield"
        ));
        self.after_for = after_for;
    }

    fn skip_past(&mut self, end: &[u8]) {
        let rest = &self.text[self.at..];
        let found = rest.windows(end.len()).position(|window| window == end);
        self.at += found.map_or(rest.len(), |at| at + end.len());
    }

    /// Skips the rest of a string.
    fn skip_text(&mut self, quote: u8) {
        while let Some(&byte) = self.text.get(self.at) {
            self.at += 1 + usize::from(byte == b'\\');
            if byte == quote || byte == b'\n' {
                break;
            }
        }
    }

    /// Skips the rest of a regular expression, if it ends on its line.
    fn skip_expression(&mut self) {
        let (mut at, mut in_class) = (self.at, false);
        while let Some(&byte) = self.text.get(at) {
            at += 1;
            match byte {
                b'\n' => return,
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.at = at;
                    return;
                }
                _ => {}
            }
        }
    }

    /// Skips the text of a template up to its end, or to where something is inserted.
    fn template(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => return self.follows(true),
                b'$' if self.text.get(self.at) == Some(&b'{') => {
                    self.at += 1;
                    self.open(b'`', false);
                    return self.follows(false);
                }
                _ => {}
            }
        }
    }
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 128..)
}

#[cfg(test)]
mod tests {
    use super::is_mistaken;
    use crate::{Goal, Language, instrument, step, transform};

    fn nested(levels: usize) -> String {
        format!("{}1{}", "(".repeat(levels), ")".repeat(levels))
    }

    #[test]
    fn ends_that_the_engine_must_see_are_found() {
        for (start, end) in [
            ("const { a =", "} = y"),
            ("[b[", "]] /* c */ = d"),
            ("for (const [a =", "] of b);"),
            ("for ({ a =", "} in b);"),
            ("for (let i =", "; i < 3; i++);"),
            ("((a =", ") => a)"),
            ("function f({ a =", ", ...b }) {}"),
        ] {
            let text = |levels: usize| {
                format!("`(${{[/[/(]/, '(']}}` // (\n{start}{}{end}", nested(levels))
            };
            assert!(is_mistaken(&text(255)), "{start}");
            assert!(!is_mistaken(&text(250)), "{start}");
        }
        for (start, end) in
            [("a =", " == b"), ("if (", ") a = b"), ("a = [", "]; b in c"), ("f(...[", "])")]
        {
            let text = format!("{start}{}{end}", nested(300));
            assert!(!is_mistaken(&text), "{start}");
        }
    }

    /// Hooks nest more deeply what the engine can just read.
    #[test]
    fn what_hooks_would_hide_is_refused_by_name() {
        let constructions = format!("const {{ a = {}b }} = c", "new ".repeat(280));
        let functions = format!("const {{ a = {}b }} = c", "() => ".repeat(280));
        let awaits = format!("const {{ a = {}b }} = c; export {{}}", "await ".repeat(280));
        for (text, is_plain) in [(&constructions, true), (&functions, true), (&awaits, false)] {
            let results = [
                transform(text, Language::JavaScript, Goal::Detect, &[]).map(drop),
                step(text, Language::JavaScript, Goal::Detect, &[], 0).map(drop),
                instrument(text, Language::JavaScript, Goal::Detect, &[], 0).map(drop),
            ];
            assert_eq!(results[0].is_ok(), is_plain, "{text}");
            let refused = results.into_iter().filter_map(Result::err);
            let messages: Vec<String> = refused.map(|error| error.message).collect();
            assert!(!messages.is_empty(), "{text}");
            assert!(messages.iter().all(|message| message.contains("too deeply")), "{messages:?}");
        }
    }
}
