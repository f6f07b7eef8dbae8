//! The grammar of theories: parameters, definitions, axioms.

use super::token::{Kind, Token, tokens};
use hemiola_trace::source::{SourceError, Span};

/// Longer texts are no theories.
const LONGEST: usize = 256 << 10;
/// How deep formulas may nest.
const DEEPEST: usize = 100;

/// Whose duty an axiom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The world that the scheduler runs in, or whoever wrote the trace down.
    Environment,
    /// The scheduler.
    Scheduler,
}

/// What can be quantified over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Var {
    /// `x`, a task.
    Task,
    /// `c`, a call of initialize().
    Call,
}

/// A theory as it is written.
#[derive(Debug, Default)]
pub(super) struct Parsed<'t> {
    pub(super) params: Vec<(&'t str, Span, u64)>,
    pub(super) lets: Vec<Let<'t>>,
    pub(super) axioms: Vec<Axiom<'t>>,
}

#[derive(Debug)]
pub(super) struct Let<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
    pub(super) params: Vec<&'t str>,
    pub(super) body: Formula<'t>,
}

#[derive(Debug)]
pub(super) struct Axiom<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
    pub(super) title: &'t str,
    pub(super) owner: Owner,
    pub(super) clauses: Vec<Clause<'t>>,
}

#[derive(Debug)]
pub(super) struct Clause<'t> {
    pub(super) each: Option<Var>,
    pub(super) span: Span,
    pub(super) body: Body<'t>,
}

#[derive(Debug)]
pub(super) enum Body<'t> {
    Always(Formula<'t>),
    Recurs {
        often: Formula<'t>,
        never: Option<Formula<'t>>,
    },
    /// What `void` is about ends what was awaited before, and not what is awaited from there on.
    Eventually {
        from: Formula<'t>,
        goal: Formula<'t>,
        within: Option<Size>,
        void: Option<Formula<'t>>,
    },
    /// `weak` is `unless`.
    Until {
        from: Formula<'t>,
        keep: Formula<'t>,
        goal: Formula<'t>,
        weak: bool,
    },
}

/// What a budget is computed from, besides the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// The list in force.
    List,
    /// The list of the call.
    Call,
}

