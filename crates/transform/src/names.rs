//! The names that inserted code uses, and the inserted code.

use crate::Exchanged;

/// Names that do not occur in a text, and the pieces of code made of them.
///
/// Every piece has a spelling that cannot come from anywhere else, by its names and sometimes by a
/// space: so that plain replacement finds it again in the text of a function.
pub(crate) struct Names {
    /// The runtime's context object.
    pub(crate) context: String,
    /// The globals whose values the runtime exchanges.
    pub(crate) exchanged: Exchanged,
}

/// What a token is taken for.
#[derive(Clone, Copy)]
pub(crate) enum Token {
    /// A continuation that is outstanding: its context lives until then.
    Await,
    /// A `yield`. Whether the generator goes on is its consumer's affair, so nobody lives for it.
    Yield,
}

impl Names {
    pub(crate) fn unused_in(text: &str, exchanged: Exchanged) -> Self {
        let mut context = String::from("$h");
        let mut number = 0;
        while text.contains(&context) {
            number += 1;
            context = format!("$h{number}");
        }
        Self { context, exchanged }
    }

    /// Takes a token of the current context.
    fn take(&self, kind: Token) -> String {
        let h = &self.context;
        let function = match kind {
            Token::Await => "c",
            Token::Yield => "w",
        };
        format!("{h}k={h}.on&&{h}.{function}()")
    }

    /// The value that is going to be awaited. With a context the variable does not keep it: a promise
    /// that waits for itself would be gone only when the engine looks for cycles.
    fn value(&self) -> String {
        let h = &self.context;
        format!("{h}k?{h}.v({h}v,{h}v=0):{h}v")
    }

    /// Takes a token when a block is left, which a failed `await` may be the reason of.
    fn enter_and_take(&self) -> String {
        format!("{};{}", self.enter(), self.take(Token::Await))
    }

    /// Enters the context of the token.
    fn enter(&self) -> String {
        let h = &self.context;
        format!("{h}k&&{h}.r({h}k)")
    }

    /// Instead of `await`.
    pub(crate) fn await_start(&self) -> String {
        format!("({}v=", self.context)
    }

    /// Instead of `await` before a function or class, which an assignment would name.
    pub(crate) fn await_start_unnamed(&self) -> String {
        format!("({}v=0||", self.context)
    }

    /// Instead of `await` that begins a statement: an opening parenthesis could continue the one
    /// before.
    pub(crate) fn await_start_statement(&self) -> String {
        format!(";( {}v=", self.context)
    }

    /// Both of the above.
    pub(crate) fn await_start_statement_unnamed(&self) -> String {
        format!(";( {}v=0||", self.context)
    }

    /// After the operand of `await`.
    pub(crate) fn await_end(&self) -> String {
        let h = &self.context;
        // The runtime is told what is awaited.
        let (take, value) = (format!("{h}k={h}.on&&{h}.c({h}v)"), self.value());
        format!(",{take},{h}v=await({value}),{},{h}v)", self.enter())
    }

    /// At the start of a function that awaits.
    pub(crate) fn declare(&self) -> String {
        let h = &self.context;
        format!("var {h}k,{h}v;")
    }

    /// The same after a directive without semicolon.
    pub(crate) fn declare_after_directive(&self) -> String {
        let h = &self.context;
        format!(";var  {h}k,{h}v;")
    }

    /// At the start of a module that uses the context object.
    pub(crate) fn import(&self) -> String {
        format!("import {} from {:?};", self.context, crate::CONTEXT_MODULE)
    }

    /// Before and after the expression that is an arrow function's body.
    pub(crate) fn arrow_start(&self) -> String {
        format!("{{{} return ", self.declare())
    }

    /// Ends a block that was opened by us.
    pub(crate) fn block_end(&self) -> String {
        format!("/*{}*/}}", self.context)
    }

    /// At the start of a `catch` or `finally` block.
    pub(crate) fn resume(&self) -> String {
        format!("{};", self.enter())
    }

