//! From the text of L to its tree.

use std::collections::BTreeSet;

use super::lexer::{Kind, Token, tokens};
use super::syntax::{Block, BlockId, Expr, Function, FunctionId, Instruction, Program};
use crate::lexer::{Failure, MAX_NESTING, error, nested_too_deep, quote};
use crate::names::{Names, Symbol, nearest};
use hemiola_trace::source::{SourceError, Span};

/// How many operators one expression may have; its tree is as deep as they are many.
const MAX_OPERATORS: u32 = 1_000;

/// Reads a program in L.
///
/// ```
/// let program = hemiola_calculus::l::parse(r"let f = \x. obs(x) in nexttick(f, 1)").unwrap();
/// assert_eq!(program.functions.len(), 1);
/// let error = hemiola_calculus::l::parse(r"nexttick(f, 1)").unwrap_err();
/// assert_eq!(error.message, "unknown function `f`");
/// ```
pub fn parse(text: &str) -> Result<Program, SourceError> {
    read(text).map_err(|failure| *failure)
}

fn read(text: &str) -> Result<Program, Failure> {
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
        names: Names::default(),
        functions: Vec::new(),
        blocks: Vec::new(),
        bound: BTreeSet::new(),
        uses: Vec::new(),
    };
    let main = parser.reserve_block();
    let mut block = Block::default();
    parser.sequence(&mut block)?;
    parser.end()?;
    parser.fill_block(main, block);
    parser.check_uses()?;
    Ok(Program { names: parser.names, functions: parser.functions, blocks: parser.blocks, main })
}

/// The instructions that are part of the language.
#[derive(Clone, Copy, Debug)]
enum Builtin {
    Observe,
    Store,
    Async,
    NextTick,
    SetImmediate,
    Trigger,
    Register,
    Unregister,
}

impl Builtin {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "obs" => Self::Observe,
            "store" => Self::Store,
            "call" => Self::Async,
            "nexttick" => Self::NextTick,
            "setimmediate" => Self::SetImmediate,
            "trigger" => Self::Trigger,
            "reg" => Self::Register,
            "unreg" => Self::Unregister,
            _ => return None,
        })
    }

    /// How it is written.
    fn form(self) -> &'static str {
        match self {
            Self::Observe => "obs(e)",
            Self::Store => "store(x, e)",
            Self::Async => "call(op, cb)",
            Self::NextTick => "nexttick(f, e, …)",
            Self::SetImmediate => "setimmediate(f, e, …)",
            Self::Trigger => "trigger(evt, e, …)",
            Self::Register => "reg(evt, [f, …])",
            Self::Unregister => "unreg(evt, {f, …})",
        }
    }

    /// How many arguments it takes, in words.
    fn arity(self) -> &'static str {
        match self {
            Self::Observe => "one argument",
            Self::NextTick | Self::SetImmediate | Self::Trigger => "at least one argument",
            Self::Store | Self::Async | Self::Register | Self::Unregister => "two arguments",
        }
    }
}

/// A call being read: its name, its parenthesis, and how the whole is written.
#[derive(Clone, Copy, Debug)]
struct Site {
    name: Span,
    open: Token,
    builtin: Builtin,
}

/// What a `let` has bound so far: functions, or one value, never both.
#[derive(Debug, Default)]
struct Bindings {
    functions: Vec<FunctionId>,
    names: BTreeSet<Symbol>,
    value: Option<(Symbol, Expr)>,
}

#[derive(Debug)]
struct Parser<'a> {
    text: &'a str,
    /// Ends with the only token of kind `End`, which is never stepped over.
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    names: Names,
    functions: Vec<Function>,
    blocks: Vec<Block>,
    /// What any `let`, parameter or `store` gives a meaning to.
    bound: BTreeSet<Symbol>,
    /// Names in the place of a function.
    uses: Vec<(Symbol, Span)>,
}

