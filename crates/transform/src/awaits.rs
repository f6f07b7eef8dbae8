//! What is inserted around every place at which a function is suspended.

use crate::names::Token;
use crate::rewrite::{List, Rewriter};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

impl<'a> Rewriter<'_> {
    fn uses_context(&mut self) {
        self.uses_context = true;
        self.function.needs_variables = true;
    }

    pub(crate) fn await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.uses_context();
        self.function.suspensions += 1;
        let start = expression.span.start;
        let statement = self.hazard.take_if(|hazard| *hazard == start).is_some();
        let unnamed = is_anonymous(&expression.argument);
        let names = self.names;
        let text = match (statement, unnamed) {
            (false, false) => names.await_start(),
            (false, true) => names.await_start_unnamed(),
            (true, false) => names.await_start_statement(),
            (true, true) => names.await_start_statement_unnamed(),
        };
        self.edits.replace(Span::sized(start, "await".len() as u32), text);
        self.visit_expression(&expression.argument);
        self.edits.insert(expression.span.end, names.await_end());
    }

    /// `import(X)` becomes `import($h.i(X))`: the runtime is told who asks.
    pub(crate) fn import_expression(&mut self, expression: &ImportExpression<'a>) {
        self.uses_context = true;
        let span = expression.source.span();
        self.edits.insert(span.start, self.names.import_start());
        self.visit_expression(&expression.source);
        self.edits.insert(span.end, self.names.import_end());
        if let Some(options) = &expression.options {
            self.visit_expression(options);
        }
    }

    /// A `yield` of an async generator.
    pub(crate) fn yield_expression(&mut self, expression: &YieldExpression<'a>) {
        self.uses_context();
        self.function.suspensions += 1;
        let Span { start, end, .. } = expression.span;
        let statement = self.hazard.take_if(|hazard| *hazard == start).is_some();
        let names = self.names;
        let text = match (&expression.argument, statement) {
            (Some(_), false) => names.yield_start(),
            (Some(_), true) => names.yield_start_statement(),
            (None, false) => names.bare_yield_start(),
            (None, true) => names.bare_yield_start_statement(),
        };
        self.edits.insert(start, text);
        if let Some(argument) = &expression.argument {
            self.awaited_value(argument, Token::Yield);
        }
        let text = if expression.delegate { names.delegate_end() } else { names.yield_end() };
        self.edits.insert(end, text);
    }

    /// A value that the engine awaits without being told to.
    pub(crate) fn awaited_value(&mut self, expression: &Expression<'a>, kind: Token) {
        if let Expression::SequenceExpression(sequence) = expression
            && let Some((last, others)) = sequence.expressions.split_last()
        {
            others.iter().for_each(|expression| self.visit_expression(expression));
            self.awaited_value(last, kind);
            return;
        }
        self.uses_context();
        let names = self.names;
        let (start, end) = match bare(expression) {
            // To make a function does nothing that the token could miss.
            Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => {
                (names.function_start(kind), names.function_end())
            }
            Expression::ClassExpression(_) => (names.value_start_unnamed(), names.value_end(kind)),
            _ => (names.value_start(), names.value_end(kind)),
        };
        self.edits.insert(expression.span().start, start);
        self.visit_expression(expression);
        self.edits.insert(expression.span().end, end);
    }

    /// Each step of the iterator is awaited, and so is closing it, however the body ends.
    pub(crate) fn for_await(&mut self, statement: &ForOfStatement<'a>) {
        self.visit_for_statement_left(&statement.left);
        self.function.suspensions += 1;
        self.awaited_value(&statement.right, Token::Await);
        let names = self.names;
        let caught = if keeps_error(statement) { names.body_catch() } else { String::new() };
        if let Statement::BlockStatement(block) = &statement.body {
            self.edits.insert(block.span.start + 1, names.body_start());
            self.visit_block_statement(block);
            self.edits.insert(block.span.end - 1, caught + &names.body_end());
        } else {
            let span = statement.body.span();
            self.edits.insert(span.start, names.single_body_start());
            self.visit_statement(&statement.body);
            self.edits.insert(span.end, caught + &names.single_body_end());
        }
    }

    /// The statements of a block between its braces. Leaving it awaits what `await using` declares.
    ///
    /// What follows the last declaration becomes a block of its own, whose end takes the token. All
    /// declarations stay in one block, since a second one could await once more.
    pub(crate) fn scope(&mut self, statements: &[Statement<'a>], braces: Span, list: &List<'_>) {
        if !statements.iter().any(is_await_using) {
            self.list(statements, list);
            return;
        }
        self.uses_context();
        self.function.suspensions += 1;
        let names = self.names;
        let last = statements.iter().rposition(is_using).unwrap_or_default();
        let (declarations, others) = statements.split_at(last + 1);
        self.edits.insert(braces.start + 1, names.scope_start());
        self.list(declarations, list);
        let end = statements[last].span().end;
        let ended = self.text[..end as usize].ends_with(';');
        let start = if ended { names.scope_start() } else { names.scope_start_after_declaration() };
        self.edits.insert(end, start);
        self.list(others, list);
        self.edits.insert(braces.end - 1, names.inner_scope_end() + &names.scope_end());
    }

    /// What fails at a suspension goes on in the `catch` or `finally` block.
    pub(crate) fn try_statement(&mut self, statement: &TryStatement<'a>) {
        let before = self.function.suspensions;
        self.visit_block_statement(&statement.block);
        if let Some(handler) = &statement.handler {
            self.resume_if_suspended_since(before, &handler.body);
            self.visit_catch_clause(handler);
        }
        if let Some(finalizer) = &statement.finalizer {
            self.resume_if_suspended_since(before, finalizer);
            self.visit_block_statement(finalizer);
        }
    }

    fn resume_if_suspended_since(&mut self, before: usize, block: &BlockStatement<'_>) {
        if self.function.suspensions > before {
            self.uses_context();
            self.edits.insert(block.span.start + 1, self.names.resume());
        }
    }
}

