//! From the text of λasync to its tree.

use std::collections::{BTreeMap, BTreeSet};

use super::syntax::{Body, BodyId, Callback, Program, Resolution, Statement, Term};
use crate::lexer::{Cursor, Failure, MAX_NESTING, error, nested_too_deep, quote};
use crate::names::{Names, Symbol, nearest};
use hemiola_trace::source::{SourceError, Span};

/// The longest delay, in milliseconds: up to here every whole number is one in JavaScript too.
const MAX_DELAY_MS: u64 = 1 << 53;

/// Reads a program in λasync.
///
/// ```
/// let program = hemiola_calculus::lasync::parse("timeout 5 f { log late }; log now").unwrap();
/// assert_eq!(program.bodies.len(), 2);
/// let error = hemiola_calculus::lasync::parse("lgo now").unwrap_err();
/// assert_eq!(error.help, "did you mean `log`?");
/// ```
pub fn parse(text: &str) -> Result<Program, SourceError> {
    read(text).map_err(|failure| *failure)
}

fn read(text: &str) -> Result<Program, Failure> {
    let mut parser = Parser {
        cursor: Cursor::new(text)?,
        names: Names::default(),
        bodies: Vec::new(),
        defs: BTreeMap::new(),
        promises: BTreeSet::new(),
        brace: None,
        uses: Vec::new(),
        scope: Scope::default(),
    };
    let main = parser.reserve_body();
    parser.program(main)?;
    parser.check_uses()?;
    Ok(Program { names: parser.names, bodies: parser.bodies, main })
}

/// The statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyword {
    Log,
    NextTick,
    Immediate,
    Timeout,
    Micro,
    Promise,
    Then,
    Resolve,
    Register,
    Io,
    ReadFile,
    Def,
    Call,
    Set,
    IfLog,
}

impl Keyword {
    const ALL: [Self; 15] = [
        Self::Log,
        Self::NextTick,
        Self::Immediate,
        Self::Timeout,
        Self::Micro,
        Self::Promise,
        Self::Then,
        Self::Resolve,
        Self::Register,
        Self::Io,
        Self::ReadFile,
        Self::Def,
        Self::Call,
        Self::Set,
        Self::IfLog,
    ];

    /// How it is written; the first word is the keyword itself.
    fn form(self) -> &'static str {
        match self {
            Self::Log => "log x",
            Self::NextTick => "nextTick f { … }",
            Self::Immediate => "immediate f { … }",
            Self::Timeout => "timeout MS f { … }",
            Self::Micro => "micro f { … }",
            Self::Promise => "promise p",
            Self::Then => "then p f { … } -> q",
            Self::Resolve => "resolve p",
            Self::Register => "register EVENT N -> p",
            Self::Io => "io NAME f { … }",
            Self::ReadFile => "readFile NAME f { … }",
            Self::Def => "def f { … }",
            Self::Call => "call f",
            Self::Set => "set FLAG",
            Self::IfLog => "iflog FLAG a b",
        }
    }

    fn text(self) -> &'static str {
        self.form().split(' ').next().expect("a form starts with its keyword")
    }

    fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|keyword| keyword.text() == word)
    }
}

/// What a name was used as.
#[derive(Clone, Copy, Debug)]
enum Use {
    Callback,
    Call,
    Promise,
}

/// A `def`, or the mention of one that must follow.
#[derive(Debug)]
struct Def {
    body: BodyId,
    is_defined: bool,
}

#[derive(Debug)]
struct Parser<'a> {
    cursor: Cursor<'a>,
    names: Names,
    bodies: Vec<Body>,
    /// Bodies are numbered when a `def` is first mentioned, so that uses may come before it.
    defs: BTreeMap<Symbol, Def>,
    promises: BTreeSet<Symbol>,
    /// The body of the statement just read, if it has one, what it sees, and its opening brace.
    brace: Option<(BodyId, Scope, Span)>,
    /// What must turn out to be defined or declared somewhere.
    uses: Vec<(Use, Symbol, Span)>,
    /// The parameters of the body that is being read.
    scope: Scope,
}

/// The parameters that can be seen, outer ones first, and those around a `def` that cannot.
#[derive(Clone, Debug, Default)]
struct Scope {
    seen: Vec<Symbol>,
    hidden: Vec<Symbol>,
}

/// A body being read, and what waits for its end.
#[derive(Debug)]
struct Level {
    id: BodyId,
    body: Body,
    /// The brace to close, and the statement it belongs to; none for the program itself.
    opened: Option<Opened>,
    scope: Scope,
}