// Sequences and instructions.
impl Parser<'_> {
    /// Reads instructions up to what ends a sequence; says whether a `let` is among them.
    ///
    /// The body of a `let` reaches as far as the sequence does, so it goes on in the same block.
    fn sequence(&mut self, block: &mut Block) -> Result<bool, Failure> {
        let mut has_let = false;
        loop {
            match self.peek().kind {
                kind if ends_sequence(kind) => return Ok(has_let),
                Kind::Let => {
                    self.let_bindings(block)?;
                    has_let = true;
                    continue;
                }
                Kind::OpenParen => has_let |= self.group(block)?,
                Kind::Name => self.instruction(block)?,
                _ => {
                    let help = "write an instruction, such as obs(e) or f(e), or a `let`";
                    return Err(self.unexpected("an instruction", help));
                }
            }
            if self.eat(Kind::Semicolon) {
                continue;
            }
            if ends_sequence(self.peek().kind) {
                return Ok(has_let);
            }
            return Err(self.unexpected("`;`", "put `;` between two instructions"));
        }
    }

    /// Reads `(…)` in a sequence; says whether it left a `let` in the block.
    ///
    /// Its instructions join the block unless a `let` among them would then reach too far.
    fn group(&mut self, block: &mut Block) -> Result<bool, Failure> {
        let open = self.take();
        let first = block.instructions.len();
        self.enter(open.span)?;
        let has_let = self.sequence(block)?;
        let close = self.close(open, Kind::CloseParen, "close the group, or put `;` before it")?;
        self.leave();
        let next = self.peek().kind;
        let is_last = ends_sequence(next)
            || (next == Kind::Semicolon && ends_sequence(self.tokens[self.at + 1].kind));
        if !has_let || is_last {
            return Ok(has_let);
        }
        let id = self.reserve_block();
        let instructions = block.instructions.split_off(first);
        let spans = block.spans.split_off(first);
        self.fill_block(id, Block { instructions, spans });
        push(block, Instruction::Group(id), open.span.to(close.span));
        Ok(false)
    }

    /// Reads one instruction that starts with a name.
    fn instruction(&mut self, block: &mut Block) -> Result<(), Failure> {
        let name = self.take().span;
        let text = self.slice(name);
        let builtin = Builtin::of(text);
        if self.peek().kind != Kind::OpenParen {
            let form = builtin.map_or_else(|| format!("{}()", short(text)), |b| b.form().into());
            let expected = format!("`(` after {}", quote(text));
            return Err(self.unexpected(&expected, &format!("write {form}")));
        }
        let open = self.take();
        let instruction = match builtin {
            Some(builtin) => self.builtin(Site { name, open, builtin })?,
            None => {
                let function = self.intern(name);
                self.uses.push((function, name));
                let args = if self.peek().kind == Kind::CloseParen {
                    self.take();
                    Vec::new()
                } else {
                    let first = self.expression()?;
                    self.more_arguments(open, vec![first])?
                };
                Instruction::Call { function, args }
            }
        };
        let span = name.to(self.previous());
        push(block, instruction, span);
        Ok(())
    }

    /// Reads the arguments of a built-in instruction, up to and with the closing parenthesis.
    fn builtin(&mut self, site: Site) -> Result<Instruction, Failure> {
        if self.peek().kind == Kind::CloseParen {
            return Err(self.too_few(site));
        }
        let form = site.builtin.form();
        let instruction = match site.builtin {
            Builtin::Observe => Instruction::Observe(self.expression()?),
            Builtin::Store => {
                let (name, _) = self.name(form)?;
                self.bound.insert(name);
                self.next_argument(site)?;
                Instruction::Store { name, value: self.expression()? }
            }
            Builtin::Async => {
                let (operation, _) = self.name(form)?;
                self.next_argument(site)?;
                Instruction::Async { operation, callback: self.function_name(form)? }
            }
            Builtin::NextTick => {
                let function = self.function_name(form)?;
                let args = self.more_arguments(site.open, Vec::new())?;
                return Ok(Instruction::NextTick { function, args });
            }
            Builtin::SetImmediate => {
                let function = self.function_name(form)?;
                let args = self.more_arguments(site.open, Vec::new())?;
                return Ok(Instruction::SetImmediate { function, args });
            }
            Builtin::Trigger => {
                let (event, _) = self.name(form)?;
                let args = self.more_arguments(site.open, Vec::new())?;
                return Ok(Instruction::Trigger { event, args });
            }
            Builtin::Register => {
                let (event, _) = self.name(form)?;
                self.next_argument(site)?;
                let list = self.list(Kind::OpenBracket, Kind::CloseBracket, form)?;
                self.uses.extend(&list);
                let callbacks = list.into_iter().map(|(name, _)| name).collect();
                Instruction::Register { event, callbacks }
            }
            Builtin::Unregister => {
                let (event, _) = self.name(form)?;
                self.next_argument(site)?;
                let list = self.list(Kind::OpenBrace, Kind::CloseBrace, form)?;
                let callbacks = list.into_iter().map(|(name, _)| name).collect();
                Instruction::Unregister { event, callbacks }
            }
        };
        if self.peek().kind == Kind::Comma {
            return Err(error(
                format!("too many arguments for `{}`", self.slice(site.name)),
                self.peek().span,
                format!("{} expected", site.builtin.arity()),
                format!("write {form}"),
            ));
        }
        self.close(site.open, Kind::CloseParen, &format!("write {form}"))?;
        Ok(instruction)
    }

    /// Steps over the comma before an argument that must be there.
    fn next_argument(&mut self, site: Site) -> Result<(), Failure> {
        match self.peek().kind {
            Kind::Comma => {
                self.take();
                Ok(())
            }
            Kind::CloseParen => Err(self.too_few(site)),
            Kind::End => Err(self.unclosed(site.open)),
            _ => Err(self.unexpected("`,`", &format!("write {}", site.builtin.form()))),
        }
    }

    fn too_few(&self, site: Site) -> Failure {
        error(
            format!("too few arguments for `{}`", self.slice(site.name)),
            site.name.to(self.peek().span),
            format!("{} expected", site.builtin.arity()),
            format!("write {}", site.builtin.form()),
        )
    }

    /// Reads `, e, …)` behind what stands first in the parentheses.
    fn more_arguments(&mut self, open: Token, mut args: Vec<Expr>) -> Result<Vec<Expr>, Failure> {
        while self.eat(Kind::Comma) {
            args.push(self.expression()?);
        }
        let help = "put `,` between arguments; a call is an instruction and no argument";
        self.close(open, Kind::CloseParen, help)?;
        Ok(args)
    }

    /// Reads the names in a list, with its brackets.
    fn list(
        &mut self,
        opening: Kind,
        closing: Kind,
        form: &str,
    ) -> Result<Vec<(Symbol, Span)>, Failure> {
        if self.peek().kind != opening {
            let expected = if opening == Kind::OpenBracket { "`[`" } else { "`{`" };
            return Err(self.unexpected(expected, &format!("write {form}")));
        }
        let open = self.take();
        let mut list = Vec::new();
        if self.peek().kind != closing {
            list.push(self.name(form)?);
            while self.eat(Kind::Comma) {
                list.push(self.name(form)?);
            }
        }
        self.close(open, closing, &format!("write {form}"))?;
        Ok(list)
    }
}