fn is_await_using(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::VariableDeclaration(declaration)
        if declaration.kind == VariableDeclarationKind::AwaitUsing)
}

fn is_using(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::VariableDeclaration(declaration)
        if matches!(declaration.kind, VariableDeclarationKind::AwaitUsing | VariableDeclarationKind::Using))
}

/// Whether a loop awaits before or after each round, and may be changed: in `try … finally` the engine takes
/// no loop whose pattern has a `yield`.
pub(crate) fn is_awaiting_loop(statement: &ForOfStatement<'_>) -> bool {
    let disposes = matches!(&statement.left, ForStatementLeft::VariableDeclaration(declaration)
        if declaration.kind == VariableDeclarationKind::AwaitUsing);
    (statement.r#await || disposes) && !yields(&statement.left)
}

/// Whether a pattern has a `yield` of the function that it is in.
fn yields(pattern: &ForStatementLeft<'_>) -> bool {
    struct Found(bool);

    impl<'a> Visit<'a> for Found {
        fn visit_yield_expression(&mut self, _: &YieldExpression<'a>) {
            self.0 = true;
        }

        fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}
    }

    let mut found = Found(false);
    found.visit_for_statement_left(pattern);
    found.0
}

/// Whether an error of the loop's body is kept until its iterator is closed. Not where the loop
/// disposes of something: that is told of the error.
pub(crate) fn keeps_error(statement: &ForOfStatement<'_>) -> bool {
    let disposes = matches!(&statement.left, ForStatementLeft::VariableDeclaration(declaration)
        if matches!(declaration.kind, VariableDeclarationKind::AwaitUsing | VariableDeclarationKind::Using));
    statement.r#await && !disposes
}

/// Whether an assignment would give the value a name.
fn is_anonymous(expression: &Expression<'_>) -> bool {
    matches!(
        bare(expression),
        Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ClassExpression(_)
    )
}

/// The expression without parentheses and types around it.
fn bare<'b, 'a>(expression: &'b Expression<'a>) -> &'b Expression<'a> {
    match expression {
        Expression::ParenthesizedExpression(inner) => bare(&inner.expression),
        Expression::TSAsExpression(inner) => bare(&inner.expression),
        Expression::TSSatisfiesExpression(inner) => bare(&inner.expression),
        Expression::TSNonNullExpression(inner) => bare(&inner.expression),
        Expression::TSTypeAssertion(inner) => bare(&inner.expression),
        _ => expression,
    }
}
