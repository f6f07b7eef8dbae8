//! From the text of a spec to its expression.
//!
//! ```text
//! spec     = [choice] ["$"] | [choice] often {often}
//! often    = "infinitely" "often" (name | quoted | number | "." | "(" choice ")")
//! choice   = sequence {"|" sequence}
//! sequence = repeat {repeat}
//! repeat   = atom {"*" | "+" | "?"}
//! atom     = name | "^" name | quoted | number | "." | "(" [choice] ")"
//! ```

use crate::token::{Kind, Token, Tokens};
use hemiola_trace::Observation;
use hemiola_trace::source::{SourceError, Span};

/// The longest spec in bytes; every later limit and cost is relative to this one.
const LONGEST: usize = 64 * 1024;

/// How deep parentheses may nest. It bounds the recursion here, in the construction of the
/// automaton and in dropping the expression.
const DEEPEST: usize = 200;

/// How many different names a spec may bind, so that a set of them is one machine word.
const MOST_BOUND: usize = u64::BITS as usize;

/// Observations of which some are to be shown again and again, without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Often {
    /// One of these; without any, whatever it is.
    pub(crate) one_of: Vec<Observation>,
}

impl Often {
    /// Whether an observation is one of them.
    pub fn matches(&self, observation: &Observation) -> bool {
        self.one_of.is_empty() || self.one_of.contains(observation)
    }
}

/// A parsed spec.
pub(crate) struct Parsed<'t> {
    pub(crate) expr: Expr<'t>,
    /// The names that occur under `^`, each once, in order of first occurrence.
    pub(crate) bound: Vec<&'t str>,
    /// Does it end with `$`?
    pub(crate) complete: bool,
    /// What is to be shown again and again.
    pub(crate) often: Vec<Often>,
}

