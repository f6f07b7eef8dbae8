//! How deep a text nests, as far as can be told without parsing it.
//!
//! The parser and the walk over its tree recurse, and a stack that overflows ends the process. So a
//! text is looked at first, and one that nests deeper than any person or bundler writes is not
//! parsed. The engine, which has a limit of its own for most of it, reports it.

use std::panic::resume_unwind;

/// How much each kind of level counts, and how much is too much.
#[derive(Clone, Copy)]
struct Weights {
    bracket: usize,
    operator: usize,
    choice: usize,
    limit: usize,
}

/// For the parser, which needs as much more stack for an open bracket than for an operator.
const PARSER: Weights = Weights { bracket: 4, operator: 1, choice: 1, limit: 4000 };

/// What any stack has room for, wherever a program is when it needs a text.
const LITTLE: usize = 200;

/// What there is room for at the limit of the parser, in a debug build, too.
const ROOM: usize = 32 * 1024 * 1024;

/// For the engine, which has a limit of its own for all other levels. It takes choices within choices, but the time
/// grows with the square of their number. Node takes less than 3,000.
const CHOICES: Weights = Weights { bracket: 0, operator: 0, choice: 1, limit: 5000 };

/// Whether parsing could run out of stack.
pub(crate) fn is_too_deep(text: &str) -> bool {
    // Every level takes at least one byte; the parser takes no more than 4 GiB.
    text.len() > PARSER.limit / PARSER.bracket
        && (u32::try_from(text.len()).is_err() || deepest(text) > PARSER.limit)
}

/// How deep a text nests for the parser; somewhat more than the limit for one that is too deep.
fn deepest(text: &str) -> usize {
    Scan::new(text, PARSER).deepest()
}

/// Whether any stack has room to parse a text.
pub(crate) fn is_shallow(text: &str) -> bool {
    deepest(text) <= LITTLE
}

/// Does something that parses a text, where there is room for it: a worker may have a small stack, and a program may
/// have used up most of its own. Nothing, if there is no more room anywhere.
#[expect(clippy::disallowed_methods, reason = "it is waited for, and is no part of the program")]
pub(crate) fn with_room<T: Send>(text: &str, act: impl FnOnce() -> T + Send) -> Option<T> {
    let depth = deepest(text);
    if depth <= LITTLE || depth > PARSER.limit {
        // What is too deep is not parsed.
        return Some(act());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(ROOM).spawn_scoped(scope, act).ok()?;
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Whether there are more choices (`a ? b : c`) within each other than the engine compiles in reasonable time.
pub(crate) fn has_too_deep_choices(text: &str) -> bool {
    text.bytes().filter(|&byte| byte == b'?').count() > CHOICES.limit
        && Scan::new(text, CHOICES).deepest() > CHOICES.limit
}

struct Scan<'t> {
    text: &'t [u8],
    weights: Weights,
    at: usize,
    /// The open brackets, each with what is pending inside.
    levels: Vec<(u8, usize)>,
    depth: usize,
    /// Whether a statement or element has just ended; `else` goes on nevertheless.
    ended: bool,
    /// Whether what came last can end an operand.
    operand: bool,
    new_line: bool,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str, weights: Weights) -> Self {
        Self {
            text: text.as_bytes(),
            weights,
            at: 0,
            levels: vec![(0, 0)],
            depth: 0,
            ended: false,
            operand: false,
            new_line: false,
        }
    }

    /// How deep it is where it is deepest, or where it is too deep.
    fn deepest(mut self) -> usize {
        let mut deepest = 0;
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
                    self.depth += self.weights.bracket;
                    self.operand = false;
                }
                b')' | b']' | b'}' => {
                    self.close(byte);
                    self.operand = true;
                    self.pending(self.weights.operator);
                    self.ended = byte == b'}';
                }
                b';' | b',' => self.ended = true,
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' | 128.. => self.word(start),
                _ => {
                    self.end_statement(false);
                    self.pending(match byte {
                        b'?' if !self.is_joined() => self.weights.choice,
                        _ => self.weights.operator,
                    });
                    // A slash may end a regular expression.
                    self.operand = byte == b'/';
                }
            }
            deepest = deepest.max(self.depth);
            if deepest > self.weights.limit {
                break;
            }
        }
        deepest
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
            self.pending(self.weights.operator);
        }
        self.operand = !goes_on && !is_prefix;
    }

    /// One more construct that ends with its statement.
    fn pending(&mut self, weight: usize) {
        if let Some((_, count)) = self.levels.last_mut() {
            *count += weight;
            self.depth += weight;
        }
    }

    /// Whether the question mark that was just read is part of `?.` or `??`.
    fn is_joined(&self) -> bool {
        let before = self.at.checked_sub(2).and_then(|at| self.text.get(at));
        match (before, &self.text[self.at..]) {
            // A number may begin with a point.
            (_, [b'.', next, ..]) => !next.is_ascii_digit(),
            (_, [b'?', ..]) | (Some(b'?'), _) => true,
            _ => false,
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
                self.depth -= self.weights.bracket + count;
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
    use super::{has_too_deep_choices, is_too_deep};
    use crate::{Goal, Language, Reading, common_js_exports, instrument, links, step};
    use crate::{top_level_awaits, transform};

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

    /// As in a worker that has little, or where a program has used up most of its own.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a thread has a small stack")]
    fn a_deep_text_needs_no_stack_of_who_asks() {
        let body = format!("{}1{}", "[".repeat(900), "]".repeat(900));
        let text = format!("export default async () => {{ {body}; }};\n");
        let read = move || {
            let typescript = Language::TypeScript;
            assert!(transform(&text, typescript, Goal::Detect, &[]).is_ok());
            assert!(instrument(&text, typescript, Goal::Detect, &[], 0).is_ok());
            assert!(step(&text, typescript, Goal::Detect, &[], 0).is_ok());
            assert_eq!(links(&text, typescript), []);
            assert_eq!(top_level_awaits(&format!("await {body}"), typescript), [(1, 1)]);
            assert_eq!(common_js_exports(&format!("exports.a = {body}")).names, ["a"]);
            assert_eq!(Reading::read(&body), None);
        };
        let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(read);
        thread.expect("there is a thread").join().expect("there is room");
    }

    #[test]
    fn choices_within_choices_are_found() {
        for (start, end) in
            [("a?b:", ""), ("a?", ":b"), ("a?(", "):b"), ("a?.5:", ""), ("a\n? b\n: ", "")]
        {
            let text = |count: usize| start.repeat(count) + "1" + &end.repeat(count);
            assert!(has_too_deep_choices(&text(30_000)), "{start}");
            assert!(!has_too_deep_choices(&text(5000)), "{start}");
        }
        for line in [
            "x = a ? b : c;",
            "x = a ? b : c\n",
            "f(a ? b : c)\n",
            "a?b:c,",
            "a?.b??c?.[0]",
            "'?'+",
        ] {
            assert!(!has_too_deep_choices(&line.repeat(30_000)), "{line}");
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