/// An opening brace, where its statement starts, and the statement unless that is a `def`.
#[derive(Debug)]
struct Opened {
    brace: Span,
    start: usize,
    statement: Option<Statement>,
}

// Bodies and statements.
impl Parser<'_> {
    /// Reads the whole text as the body `main`.
    ///
    /// Levels are kept in a list instead of on the stack: a statement with all its errors is a
    /// large frame, and there may be a level of it for every brace.
    fn program(&mut self, main: BodyId) -> Result<(), Failure> {
        let scope = Scope::default();
        let mut level = Level { id: main, body: Body::default(), opened: None, scope };
        let mut outer: Vec<Level> = Vec::new();
        loop {
            self.skip_to_statement();
            let start = self.cursor.at();
            let (statement, start) = match (self.cursor.peek(), level.opened.take()) {
                (None, None) => {
                    self.bodies[level.id.0 as usize] = level.body;
                    return Ok(());
                }
                (None, Some(opened)) => {
                    let help = "close it with `}`";
                    return Err(error("unclosed `{`", opened.brace, "opened here", help));
                }
                (Some('}'), None) => {
                    self.cursor.bump();
                    return Err(error(
                        "`}` without `{`",
                        self.cursor.span_from(start),
                        "nothing to match this",
                        "remove it, or open a body before it",
                    ));
                }
                (Some('}'), Some(opened)) => {
                    self.cursor.bump();
                    self.bodies[level.id.0 as usize] = level.body;
                    level = outer.pop().expect("a body with a brace stands in another");
                    (opened.statement, opened.start)
                }
                (Some(_), opened) => {
                    level.opened = opened;
                    let statement = self.statement()?;
                    if let Some((id, scope, brace)) = self.brace.take() {
                        outer.push(level);
                        if outer.len() > MAX_NESTING as usize {
                            return Err(nested_too_deep(brace));
                        }
                        let opened = Some(Opened { brace, start, statement });
                        let body = std::mem::take(&mut self.bodies[id.0 as usize]);
                        self.scope = scope.clone();
                        level = Level { id, body, opened, scope };
                        continue;
                    }
                    (statement, start)
                }
            };
            if let Some(mut statement) = statement {
                // What is given on sees what the callback's body sees.
                if let Statement::Then { resolves, .. } = &mut statement {
                    *resolves = self.resolves(start)?;
                }
                level.body.statements.push(statement);
                level.body.spans.push(self.cursor.span_from(start));
            }
            self.scope = level.scope.clone();
            self.end_of_statement()?;
        }
    }

    /// Reads one statement, but of its body only the opening brace; a `def` leaves none.
    fn statement(&mut self) -> Result<Option<Statement>, Failure> {
        let start = self.cursor.at();
        if self.cursor.eat("{") {
            return Err(error(
                "a body that belongs to nothing",
                self.cursor.span_from(start),
                "opened here",
                "start it on the line of its statement: nextTick f { … }",
            ));
        }
        let word = self.take_word();
        let span = self.cursor.span_from(start);
        let Some(keyword) = Keyword::of(word) else {
            let known = Keyword::ALL.map(Keyword::text);
            let help = match nearest(word, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of {}", known.join(", ")),
            };
            let message = format!("unknown statement {}", quote(word));
            return Err(error(message, span, "not a statement", help));
        };
        let head = Head { keyword, span };
        Ok(Some(match keyword {
            Keyword::Log => Statement::Log(self.term(head)?),
            Keyword::NextTick => Statement::NextTick(self.callback(head)?),
            Keyword::Immediate => Statement::Immediate(self.callback(head)?),
            Keyword::Timeout => {
                Statement::Timeout { ms: self.delay(head)?, callback: self.callback(head)? }
            }
            Keyword::Micro => Statement::Micro(self.callback(head)?),
            Keyword::Promise => {
                let (name, _) = self.name(head)?;
                self.promises.insert(name);
                let priority = if self.more_follows() { self.priority(head)? } else { 0 };
                Statement::Promise { name, priority }
            }
            Keyword::Then => {
                let promise = self.promise(head)?;
                let callback = self.callback(head)?;
                Statement::Then { promise, callback, resolves: None }
            }
            Keyword::Resolve => {
                Statement::Resolve { promise: self.promise(head)?, value: self.value(head)? }
            }
            Keyword::Register => {
                let (event, _) = self.name(head)?;
                let priority = self.priority(head)?;
                self.skip_blanks();
                if !self.cursor.eat("->") {
                    return Err(self.missing(head, "`->` and the name of a promise"));
                }
                let (promise, _) = self.name(head)?;
                self.promises.insert(promise);
                Statement::Register { event, priority, promise }
            }
            Keyword::Io => {
                let (name, _) = self.name(head)?;
                Statement::Io { name, callback: self.callback(head)? }
            }
            Keyword::ReadFile => {
                let (name, _) = self.name(head)?;
                Statement::ReadFile { name, callback: self.callback(head)? }
            }
            Keyword::Def => {
                self.def(head)?;
                return Ok(None);
            }
            Keyword::Call => {
                let (name, span) = self.name(head)?;
                self.uses.push((Use::Call, name, span));
                Statement::Call { body: self.def_body(name), value: self.value(head)? }
            }
            Keyword::Set => Statement::Set(self.name(head)?.0),
            Keyword::IfLog => {
                let (flag, _) = self.name(head)?;
                Statement::IfLog { flag, yes: self.term(head)?, no: self.term(head)? }
            }
        }))
    }

    /// A statement ends with its line, with `;`, or with the body it stands in.
    fn end_of_statement(&mut self) -> Result<(), Failure> {
        self.skip_blanks();
        if self.at_end_of_statement() {
            return Ok(());
        }
        let start = self.cursor.at();
        let left_over = self.take_word();
        let left_over = if left_over.is_empty() { "{" } else { left_over };
        Err(error(
            format!("{} is left over", quote(left_over)),
            Span::new(start, start + left_over.len()),
            "the statement is already complete",
            "end a statement with `;` or a new line; put a string with spaces in double quotes",
        ))
    }

    fn def(&mut self, head: Head) -> Result<(), Failure> {
        let (name, span) = self.name(head)?;
        let body = self.def_body(name);
        let def = self.defs.get_mut(&name).expect("a def is entered when it is mentioned");
        if def.is_defined {
            return Err(error(
                format!("{} is defined twice", quote(self.names.text(name))),
                span,
                "defined again",
                "rename one of them: a `def` is known in the whole program",
            ));
        }
        def.is_defined = true;
        let param = self.param(head)?;
        if !self.comes_next("{") {
            return Err(error(
                format!("{} has no body", quote(self.names.text(name))),
                span,
                "expected `{` after this",
                format!("write {}", head.keyword.form()),
            ));
        }
        // A `def` is known everywhere, so it sees no parameter of where it stands.
        let Scope { seen, mut hidden } = self.scope.clone();
        hidden.extend(seen);
        self.open(body, param, Scope { seen: Vec::new(), hidden });
        Ok(())
    }

    /// Reads `f {`, `f(x) {`, or the name of a `def`.
    fn callback(&mut self, head: Head) -> Result<Callback, Failure> {
        let (name, span) = self.name(head)?;
        let param = self.param(head)?;
        let body = if self.comes_next("{") {
            let body = self.reserve_body();
            self.open(body, param, self.scope.clone());
            body
        } else if let Some((_, span)) = param {
            return Err(error(
                "a parameter without a body",
                span,
                "named here",
                "give it a body: f(x) { … }; a `def` names its parameter itself: def f(x) { … }",
            ));
        } else {
            self.uses.push((Use::Callback, name, span));
            self.def_body(name)
        };
        Ok(Callback { name, body })
    }

    /// Takes an opening brace and leaves the body to the caller of `statement`.
    fn open(&mut self, id: BodyId, param: Option<(Symbol, Span)>, mut scope: Scope) {
        let start = self.cursor.at();
        self.cursor.bump();
        let body = &mut self.bodies[id.0 as usize];
        body.outer = scope.seen.len() as u32;
        body.param = param.map(|(name, _)| name);
        scope.seen.extend(body.param);
        self.brace = Some((id, scope, self.cursor.span_from(start)));
    }

    /// Reads `(x)`, if it is there, right behind a name.
    fn param(&mut self, head: Head) -> Result<Option<(Symbol, Span)>, Failure> {
        if !self.cursor.eat("(") {
            return Ok(None);
        }
        let named = self.name(head)?;
        self.skip_blanks();
        if !self.cursor.eat(")") {
            return Err(self.missing(head, "`)` after one parameter"));
        }
        Ok(Some(named))
    }

    /// Reads `-> q`, if it is there, behind the `then` at `start`.
    fn resolves(&mut self, start: usize) -> Result<Option<Resolution>, Failure> {
        if !self.comes_next("->") {
            return Ok(None);
        }
        self.cursor.eat("->");
        let keyword = Keyword::Then;
        let span = Span::new(start, start + keyword.text().len());
        let head = Head { keyword, span };
        let (promise, _) = self.name(head)?;
        self.promises.insert(promise);
        Ok(Some(Resolution { promise, value: self.value(head)? }))
    }

    fn reserve_body(&mut self) -> BodyId {
        let number = u32::try_from(self.bodies.len());
        self.bodies.push(Body::default());
        BodyId(number.expect("a program of at most 1 MiB has fewer than 2^32 bodies"))
    }

    /// The body of the `def` of that name, wherever it stands.
    fn def_body(&mut self, name: Symbol) -> BodyId {
        if let Some(def) = self.defs.get(&name) {
            return def.body;
        }
        let body = self.reserve_body();
        self.defs.insert(name, Def { body, is_defined: false });
        body
    }

    /// Everything used must be defined or declared, before or after its use.
    fn check_uses(&self) -> Result<(), Failure> {
        let is_def = |name: &Symbol| self.defs.get(name).is_some_and(|def| def.is_defined);
        let unknown = self.uses.iter().find(|(kind, name, _)| match kind {
            Use::Callback | Use::Call => !is_def(name),
            Use::Promise => !self.promises.contains(name),
        });
        let Some(&(kind, name, span)) = unknown else {
            return Ok(());
        };
        let text: &str = self.names.text(name);
        let names = |symbol: &Symbol| -> &str { self.names.text(*symbol) };
        let near = match kind {
            Use::Callback | Use::Call => {
                nearest(text, self.defs.keys().filter(|name| is_def(name)).map(names))
            }
            Use::Promise => nearest(text, self.promises.iter().map(names)),
        };
        let quoted = quote(text);
        let (message, label, help) = match kind {
            Use::Callback => (
                format!("{quoted} is not defined"),
                "neither a body nor a `def` of this name",
                "give it a body in braces, or a `def`",
            ),
            Use::Call => (
                format!("{quoted} is not defined"),
                "no `def` of this name",
                "define it anywhere in the program: def f { … }",
            ),
            Use::Promise => (
                format!("unknown promise {quoted}"),
                "not declared anywhere in this program",
                "declare it before its first use: promise p",
            ),
        };
        let help = match near {
            Some(near) => format!("did you mean {}?", quote(near)),
            None => help.to_owned(),
        };
        Err(error(message, span, label, help))
    }
}