// Bindings.
impl Parser<'_> {
    /// Reads from `let` to `in`.
    fn let_bindings(&mut self, block: &mut Block) -> Result<(), Failure> {
        let start = self.take().span;
        let mut bindings = Bindings::default();
        self.bindings(&mut bindings)?;
        let span = start.to(self.previous());
        match self.peek().kind {
            Kind::In => self.take(),
            Kind::End => {
                return Err(error(
                    "`let` without `in`",
                    start,
                    "this `let` has no body",
                    "end it with `in` and what may use the name: let x = 1 in obs(x)",
                ));
            }
            _ => {
                let help = "end a `let` with `in`; put `,` between functions";
                return Err(self.unexpected("`in`", help));
            }
        };
        let instruction = match bindings.value {
            Some((name, value)) => Instruction::LetValue { name, value },
            None => Instruction::LetFunctions(bindings.functions),
        };
        push(block, instruction, span);
        Ok(())
    }

    /// Reads bindings separated by commas, in parentheses or not.
    fn bindings(&mut self, found: &mut Bindings) -> Result<(), Failure> {
        loop {
            if self.peek().kind == Kind::OpenParen {
                let open = self.take();
                self.enter(open.span)?;
                self.bindings(found)?;
                self.close(open, Kind::CloseParen, "close the binding before what follows it")?;
                self.leave();
            } else {
                self.binding(found)?;
            }
            if !self.eat(Kind::Comma) {
                return Ok(());
            }
        }
    }

    fn binding(&mut self, found: &mut Bindings) -> Result<(), Failure> {
        let (name, span) = self.name("let x = e in …")?;
        if !self.eat(Kind::Equals) {
            let help = r"write let x = e in …, or let f = \x. … in …";
            return Err(self.unexpected("`=`", help));
        }
        let is_function = self.lambda_follows();
        if found.value.is_some() && !is_function {
            return Err(error(
                "a `let` binds only one value",
                span,
                "a second one",
                "nest them: let x = 1 in let y = 2 in …",
            ));
        }
        if found.value.is_some() || (!is_function && !found.functions.is_empty()) {
            return Err(error(
                "a `let` binds either functions or one value",
                span,
                if is_function { "a function after a value" } else { "a value after a function" },
                r"nest them: let x = 1 in let f = \. obs(x) in …",
            ));
        }
        if is_function {
            if !found.names.insert(name) {
                return Err(error(
                    format!("{} is defined twice in one `let`", quote(self.slice(span))),
                    span,
                    "defined again",
                    "rename one of them",
                ));
            }
            found.functions.push(self.lambda(name, span)?);
        } else {
            found.value = Some((name, self.expression()?));
        }
        self.bound.insert(name);
        Ok(())
    }

    /// Whether a lambda comes next, in parentheses or not.
    fn lambda_follows(&self) -> bool {
        let mut ahead = self.tokens[self.at..].iter().map(|token| token.kind);
        ahead.find(|&kind| kind != Kind::OpenParen) == Some(Kind::Lambda)
    }

    /// Reads `\x, y. BODY` as the function `name`.
    fn lambda(&mut self, name: Symbol, name_span: Span) -> Result<FunctionId, Failure> {
        let start = self.take();
        self.enter(start.span)?;
        let id = if start.kind == Kind::OpenParen {
            let id = self.lambda(name, name_span)?;
            self.close(start, Kind::CloseParen, "close the function before what follows it")?;
            id
        } else {
            let params = self.params()?;
            let body = self.reserve_block();
            let id = FunctionId(number(self.functions.len()));
            self.functions.push(Function { name, params, body, span: name_span });
            let mut block = Block::default();
            self.sequence(&mut block)?;
            self.fill_block(body, block);
            id
        };
        self.leave();
        self.functions[id.0 as usize].span = name_span.to(self.previous());
        Ok(id)
    }

    /// Reads parameters up to and with the dot.
    fn params(&mut self) -> Result<Vec<Symbol>, Failure> {
        let mut params = Vec::new();
        let mut seen = BTreeSet::new();
        while self.peek().kind != Kind::Dot || !params.is_empty() {
            let (name, span) = self.name(r"\x, y. …")?;
            if !seen.insert(name) {
                return Err(error(
                    format!("two parameters are called {}", quote(self.slice(span))),
                    span,
                    "the second one",
                    "rename one of them",
                ));
            }
            self.bound.insert(name);
            params.push(name);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        if !self.eat(Kind::Dot) {
            let help = r"put `,` between parameters and `.` before the body: \x, y. …";
            return Err(self.unexpected("`.`", help));
        }
        Ok(params)
    }
}