/// A formula, and where it stands.
#[derive(Debug)]
pub(super) struct Formula<'t> {
    pub(super) kind: Tree<'t>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum Tree<'t> {
    Const(bool),
    Not(Box<Formula<'t>>),
    And(Box<Formula<'t>>, Box<Formula<'t>>),
    Or(Box<Formula<'t>>, Box<Formula<'t>>),
    Previous(Box<Formula<'t>>),
    Since(Box<Formula<'t>>, Box<Formula<'t>>),
    Some(Var, Box<Formula<'t>>),
    /// For as many as the list in force lets run at once.
    Full(Var, Box<Formula<'t>>),
    /// A name with its arguments.
    Name(&'t str, Vec<Arg<'t>>),
}

#[derive(Debug)]
pub(super) enum Arg<'t> {
    Var { var: Var, near: bool, span: Span },
    Formula(Formula<'t>),
}

/// Words that are no names.
const RESERVED: [&str; 29] = [
    "param",
    "let",
    "axiom",
    "of",
    "each",
    "some",
    "full",
    "always",
    "never",
    "infinitely",
    "often",
    "after",
    "eventually",
    "within",
    "lin",
    "until",
    "unless",
    "not",
    "and",
    "or",
    "previous",
    "since",
    "once",
    "historically",
    "true",
    "false",
    "list",
    "voided",
    "by",
];

pub(super) fn parse(text: &str) -> Result<Parsed<'_>, SourceError> {
    if text.len() > LONGEST {
        return Err(SourceError {
            message: format!("a theory may be {LONGEST} bytes long at most"),
            span: Span::new(text.floor_char_boundary(LONGEST), text.len()),
            label: "too long from here on".into(),
            help: "check that this is the file you mean".into(),
        });
    }
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let mut parsed = Parsed::default();
    loop {
        let token = parser.next();
        match token.kind {
            Kind::End => return Ok(parsed),
            Kind::Word("param") => parsed.params.push(parser.param()?),
            Kind::Word("let") => parsed.lets.push(parser.definition()?),
            Kind::Word("axiom") => parsed.axioms.push(parser.axiom()?),
            _ => {
                return Err(SourceError {
                    message: "expected `param`, `let` or `axiom`".into(),
                    span: token.span,
                    label: "the formula before ends here".into(),
                    help: "join formulas by `and`, `or`, `since` or `->`, or begin a definition"
                        .into(),
                });
            }
        }
    }
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.tokens[self.at];
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Where the last token ended.
    fn end(&self) -> u32 {
        self.tokens[self.at.saturating_sub(1)].span.end
    }

    fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.end().max(start.start) }
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek().kind == Kind::Word(word)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    fn take_sign(&mut self, sign: &'static str) -> bool {
        let found = self.peek().kind == Kind::Sign(sign);
        if found {
            self.next();
        }
        found
    }

    fn expect_sign(&mut self, sign: &'static str, help: &str) -> Result<(), SourceError> {
        if self.take_sign(sign) {
            return Ok(());
        }
        Err(expected(&format!("`{sign}`"), self.peek().span, help))
    }

    fn expect_word(&mut self, word: &str, help: &str) -> Result<(), SourceError> {
        if self.take_word(word) {
            return Ok(());
        }
        Err(expected(&format!("`{word}`"), self.peek().span, help))
    }

    fn name(&mut self, what: &str) -> Result<(&'t str, Span), SourceError> {
        let token = self.next();
        match token.kind {
            Kind::Word(word) if !RESERVED.contains(&word) => Ok((word, token.span)),
            _ => Err(expected(
                what,
                token.span,
                "a name is letters, digits and `_`, and no word of the language",
            )),
        }
    }

    fn param(&mut self) -> Result<(&'t str, Span, u64), SourceError> {
        const HELP: &str = "write `param b = 100`; there are a, b and tlag";
        let (name, span) = self.name("the name of a parameter")?;
        self.expect_sign("=", HELP)?;
        let token = self.next();
        match token.kind {
            Kind::Number(number) => Ok((name, span, number)),
            _ => Err(expected("an integer", token.span, HELP)),
        }
    }

    fn definition(&mut self) -> Result<Let<'t>, SourceError> {
        const HELP: &str = "write `let NAME = FORMULA` or `let NAME(x, P) = FORMULA`";
        let (name, span) = self.name("the name of a definition")?;
        let mut params = Vec::new();
        if self.take_sign("(") {
            loop {
                params.push(self.name("a parameter")?.0);
                if !self.take_sign(",") {
                    break;
                }
            }
            self.expect_sign(")", HELP)?;
        }
        self.expect_sign("=", HELP)?;
        Ok(Let { name, span, params, body: self.formula()? })
    }

    fn axiom(&mut self) -> Result<Axiom<'t>, SourceError> {
        const HELP: &str = "write `axiom NAME \"title\" of environment: ...`, or `of scheduler`";
        let (name, span) = self.name("the name of an axiom")?;
        let title = match self.peek().kind {
            Kind::Text(title) => {
                self.next();
                title
            }
            _ => "",
        };
        self.expect_word("of", HELP)?;
        let owner = self.next();
        let owner = match owner.kind {
            Kind::Word("environment") => Owner::Environment,
            Kind::Word("scheduler") => Owner::Scheduler,
            _ => return Err(expected("`environment` or `scheduler`", owner.span, HELP)),
        };
        self.expect_sign(":", HELP)?;
        let mut clauses = vec![self.clause()?];
        while self.take_sign(";") {
            clauses.push(self.clause()?);
        }
        Ok(Axiom { name, span, title, owner, clauses })
    }

    fn clause(&mut self) -> Result<Clause<'t>, SourceError> {
        let start = self.peek().span;
        let each = if self.take_word("each") {
            let var = self.variable()?;
            self.expect_sign(":", "write `each x: ...` or `each c: ...`")?;
            Some(var)
        } else {
            None
        };
        let body = self.body()?;
        Ok(Clause { each, span: self.since(start), body })
    }

    fn body(&mut self) -> Result<Body<'t>, SourceError> {
        if self.take_word("always") {
            return Ok(Body::Always(self.formula()?));
        }
        if self.take_word("infinitely") {
            self.expect_word("often", "write `infinitely often P`, perhaps with `or never Q`")?;
            // The formula must not take the `or` of `or never`.
            let often = self.conjunction()?;
            let never = if self.take_word("or") {
                self.expect_word(
                    "never",
                    "only `or never Q` can follow; put parentheses around `P or Q`",
                )?;
                Some(self.conjunction()?)
            } else {
                None
            };
            return Ok(Body::Recurs { often, never });
        }
        const HELP: &str = "a clause is `always P`, `infinitely often P`, `after P, eventually Q [within lin(list)] [voided by R]`, \
            `after P, Q until R` or `after P, Q unless R`";
        self.expect_word("after", HELP)?;
        let from = self.formula()?;
        self.expect_sign(",", HELP)?;
        if self.take_word("eventually") {
            let goal = self.formula()?;
            let within = if self.take_word("within") { Some(self.size()?) } else { None };
            let void = if self.take_word("voided") {
                self.expect_word("by", HELP)?;
                Some(self.formula()?)
            } else {
                None
            };
            return Ok(Body::Eventually { from, goal, within, void });
        }
        let keep = self.formula()?;
        let weak = if self.take_word("until") {
            false
        } else {
            self.expect_word("unless", HELP)?;
            true
        };
        Ok(Body::Until { from, keep, goal: self.formula()?, weak })
    }

    fn size(&mut self) -> Result<Size, SourceError> {
        const HELP: &str = "write `within lin(list)`, for the list in force, or `within lin(c)`, for that of the call";
        self.expect_word("lin", HELP)?;
        self.expect_sign("(", HELP)?;
        let size = if self.take_word("list") {
            Size::List
        } else {
            self.expect_word("c", HELP)?;
            Size::Call
        };
        self.expect_sign(")", HELP)?;
        Ok(size)
    }

    fn variable(&mut self) -> Result<Var, SourceError> {
        let token = self.next();
        match token.kind {
            Kind::Word("x") => Ok(Var::Task),
            Kind::Word("c") => Ok(Var::Call),
            _ => Err(expected(
                "`x` or `c`",
                token.span,
                "x stands for tasks, c for calls of initialize()",
            )),
        }
    }

    /// Reads `P -> Q`, which is the weakest.
    fn formula(&mut self) -> Result<Formula<'t>, SourceError> {
        let start = self.peek().span;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(SourceError {
                message: format!("formulas nest deeper than {DEEPEST} levels"),
                span: start,
                label: "this is one level more".into(),
                help: "name a part of it by `let`".into(),
            });
        }
        let mut formula = self.disjunction()?;
        if self.take_sign("->") {
            let then = self.formula()?;
            let not = Formula { span: formula.span, kind: Tree::Not(Box::new(formula)) };
            formula =
                Formula { kind: Tree::Or(Box::new(not), Box::new(then)), span: self.since(start) };
        }
        self.depth -= 1;
        Ok(formula)
    }

    fn disjunction(&mut self) -> Result<Formula<'t>, SourceError> {
        let mut formula = self.conjunction()?;
        while self.take_word("or") {
            let right = self.conjunction()?;
            let span = formula.span.to(right.span);
            formula = Formula { kind: Tree::Or(Box::new(formula), Box::new(right)), span };
        }
        Ok(formula)
    }

    fn conjunction(&mut self) -> Result<Formula<'t>, SourceError> {
        let mut formula = self.since_formula()?;
        while self.take_word("and") {
            let right = self.since_formula()?;
            let span = formula.span.to(right.span);
            formula = Formula { kind: Tree::And(Box::new(formula), Box::new(right)), span };
        }
        Ok(formula)
    }

    fn since_formula(&mut self) -> Result<Formula<'t>, SourceError> {
        let left = self.unary()?;
        if !self.take_word("since") {
            return Ok(left);
        }
        let right = self.unary()?;
        if self.is_word("since") {
            return Err(SourceError {
                message: "two `since` in a row".into(),
                span: self.peek().span,
                label: "which one is first?".into(),
                help: "put parentheses around one of them".into(),
            });
        }
        let span = left.span.to(right.span);
        Ok(Formula { kind: Tree::Since(Box::new(left), Box::new(right)), span })
    }

    fn unary(&mut self) -> Result<Formula<'t>, SourceError> {
        let token = self.peek();
        let Kind::Word(word @ ("not" | "previous" | "once" | "historically" | "some" | "full")) =
            token.kind
        else {
            return self.primary();
        };
        self.next();
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(SourceError {
                message: format!("formulas nest deeper than {DEEPEST} levels"),
                span: token.span,
                label: "this is one level more".into(),
                help: "name a part of it by `let`".into(),
            });
        }
        let kind = if word == "some" {
            let var = self.variable()?;
            self.expect_sign(":", "write `some x: P(x)` or `some c: P(c)`")?;
            Tree::Some(var, Box::new(self.formula()?))
        } else if word == "full" {
            let var = self.variable()?;
            self.expect_sign(":", "write `full x: P(x)`")?;
            Tree::Full(var, Box::new(self.formula()?))
        } else {
            let inner = self.unary()?;
            let span = inner.span;
            let boxed = |kind| Box::new(Formula { kind, span });
            match word {
                "not" => Tree::Not(Box::new(inner)),
                "previous" => Tree::Previous(Box::new(inner)),
                "once" => Tree::Since(boxed(Tree::Const(true)), Box::new(inner)),
                // Never the contrary.
                _ => {
                    let contrary = boxed(Tree::Not(Box::new(inner)));
                    Tree::Not(boxed(Tree::Since(boxed(Tree::Const(true)), contrary)))
                }
            }
        };
        self.depth -= 1;
        Ok(Formula { kind, span: self.since(token.span) })
    }

    fn primary(&mut self) -> Result<Formula<'t>, SourceError> {
        const HELP: &str = "a formula is a name, perhaps with arguments, or `not`, `previous`, `once`, \
            `historically`, `some x:` before one, or one in parentheses";
        let token = self.next();
        let kind = match token.kind {
            Kind::Sign("(") => {
                let inner = self.formula()?;
                self.expect_sign(")", "close the parenthesis that was opened")?;
                inner.kind
            }
            Kind::Word("true") => Tree::Const(true),
            Kind::Word("false") => Tree::Const(false),
            Kind::Word(word) if !RESERVED.contains(&word) => Tree::Name(word, self.arguments()?),
            _ => return Err(expected("a formula", token.span, HELP)),
        };
        Ok(Formula { kind, span: self.since(token.span) })
    }

    fn arguments(&mut self) -> Result<Vec<Arg<'t>>, SourceError> {
        let mut arguments = Vec::new();
        if !self.take_sign("(") {
            return Ok(arguments);
        }
        loop {
            let start = self.peek();
            let near = self.take_sign("~");
            let is_var = near || matches!(start.kind, Kind::Word("x" | "c"));
            arguments.push(if is_var {
                let var = self.variable()?;
                Arg::Var { var, near, span: self.since(start.span) }
            } else {
                Arg::Formula(self.formula()?)
            });
            if !self.take_sign(",") {
                break;
            }
        }
        self.expect_sign(")", "close the arguments, or separate them by `,`")?;
        Ok(arguments)
    }
}

fn expected(what: &str, span: Span, help: &str) -> SourceError {
    SourceError {
        message: format!("expected {what}"),
        span,
        label: "something else stands here".into(),
        help: help.into(),
    }
}