/// The keyword a statement starts with, and its place.
#[derive(Clone, Copy, Debug)]
struct Head {
    keyword: Keyword,
    span: Span,
}

// Words.
impl<'a> Parser<'a> {
    /// Reads a name: letters, digits and `_ - . / '`, as far as no comment and no arrow starts.
    fn name(&mut self, head: Head) -> Result<(Symbol, Span), Failure> {
        self.skip_blanks();
        let start = self.cursor.at();
        let name = self.cursor.take_while(|cursor, next| {
            (next.is_alphanumeric() || matches!(next, '_' | '-' | '.' | '/' | '\''))
                && !cursor.looking_at("//")
                && !cursor.looking_at("->")
        });
        if name.is_empty() {
            return Err(self.missing(head, "a name"));
        }
        Ok((self.names.intern(name), self.cursor.span_from(start)))
    }

    /// Reads the name of a promise that must be declared somewhere.
    fn promise(&mut self, head: Head) -> Result<Symbol, Failure> {
        let (name, span) = self.name(head)?;
        self.uses.push((Use::Promise, name, span));
        Ok(name)
    }

    /// Reads a word: the name of a parameter, or anything without spaces, or a string in double quotes.
    fn term(&mut self, head: Head) -> Result<Term, Failure> {
        self.skip_blanks();
        if self.cursor.peek() == Some('"') {
            return Ok(Term::Text(self.string()?));
        }
        let start = self.cursor.at();
        let word = self.take_word();
        if word.is_empty() {
            return Err(self.missing(head, "a word"));
        }
        let name = self.names.intern(word);
        let Scope { seen, hidden } = &self.scope;
        if let Some(at) = seen.iter().rposition(|&param| param == name) {
            return Ok(Term::Param(at as u32));
        }
        if hidden.contains(&name) {
            return Err(error(
                format!("a `def` does not see the parameter {}", quote(word)),
                self.cursor.span_from(start),
                "a parameter of a body around the `def`",
                "give the `def` a parameter of its own; to mean the string, put it in double quotes",
            ));
        }
        Ok(Term::Text(name))
    }