/// A regular expression over observations.
///
/// There is no expression for the empty language, so from every point inside one its end can be
/// reached. Repetitions are never nested directly in one another, however many are stacked.
pub(crate) enum Expr<'t> {
    Empty,
    Any,
    Literal(Observation),
    Name(&'t str),
    Bind(&'t str),
    Sequence(Vec<Expr<'t>>),
    Choice(Vec<Expr<'t>>),
    /// `?` is optional, `+` is repeated, `*` is both.
    Repeat {
        inner: Box<Expr<'t>>,
        optional: bool,
        repeated: bool,
    },
}

/// Reads a whole spec.
pub(crate) fn parse(text: &str) -> Result<Parsed<'_>, SourceError> {
    if text.len() > LONGEST {
        return Err(SourceError {
            message: format!("a spec may be {LONGEST} bytes long at most"),
            span: Span::new(text.floor_char_boundary(LONGEST), text.len()),
            label: "too long from here on".into(),
            help: "hold the run to several smaller specs".into(),
        });
    }
    let mut tokens = Tokens::new(text);
    let next = tokens.next();
    let mut parser = Parser { tokens, next, depth: 0, bound: Vec::new() };
    let expr = match parser.next.kind {
        Kind::End | Kind::Dollar | Kind::Close => Expr::Empty,
        // Without anything before it, everything may be shown in between.
        _ if parser.at_often() => repeat(Expr::Any, true, true),
        _ => parser.choice()?,
    };
    let mut often = Vec::new();
    while parser.at_often() {
        often.push(parser.often()?);
    }
    let last = parser.take();
    match last.kind {
        Kind::Close => Err(SourceError {
            message: "unbalanced `)`".into(),
            span: last.span,
            label: "this closes nothing".into(),
            help: "remove it, or open a parenthesis with `(` before it".into(),
        }),
        Kind::Dollar if parser.next.kind != Kind::End => Err(SourceError {
            message: "`$` in the middle of a spec".into(),
            span: last.span,
            label: "the spec goes on after this".into(),
            help: "move it to the very end; to mean the string, write `\"$\"`".into(),
        }),
        Kind::Dollar if !often.is_empty() => Err(SourceError {
            message: "`$` after `infinitely often`".into(),
            span: last.span,
            label: "a run that ends shows nothing infinitely often".into(),
            help: "remove it; to mean the string, write `\"$\"`".into(),
        }),
        Kind::Dollar | Kind::End => {
            Ok(Parsed { expr, bound: parser.bound, complete: last.kind == Kind::Dollar, often })
        }
        Kind::Bad(error) => Err(*error),
        _ => Err(SourceError {
            message: "the spec goes on after `infinitely often`".into(),
            span: last.span,
            label: "neither another `infinitely often` nor the end".into(),
            help: "put what is shown before it; for a choice write `infinitely often (a | b)`"
                .into(),
        }),
    }
}

struct Parser<'t> {
    tokens: Tokens<'t>,
    /// One token of lookahead.
    next: Token<'t>,
    /// How many parentheses are open.
    depth: usize,
    bound: Vec<&'t str>,
}

impl<'t> Parser<'t> {
    /// Reads `e | f | g`. The next token is none that ends a choice.
    fn choice(&mut self) -> Result<Expr<'t>, SourceError> {
        if self.next.kind == Kind::Bar {
            return Err(half_choice("before", self.next.span));
        }
        let mut choices = vec![self.sequence()?];
        while self.next.kind == Kind::Bar {
            let bar = self.take();
            if self.at_end_of_sequence() {
                return Err(half_choice("after", bar.span));
            }
            choices.push(self.sequence()?);
        }
        Ok(one_or(Expr::Choice, choices))
    }

    /// Reads `e f g`. The next token is none that ends a sequence.
    fn sequence(&mut self) -> Result<Expr<'t>, SourceError> {
        let mut items = Vec::new();
        while !self.at_end_of_sequence() {
            items.push(self.repeat()?);
        }
        Ok(one_or(Expr::Sequence, items))
    }

    fn at_end_of_sequence(&self) -> bool {
        matches!(self.next.kind, Kind::Bar | Kind::Close | Kind::Dollar | Kind::End)
            || self.at_often() && self.depth == 0
    }

    /// Whether `infinitely often` comes next.
    fn at_often(&self) -> bool {
        self.next.kind == Kind::Name("infinitely")
            && self.tokens.clone().next().kind == Kind::Name("often")
    }

    /// Reads `infinitely often a`, or `infinitely often (a | b)`.
    fn often(&mut self) -> Result<Often, SourceError> {
        self.take();
        let often = self.take();
        let wrong = |span: Span, label: &str| {
            SourceError {
            message: "expected observations after `infinitely often`".into(),
            span,
            label: label.into(),
            help: "write `infinitely often a`, or `infinitely often (a | b)`; bound names cannot stand there"
                .into(),
        }
        };
        if self.at_end_of_sequence() {
            return Err(wrong(often.span, "nothing follows this"));
        }
        let span = self.next.span;
        let choices = match self.atom()? {
            Expr::Choice(choices) => choices,
            one => vec![one],
        };
        let mut one_of = Vec::new();
        for choice in &choices {
            match choice {
                Expr::Name(name) if !self.bound.contains(name) => one_of.push((*name).into()),
                Expr::Literal(observation) => one_of.push(observation.clone()),
                Expr::Any => return Ok(Often { one_of: Vec::new() }),
                _ => return Err(wrong(span, "not one observation, nor a choice of some")),
            }
        }
        Ok(Often { one_of })
    }

    fn repeat(&mut self) -> Result<Expr<'t>, SourceError> {
        let mut expr = self.atom()?;
        loop {
            expr = match self.next.kind {
                Kind::Star => repeat(expr, true, true),
                Kind::Plus => repeat(expr, false, true),
                Kind::Question => repeat(expr, true, false),
                _ => return Ok(expr),
            };
            self.take();
        }
    }

    /// Reads an atom. The next token is none that ends a sequence.
    fn atom(&mut self) -> Result<Expr<'t>, SourceError> {
        let token = self.take();
        match token.kind {
            Kind::Name(name) => Ok(Expr::Name(name)),
            Kind::Bind(name) => self.bind(name, token.span),
            Kind::Quoted(name) => Ok(Expr::Literal(Observation::name(name))),
            Kind::Number(number) => Ok(Expr::Literal(number.into())),
            Kind::Dot => Ok(Expr::Any),
            Kind::Open => self.group(token.span),
            Kind::Star => Err(dangling('*', token.span)),
            Kind::Plus => Err(dangling('+', token.span)),
            Kind::Question => Err(dangling('?', token.span)),
            Kind::Bad(error) => Err(*error),
            Kind::Bar | Kind::Close | Kind::Dollar | Kind::End => {
                unreachable!("a sequence ends before {:?}", token.kind)
            }
        }
    }

    fn bind(&mut self, name: &'t str, span: Span) -> Result<Expr<'t>, SourceError> {
        if !self.bound.contains(&name) {
            if self.bound.len() == MOST_BOUND {
                return Err(SourceError {
                    message: format!("a spec may bind {MOST_BOUND} different names at most"),
                    span,
                    label: "this is one more".into(),
                    help: "bind a name again where its old value is not needed any more".into(),
                });
            }
            self.bound.push(name);
        }
        Ok(Expr::Bind(name))
    }

    /// Reads what follows an opening parenthesis, up to and including the closing one.
    fn group(&mut self, open: Span) -> Result<Expr<'t>, SourceError> {
        if self.depth == DEEPEST {
            return Err(SourceError {
                message: format!("parentheses nest deeper than {DEEPEST} levels"),
                span: open,
                label: "this is one level more".into(),
                help: "remove parentheses that change nothing, such as those in `((a))*`".into(),
            });
        }
        self.depth += 1;
        let expr = match self.next.kind {
            Kind::Close | Kind::Dollar | Kind::End => Expr::Empty,
            _ => self.choice()?,
        };
        self.depth -= 1;
        match self.next.kind {
            Kind::Close => {
                self.take();
                Ok(expr)
            }
            Kind::Dollar => Err(SourceError {
                message: "`$` inside parentheses".into(),
                span: self.next.span,
                label: "a parenthesis is still open here".into(),
                help: "move it to the very end; to mean the string, write `\"$\"`".into(),
            }),
            _ => Err(SourceError {
                message: "unbalanced `(`".into(),
                span: open,
                label: "this is never closed".into(),
                help: "add a `)` where the group ends".into(),
            }),
        }
    }

    fn take(&mut self) -> Token<'t> {
        let next = self.tokens.next();
        std::mem::replace(&mut self.next, next)
    }
}