// Expressions and names.
impl Parser<'_> {
    fn expression(&mut self) -> Result<Expr, Failure> {
        self.sum(&mut 0)
    }

    /// Reads a sum; `operators` counts those of the whole expression.
    fn sum(&mut self, operators: &mut u32) -> Result<Expr, Failure> {
        let mut left = self.operand(operators)?;
        loop {
            let operator = self.peek();
            let combine = match operator.kind {
                Kind::Plus => Expr::Add,
                Kind::Minus => Expr::Subtract,
                _ => return Ok(left),
            };
            *operators += 1;
            if *operators > MAX_OPERATORS {
                return Err(error(
                    format!("an expression with more than {MAX_OPERATORS} operators"),
                    operator.span,
                    "one too many",
                    "name a part of it: let x = e in …",
                ));
            }
            self.take();
            let right = self.operand(operators)?;
            left = combine(Box::new(left), Box::new(right));
        }
    }

    fn operand(&mut self, operators: &mut u32) -> Result<Expr, Failure> {
        let token = self.peek();
        match token.kind {
            Kind::Name => Ok(Expr::Name(self.name("")?.0)),
            Kind::Any => {
                self.take();
                Ok(Expr::Any)
            }
            Kind::Number => {
                self.take();
                self.slice(token.span).parse().map(Expr::Number).map_err(|_| {
                    error(
                        "number too large",
                        token.span,
                        format!("more than {}", i64::MAX),
                        "use a smaller number",
                    )
                })
            }
            Kind::OpenParen => {
                self.take();
                self.enter(token.span)?;
                let inner = self.sum(operators)?;
                self.close(token, Kind::CloseParen, "put `+` or `-` between two operands")?;
                self.leave();
                Ok(inner)
            }
            Kind::Minus => {
                Err(self.unexpected("an expression", "subtract for a negative number: 0 - 1"))
            }
            Kind::Lambda => {
                let help = r"name the function first: let f = \x. … in …";
                Err(self.unexpected("an expression", help))
            }
            _ => Err(self.unexpected("an expression", "write a name, a number or `any`")),
        }
    }

    /// Reads a name in the place of a function.
    fn function_name(&mut self, form: &str) -> Result<Symbol, Failure> {
        let (name, span) = self.name(form)?;
        self.uses.push((name, span));
        Ok(name)
    }

    /// Reads a name; `form` shows how what it is part of is written.
    fn name(&mut self, form: &str) -> Result<(Symbol, Span), Failure> {
        let Token { kind, span } = self.peek();
        let text = self.slice(span);
        let what = match kind {
            Kind::Name if Builtin::of(text).is_some() => "an instruction",
            Kind::Name => {
                self.take();
                return Ok((self.intern(span), span));
            }
            Kind::Let | Kind::In | Kind::Any => "a keyword",
            _ => return Err(self.unexpected("a name", &format!("write {form}"))),
        };
        Err(error(
            format!("`{text}` is {what} and cannot be a name"),
            span,
            "a name is expected here",
            "choose another name",
        ))
    }

    /// Every name in the place of a function must have a chance of being one.
    fn check_uses(&self) -> Result<(), Failure> {
        let Some(&(name, span)) = self.uses.iter().find(|(name, _)| !self.bound.contains(name))
        else {
            return Ok(());
        };
        let text = self.names.text(name);
        let functions = self.functions.iter().map(|function| &**self.names.text(function.name));
        let help = match nearest(text, functions) {
            Some(near) => format!("did you mean {}?", quote(near)),
            None => format!(r"define it around its use: let {} = \x. obs(x) in …", short(text)),
        };
        let label = "not defined anywhere in this program";
        Err(error(format!("unknown function {}", quote(text)), span, label, help))
    }
}