    /// Before and after a value that the engine is going to await by itself.
    pub(crate) fn value_start(&self) -> String {
        format!("( {}v=", self.context)
    }

    /// The same before a class.
    pub(crate) fn value_start_unnamed(&self) -> String {
        format!("( {}v=0||", self.context)
    }

    pub(crate) fn value_end(&self, kind: Token) -> String {
        format!(",{},{})", self.take(kind), self.value())
    }

    /// Before and after a function that the engine is going to await by itself.
    pub(crate) fn function_start(&self, kind: Token) -> String {
        format!("({},", self.take(kind))
    }

    pub(crate) fn function_end(&self) -> String {
        format!("/*{}*/)", self.context)
    }

    /// Before and after a `yield` of an async generator. Going on is the consumer's call, and then
    /// the token is void; only what ends the generator there is awaited first.
    pub(crate) fn yield_start(&self) -> String {
        format!("({}v =", self.context)
    }

    /// The same at the start of a statement.
    pub(crate) fn yield_start_statement(&self) -> String {
        format!(";( {}v =", self.context)
    }

    /// Before `yield` without a value.
    pub(crate) fn bare_yield_start(&self) -> String {
        format!("({},{}v =", self.take(Token::Yield), self.context)
    }

    /// The same at the start of a statement.
    pub(crate) fn bare_yield_start_statement(&self) -> String {
        format!(";( {},{}v =", self.take(Token::Yield), self.context)
    }

    pub(crate) fn yield_end(&self) -> String {
        let h = &self.context;
        format!(",{h}k=0,{h}v)")
    }

    /// After `yield*`, which awaits the end of what it goes through.
    pub(crate) fn delegate_end(&self) -> String {
        format!(",{}, {}v)", self.enter(), self.context)
    }

    /// At the start and the end of the block that is the body of a `for await`.
    pub(crate) fn body_start(&self) -> String {
        let h = &self.context;
        format!("{h}k&& {h}.r({h}k);try{{")
    }

    pub(crate) fn body_end(&self) -> String {
        format!("}}finally{{{};}}", self.enter_and_take())
    }

    /// Before and after the statement that is the body of a `for await`.
    pub(crate) fn single_body_start(&self) -> String {
        let h = &self.context;
        format!("{{ {h}k&& {h}.r({h}k);try{{")
    }

    pub(crate) fn single_body_end(&self) -> String {
        format!("}} finally{{{};}}}}", self.enter_and_take())
    }

    /// Before a `for await`. The engine does not wait for an iterator that it closes since the body
    /// threw; it does when the body breaks. So an error is kept, and thrown after the loop.
    pub(crate) fn loop_start(&self) -> String {
        let h = &self.context;
        format!("{{let {h}f,{h}e;try{{")
    }

    /// After it: what closing throws does not matter to an error of the body. To leave the loop awaits
    /// the iterator's end, wherever the jump goes.
    pub(crate) fn loop_end(&self) -> String {
        let (h, enter) = (&self.context, self.enter());
        format!("}}catch({h}x){{if(!{h}f)throw {h}x;}}finally{{{enter};}}if({h}f)throw {h}e;}}")
    }

    /// After its body.
    pub(crate) fn body_catch(&self) -> String {
        let h = &self.context;
        format!("}}catch({h}x){{{h}f=1;{h}e={h}x;break;")
    }

    /// Before a `for await` that keeps no error, at the start of a block with `await using`, and after
    /// the block's last declaration.
    pub(crate) fn scope_start(&self) -> String {
        format!("try{{/*{}*/", self.context)
    }

    /// The same after a declaration without semicolon.
    pub(crate) fn scope_start_after_declaration(&self) -> String {
        format!(";try {{/*{}*/", self.context)
    }

    /// Ends what follows the last declaration.
    pub(crate) fn inner_scope_end(&self) -> String {
        format!("/*{}*/}}finally{{{};}}", self.context, self.enter_and_take())
    }