/// Repeats `expr`, which may be a repetition already: `(e?)+`, `(e+)?` and `e*` are the same.
fn repeat(expr: Expr<'_>, optional: bool, repeated: bool) -> Expr<'_> {
    match expr {
        Expr::Repeat { inner, optional: o, repeated: r } => {
            Expr::Repeat { inner, optional: optional || o, repeated: repeated || r }
        }
        inner => Expr::Repeat { inner: Box::new(inner), optional, repeated },
    }
}

fn one_or<'t>(many: fn(Vec<Expr<'t>>) -> Expr<'t>, mut exprs: Vec<Expr<'t>>) -> Expr<'t> {
    match exprs.pop() {
        Some(only) if exprs.is_empty() => only,
        last => {
            exprs.extend(last);
            many(exprs)
        }
    }
}

fn half_choice(side: &str, bar: Span) -> SourceError {
    SourceError {
        message: format!("expected an expression {side} `|`"),
        span: bar,
        label: format!("nothing stands {side} this"),
        help: "for \"or nothing\" write `(...)?`, or `()` on the empty side".into(),
    }
}

fn dangling(sign: char, span: Span) -> SourceError {
    SourceError {
        message: format!("expected an expression before `{sign}`"),
        span,
        label: "there is nothing to repeat".into(),
        help: format!(
            "put an expression before it, as in `a{sign}`; to mean the string, write `\"{sign}\"`"
        ),
    }
}