// Tokens, tables and errors.
impl<'a> Parser<'a> {
    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn take(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.peek().kind == kind;
        if found {
            self.take();
        }
        found
    }

    /// Where the token before this one stands.
    fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn intern(&mut self, span: Span) -> Symbol {
        let text = self.slice(span);
        self.names.intern(text)
    }

    fn reserve_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        BlockId(number(self.blocks.len() - 1))
    }

    fn fill_block(&mut self, id: BlockId, block: Block) {
        self.blocks[id.0 as usize] = block;
    }

    fn enter(&mut self, span: Span) -> Result<(), Failure> {
        if self.depth == MAX_NESTING {
            return Err(nested_too_deep(span));
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Takes the bracket that closes `open`.
    fn close(&mut self, open: Token, closing: Kind, help: &str) -> Result<Token, Failure> {
        match self.peek().kind {
            kind if kind == closing => Ok(self.take()),
            Kind::End => Err(self.unclosed(open)),
            _ => Err(self.unexpected(bracket(closing), help)),
        }
    }

    fn unclosed(&self, open: Token) -> Failure {
        let (opening, closing) = match open.kind {
            Kind::OpenBracket => ("`[`", "`]`"),
            Kind::OpenBrace => ("`{`", "`}`"),
            _ => ("`(`", "`)`"),
        };
        error(
            format!("unclosed {opening}"),
            open.span,
            "opened here",
            format!("close it with {closing}"),
        )
    }

    /// The whole text must have been read.
    fn end(&self) -> Result<(), Failure> {
        let token = self.peek();
        let (message, help) = match token.kind {
            Kind::End => return Ok(()),
            Kind::CloseParen => ("`)` without `(`", "remove it, or open a group before it"),
            Kind::In => ("`in` without `let`", "remove it, or put `;` between two instructions"),
            _ => ("`,` outside of a list", "put `;` between two instructions"),
        };
        Err(error(message, token.span, "nothing to match this", help))
    }

    /// The error for a token where something else is expected.
    fn unexpected(&self, expected: &str, help: &str) -> Failure {
        let token = self.peek();
        let found = quote(self.slice(token.span));
        match token.kind {
            Kind::Unknown => error(
                format!("unexpected character {found}"),
                token.span,
                "no part of the language",
                "remove it; a comment starts with `#`",
            ),
            Kind::Malformed => error(
                format!("{found} is neither a number nor a name"),
                token.span,
                "digits run on into letters",
                "start a name with a letter, or put an operator between the two",
            ),
            Kind::End => error(
                format!("expected {expected}, found the end of the program"),
                token.span,
                "the program ends here",
                help,
            ),
            _ => error(
                format!("expected {expected}, found {found}"),
                token.span,
                "this cannot stand here",
                help,
            ),
        }
    }
}

fn push(block: &mut Block, instruction: Instruction, span: Span) {
    block.instructions.push(instruction);
    block.spans.push(span);
}

fn ends_sequence(kind: Kind) -> bool {
    matches!(kind, Kind::CloseParen | Kind::In | Kind::Comma | Kind::End)
}

fn bracket(kind: Kind) -> &'static str {
    match kind {
        Kind::CloseBracket => "`]`",
        Kind::CloseBrace => "`}`",
        _ => "`)`",
    }
}

/// A name without its quotes, for use inside a form.
fn short(name: &str) -> String {
    quote(name).trim_matches('`').to_owned()
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a program of at most 1 MiB has fewer than 2^32 parts")
}