    /// Reads a value, if the statement goes on.
    fn value(&mut self, head: Head) -> Result<Option<Term>, Failure> {
        if self.more_follows() { self.term(head).map(Some) } else { Ok(None) }
    }

    /// Reads the priority of a promise.
    fn priority(&mut self, head: Head) -> Result<u8, Failure> {
        self.skip_blanks();
        let start = self.cursor.at();
        let word = self.take_word();
        match word {
            "0" | "1" | "2" | "3" => Ok(word.as_bytes()[0] - b'0'),
            "" => Err(self.missing(head, "a priority")),
            _ => Err(error(
                format!("{} is not a priority", quote(word)),
                self.cursor.span_from(start),
                "a priority is expected here",
                "use 0 (as promises), 1 (immediates), 2 (timers) or 3 (I/O)",
            )),
        }
    }

    /// Whether the statement goes on behind spaces; else stays, so that spans end with words.
    fn more_follows(&mut self) -> bool {
        let here = self.cursor.clone();
        self.skip_blanks();
        let more = !self.at_end_of_statement();
        self.cursor = here;
        more
    }

    /// Reads a string; `\"` and `\\` stand for the character after the backslash.
    fn string(&mut self) -> Result<Symbol, Failure> {
        let start = self.cursor.at();
        self.cursor.bump();
        let quote_mark = self.cursor.span_from(start);
        let mut text = String::new();
        loop {
            text.push_str(self.cursor.take_while(|_, next| !matches!(next, '"' | '\\' | '\n')));
            match self.cursor.peek() {
                Some('"') => {
                    self.cursor.bump();
                    return Ok(self.names.intern(&text));
                }
                Some('\\') => {
                    self.cursor.bump();
                    if let Some(escaped @ ('"' | '\\')) = self.cursor.peek() {
                        self.cursor.bump();
                        text.push(escaped);
                    } else {
                        text.push('\\');
                    }
                }
                _ => {
                    return Err(error(
                        "unclosed string",
                        quote_mark,
                        "opened here",
                        "close it with `\"` on the same line",
                    ));
                }
            }
        }
    }

