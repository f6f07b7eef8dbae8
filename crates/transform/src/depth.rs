//! How deep a text nests, as far as can be told without parsing it.
//!
//! The parser and the walk over its tree recurse, and a stack that overflows ends the process. So a
//! text is looked at first, and one that nests deeper than any person or bundler writes is not
//! parsed. The engine, which has a limit of its own, reports it.

/// What an open bracket weighs against an operator: as much more stack does the parser need.
const BRACKET: usize = 4;
const LIMIT: usize = 4000;

/// Whether parsing could run out of stack.
pub(crate) fn is_too_deep(text: &str) -> bool {
    // Every level takes at least one byte; the parser takes no more than 4 GiB.
    text.len() > LIMIT / BRACKET
        && (u32::try_from(text.len()).is_err() || Scan::new(text.as_bytes()).finds_too_deep())
}

struct Scan<'t> {
    text: &'t [u8],
    at: usize,
    /// The open brackets, each with the operators that are pending inside.
    levels: Vec<(u8, usize)>,
    depth: usize,
    /// Whether a statement or element has just ended; `else` goes on nevertheless.
    ended: bool,
    /// Whether what came last can end an operand.
    operand: bool,
    new_line: bool,
}

impl<'t> Scan<'t> {
    fn new(text: &'t [u8]) -> Self {
        let levels = vec![(0, 0)];
        Self { text, at: 0, levels, depth: 0, ended: false, operand: false, new_line: false }
    }

    fn finds_too_deep(mut self) -> bool {
        while let Some(&byte) = self.text.get(self.at) {
            let start = self.at;
            self.at += 1;
            match byte {
                b'\n' | b'\r' => self.new_line = true,
                b' ' | b'\t' => {}
                b'/' if self.text.get(self.at) == Some(&b'/') => self.skip_to(b"\n"),
                b'/' if self.text.get(self.at) == Some(&b'*') => self.skip_to(b"*/"),
                b'"' | b'\'' => {
                    self.skip_string(byte);
                    self.operand = true;
                    self.ended = false;
                }
                b'(' | b'[' | b'{' => {
                    self.end_statement(false);
                    self.levels.push((byte, 0));
                    self.depth += BRACKET;
                    self.operand = false;
                }
                b')' | b']' | b'}' => {
                    self.close(byte);
                    self.operand = true;
                    self.pending();
                    self.ended = byte == b'}';
                }
                b';' | b',' => self.ended = true,
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' | 128.. => self.word(start),
                _ => {
                    self.end_statement(false);
                    self.pending();
                    // A slash may end a regular expression.
                    self.operand = byte == b'/';
                }
            }
            if self.depth > LIMIT {
                return true;
            }
        }
        false
    }

    fn word(&mut self, start: usize) {
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 128..);
        let rest = &self.text[start..];
        let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        self.at = start + length;
        let word = &rest[..length];
        let goes_on = matches!(
            word,
            b"else" | b"in" | b"instanceof" | b"of" | b"as" | b"satisfies" | b"extends"
        );
        let is_prefix = matches!(
            word,
            b"await"
                | b"case"
                | b"delete"
                | b"do"
                | b"new"
                | b"return"
                | b"throw"
                | b"typeof"
                | b"void"
                | b"yield"
        );
        if self.new_line && self.operand && !goes_on {
            self.ended = true;
        }
        self.end_statement(word == b"else");
        if goes_on || is_prefix {
            self.pending();
        }
        self.operand = !goes_on && !is_prefix;
    }

    /// One more construct that ends with its statement.
    fn pending(&mut self) {
        if let Some((_, count)) = self.levels.last_mut() {
            *count += 1;
            self.depth += 1;
        }
    }

    fn end_statement(&mut self, goes_on: bool) {
        self.new_line = false;
        if std::mem::take(&mut self.ended)
            && !goes_on
            && let Some((_, count)) = self.levels.last_mut()
        {
            self.depth -= std::mem::take(count);
        }
    }

    /// Closes the innermost bracket of the kind, and what was left open in it.
    fn close(&mut self, byte: u8) {
        self.new_line = false;
        let open = match byte {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        if let Some(index) = self.levels.iter().rposition(|&(kind, _)| kind == open) {
            for (_, count) in self.levels.drain(index..) {
                self.depth -= BRACKET + count;
            }
        }
    }

    fn skip_to(&mut self, end: &[u8]) {
        let rest = &self.text[self.at..];
        let found = rest.windows(end.len()).position(|window| window == end);
        self.at += found.map_or(rest.len(), |index| index + end.len());
        self.new_line = true;
    }

    /// Skips a string, if it ends on its line.
    fn skip_string(&mut self, quote: u8) {
        let mut at = self.at;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\n' => return,
                _ if byte == quote => {
                    self.at = at + 1;
                    return;
                }
                _ => {}
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_too_deep;

    #[test]
    fn deep_texts_are_found() {
        let deep = |start: &str, end: &str| {
            let text = start.repeat(5000) + "1" + &end.repeat(5000);
            assert!(is_too_deep(&text), "{start}");
        };
        deep("(", ")");
        deep("[", "]");
        deep("{", "}");
        deep("x={a:", "}");
        deep("function f(){", "}");
        deep("`${", "}`");
        for start in [
            "a=>",
            "-!",
            "a=",
            "a?b:",
            "if(a)b;else ",
            "if(a){b}else ",
            "await ",
            "l:",
            "new ",
            "while(a)",
            "typeof ",
            "yield ",
            "class extends ",
            "a**",
            "a\n+",
            "a\nin ",
            "B extends C?D:",
        ] {
            deep(start, "");
        }
        for end in ["+1", ".b", "()", "&&a", "**a", "?.b", "``", "!", " as b", "\n.b()"] {
            deep("", end);
        }
    }

    #[test]
    fn long_texts_are_not_deep() {
        for line in [
            "foo.bar = 1\n",
            "foo.bar = '(' + \"[\";\n",
            "const x = a ? b : c\n",
            "f(a, b => { c(d) })\n",
            "if (a) b()\nelse c()\n",
            "if (a) { b() } else { c() }\n",
            "// it's (\n",
            "/* don't ( */ x = 1\n",
            "x = /[(]/\n",
            "a: 1, b: [2, 3],\n",
            "'text',\n",
            "await x\nawait (y)\n",
            "import a from 'b'\n",
        ] {
            assert!(!is_too_deep(&line.repeat(3000)), "{line}");
        }
    }
}