    /// Ends the loop or the block.
    pub(crate) fn scope_end(&self) -> String {
        format!("/*{}*/}}finally{{{};}}", self.context, self.enter())
    }

    /// Before and after a value that the runtime exchanges.
    pub(crate) fn exchange_start(&self) -> String {
        format!("{}.t(", self.context)
    }

    pub(crate) fn exchange_end(&self) -> String {
        format!("/* {}*/)", self.context)
    }

    /// Before and after the specifier of an `import()`.
    pub(crate) fn import_start(&self) -> String {
        format!("{}.i(", self.context)
    }

    pub(crate) fn import_end(&self) -> String {
        format!("/*{} */)", self.context)
    }

    /// Before and after the pattern that a regular expression is made of.
    pub(crate) fn pattern_start(&self) -> String {
        format!("{}.e(", self.context)
    }

    pub(crate) fn pattern_end(&self) -> String {
        format!("/*  {}*/)", self.context)
    }

    /// Before, between and after two operands that the runtime compares.
    pub(crate) fn compare_start(&self, is_equality: bool) -> String {
        format!("{}.{}(", self.context, if is_equality { 'q' } else { 'n' })
    }

    pub(crate) fn compare_between(&self, is_equality: bool) -> String {
        format!(",{}{},", if is_equality { "" } else { "!" }, self.context)
    }

    pub(crate) fn compare_end(&self) -> String {
        format!(",{})", self.context)
    }

    /// Before a name that stands for a property and its value.
    pub(crate) fn exchange_property_start(&self, name: &str) -> String {
        format!("{name}:{}", self.exchange_start())
    }

    /// Every piece, with what it stands for; one that contains another comes before it.
    pub(crate) fn undo(&self) -> Vec<(String, &'static str)> {
        let mut pieces = vec![
            (self.await_start(), "await"),
            (self.await_start_unnamed(), "await"),
            (self.await_start_statement(), "await"),
            (self.await_start_statement_unnamed(), "await"),
            (self.await_end(), ""),
            (self.declare(), ""),
            (self.declare_after_directive(), ""),
            (self.arrow_start(), ""),
            (self.block_end(), ""),
            (self.resume(), ""),
            (self.value_start(), ""),
            (self.value_start_unnamed(), ""),
            (self.value_end(Token::Await), ""),
            (self.value_end(Token::Yield), ""),
            (self.function_start(Token::Await), ""),
            (self.function_start(Token::Yield), ""),
            (self.function_end(), ""),
            (self.import_start(), ""),
            (self.import_end(), ""),
            (self.body_start(), ""),
            (self.body_end(), ""),
            (self.single_body_start(), ""),
            (self.single_body_end(), ""),
            (self.loop_start(), ""),
            (self.loop_end(), ""),
            (self.body_catch(), ""),
            (self.yield_start(), ""),
            (self.yield_start_statement(), ""),
            (self.bare_yield_start(), ""),
            (self.bare_yield_start_statement(), ""),
            (self.yield_end(), ""),
            (self.delegate_end(), ""),
            (self.scope_start(), ""),
            (self.scope_start_after_declaration(), ""),
            (self.inner_scope_end(), ""),
            (self.scope_end(), ""),
            (self.compare_start(true), ""),
            (self.compare_start(false), ""),
            (self.compare_between(true), "=="),
            (self.compare_between(false), "!="),
            (self.compare_end(), ""),
            (self.pattern_start(), ""),
            (self.pattern_end(), ""),
        ];
        if !self.exchanged.is_empty() {
            let properties = self.exchanged.iter().map(|name| self.exchange_property_start(name));
            let all = properties.chain([self.exchange_start(), self.exchange_end()]);
            pieces.extend(all.map(|piece| (piece, "")));
        }
        pieces.sort_by_key(|(inserted, _)| std::cmp::Reverse(inserted.len()));
        pieces
    }
}