    /// Reads a delay in milliseconds.
    fn delay(&mut self, head: Head) -> Result<u64, Failure> {
        self.skip_blanks();
        let start = self.cursor.at();
        let word = self.take_word();
        let span = self.cursor.span_from(start);
        if word.is_empty() {
            return Err(self.missing(head, "a delay"));
        }
        if !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(error(
                format!("{} is not a whole number of milliseconds", quote(word)),
                span,
                "a delay is expected here",
                format!("write {}, such as timeout 5 f {{ log late }}", head.keyword.form()),
            ));
        }
        match word.parse() {
            Ok(delay_ms) if delay_ms <= MAX_DELAY_MS => Ok(delay_ms),
            _ => Err(error(
                "delay too long",
                span,
                format!("more than {MAX_DELAY_MS} milliseconds"),
                "use a shorter delay",
            )),
        }
    }

    /// Takes a run of characters that no space, `;`, brace or comment interrupts.
    fn take_word(&mut self) -> &'a str {
        self.cursor.take_while(|cursor, next| {
            !next.is_whitespace()
                && !matches!(next, ';' | '{' | '}' | '#')
                && !cursor.looking_at("//")
        })
    }

    /// The error for something that a statement lacks.
    fn missing(&mut self, head: Head, what: &str) -> Failure {
        let start = self.cursor.at();
        let found = self.take_word();
        let message = format!("`{}` needs {what}", head.keyword.text());
        let help = format!("write {}", head.keyword.form());
        if found.is_empty() {
            error(message, head.span, format!("expected {what} after this"), help)
        } else {
            error(message, self.cursor.span_from(start), format!("not {what}"), help)
        }
    }

    fn at_end_of_statement(&self) -> bool {
        matches!(self.cursor.peek(), None | Some('\n' | ';' | '}'))
    }

    /// Skips to `pattern` if only spaces are before it; else stays, so that spans end with words.
    fn comes_next(&mut self, pattern: &str) -> bool {
        let here = self.cursor.clone();
        self.skip_blanks();
        let found = self.cursor.looking_at(pattern);
        if !found {
            self.cursor = here;
        }
        found
    }

    /// Skips spaces and a comment, but not the end of the line.
    fn skip_blanks(&mut self) {
        self.cursor.take_while(|_, next| next.is_whitespace() && next != '\n');
        if self.cursor.looking_at("#") || self.cursor.looking_at("//") {
            self.cursor.take_while(|_, next| next != '\n');
        }
    }

    /// Skips everything between two statements.
    fn skip_to_statement(&mut self) {
        loop {
            self.skip_blanks();
            if !matches!(self.cursor.peek(), Some('\n' | ';')) {
                return;
            }
            self.cursor.bump();
        }
    }
}
