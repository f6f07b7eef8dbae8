//! Which variables functions share, and where the scopes that hold them begin.
//!
//! A variable matters if a function other than its own uses it and it may change under that function's
//! eyes: it is assigned to, or gets its first value after its function was suspended. There may be many
//! instances of a scope, so each gets a number when it is entered, in a variable of its own.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_span::GetSpan;
use oxc_syntax::reference::ReferenceId;
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use oxc_syntax::symbol::SymbolId;
use std::collections::{BTreeMap, BTreeSet};

/// Where a shared variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// Outside of all functions: the number in the text.
    Root(u32),
    /// In a scope: the scope and the number in there.
    Scope(ScopeId, u32),
}

/// What is known of the scopes of a text.
#[derive(Default)]
pub(crate) struct Scopes {
    shared: BTreeMap<SymbolId, Home>,
    /// How many shared variables a scope has.
    pub(crate) counts: BTreeMap<ScopeId, u32>,
    pub(crate) roots: u32,
    /// Variables whose first value must be told of.
    late: BTreeSet<SymbolId>,
    /// Where the code of a scope is that sees its number.
    spans: BTreeMap<ScopeId, Span>,
    /// Parameters that settle a promise.
    settlers: BTreeSet<SymbolId>,
    /// Where functions are suspended, by the function's scope.
    suspensions: BTreeMap<ScopeId, Vec<u32>>,
}

impl Scopes {
    pub(crate) fn find(program: &Program<'_>, scoping: &Scoping) -> Self {
        let root = scoping.root_scope_id();
        let mut survey = Survey {
            scopes: Self::default(),
            places: BTreeSet::new(),
            stands_for: BTreeMap::new(),
            firsts: BTreeMap::new(),
            offsets: BTreeMap::new(),
            hoisted: BTreeSet::new(),
            function: root,
            loops: 0,
        };
        survey.visit_program(program);
        let Survey { mut scopes, places, stands_for, firsts, offsets, hoisted, .. } = survey;
        let function_of = |scope: ScopeId| {
            let is_function = |scope: &ScopeId| scoping.scope_flags(*scope).is_function();
            scoping.scope_ancestors(scope).find(is_function).unwrap_or(root)
        };
        for symbol in scoping.symbol_ids() {
            let own = function_of(scoping.symbol_scope_id(symbol));
            let references = scoping.get_resolved_reference_ids(symbol);
            let mut others = references
                .iter()
                .map(|&id| (id, scoping.get_reference(id).scope_id()))
                .filter(|&(_, scope)| function_of(scope) != own)
                .peekable();
            if others.peek().is_none() {
                continue;
            }
            // A function that is made after a variable got its first value finds it there.
            let precedes = |(id, scope): (ReferenceId, ScopeId), end: u32| {
                let mut around = scoping.scope_ancestors(scope).take_while(|&scope| scope != own);
                offsets.get(&id).is_none_or(|&offset| offset < end)
                    || around.any(|scope| hoisted.contains(&scope))
            };
            let is_late =
                firsts.get(&symbol).is_some_and(|&end| others.any(|one| precedes(one, end)));
            if is_late {
                scopes.late.insert(symbol);
            } else if !scoping.symbol_is_mutated(symbol) {
                continue;
            }
            let mut scope = Some(scoping.symbol_scope_id(symbol));
            let home = loop {
                match scope {
                    None => break None,
                    Some(at) if at == root => break None,
                    Some(at) => {
                        let at = stands_for.get(&at).copied().unwrap_or(at);
                        if places.contains(&at) {
                            break Some(at);
                        }
                        scope = scoping.scope_parent_id(at);
                    }
                }
            };
            let counter = match home {
                None => &mut scopes.roots,
                Some(scope) => scopes.counts.entry(scope).or_default(),
            };
            let number = *counter;
            *counter += 1;
            let home = home.map_or(Home::Root(number), |scope| Home::Scope(scope, number));
            scopes.shared.insert(symbol, home);
        }
        scopes
    }

    /// Where a shared variable is, for code at an offset; nothing for others, and for the few places
    /// that do not see the number of its scope.
    pub(crate) fn home(&self, symbol: SymbolId, offset: u32) -> Option<Home> {
        let home = *self.shared.get(&symbol)?;
        match home {
            Home::Scope(scope, _) => {
                let span = self.spans.get(&scope)?;
                (span.start <= offset && offset < span.end).then_some(home)
            }
            Home::Root(_) => Some(home),
        }
    }

    /// Whether the first value of a variable must be told of.
    pub(crate) fn is_late(&self, symbol: SymbolId) -> bool {
        self.late.contains(&symbol)
    }

    /// Whether calling the variable settles a promise.
    pub(crate) fn settles(&self, symbol: SymbolId) -> bool {
        self.settlers.contains(&symbol)
    }

    /// Whether a function is suspended within a piece of its text.
    pub(crate) fn suspends(&self, function: ScopeId, span: Span) -> bool {
        let offsets = self.suspensions.get(&function);
        offsets.is_some_and(|offsets| {
            offsets.iter().any(|&offset| span.start <= offset && offset < span.end)
        })
    }
}

/// The first walk.
struct Survey {
    scopes: Scopes,
    /// The scopes that can have a number.
    places: BTreeSet<ScopeId>,
    /// Scopes without a place for a number, and the ones inside that have it.
    stands_for: BTreeMap<ScopeId, ScopeId>,
    /// Where the declaration ends of a variable that gets its first value late, or again and again.
    firsts: BTreeMap<SymbolId, u32>,
    offsets: BTreeMap<ReferenceId, u32>,
    /// Functions that are there before their place in the text is reached.
    hoisted: BTreeSet<ScopeId>,
    function: ScopeId,
    /// How many loops of the function are around.
    loops: u32,
}

impl Survey {
    fn suspension(&mut self, offset: u32) {
        self.scopes.suspensions.entry(self.function).or_default().push(offset);
    }

    fn place(&mut self, scope: ScopeId, span: Span) {
        self.places.insert(scope);
        self.scopes.spans.insert(scope, span);
    }

    fn in_function(&mut self, scope: ScopeId, visit: impl FnOnce(&mut Self)) {
        let outer = (std::mem::replace(&mut self.function, scope), std::mem::take(&mut self.loops));
        visit(self);
        (self.function, self.loops) = outer;
    }

    fn in_loop(&mut self, visit: impl FnOnce(&mut Self)) {
        self.loops += 1;
        visit(self);
        self.loops -= 1;
    }

    fn of_each(&mut self, scope: ScopeId, body: &Statement<'_>) {
        if let Statement::BlockStatement(block) = body {
            self.stands_for.insert(scope, block.scope_id());
        }
    }
}

impl<'a> Visit<'a> for Survey {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        if let Some(body) = &function.body {
            self.place(function.scope_id(), body.span);
        }
        if function.is_declaration() {
            self.hoisted.insert(function.scope_id());
        }
        self.in_function(function.scope_id(), |this| walk::walk_function(this, function, flags));
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        self.place(function.scope_id(), function.body.span());
        self.in_function(function.scope_id(), |this| {
            walk::walk_arrow_function_expression(this, function);
        });
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        self.place(block.scope_id(), block.span);
        walk::walk_block_statement(self, block);
    }

    fn visit_catch_clause(&mut self, clause: &CatchClause<'a>) {
        self.stands_for.insert(clause.scope_id(), clause.body.scope_id());
        walk::walk_catch_clause(self, clause);
    }

    fn visit_for_statement(&mut self, statement: &ForStatement<'a>) {
        // The variables of the head are new in every round, and so is their number: it is among them.
        if let (Some(ForStatementInit::VariableDeclaration(init)), Some(update)) =
            (&statement.init, &statement.update)
            && init.kind == VariableDeclarationKind::Let
        {
            let start =
                statement.test.as_ref().map_or(update.span().start, |test| test.span().start);
            self.place(statement.scope_id(), Span::new(start, statement.span.end));
        }
        self.in_loop(|this| walk::walk_for_statement(this, statement));
    }

    fn visit_for_in_statement(&mut self, statement: &ForInStatement<'a>) {
        self.of_each(statement.scope_id(), &statement.body);
        self.in_loop(|this| walk::walk_for_in_statement(this, statement));
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        self.of_each(statement.scope_id(), &statement.body);
        if statement.r#await {
            self.suspension(statement.span.start);
        }
        self.in_loop(|this| walk::walk_for_of_statement(this, statement));
    }

    fn visit_while_statement(&mut self, statement: &WhileStatement<'a>) {
        self.in_loop(|this| walk::walk_while_statement(this, statement));
    }

    fn visit_do_while_statement(&mut self, statement: &DoWhileStatement<'a>) {
        self.in_loop(|this| walk::walk_do_while_statement(this, statement));
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        if matches!(&new.callee, Expression::Identifier(callee) if callee.name == "Promise") {
            let parameters = match new.arguments.first() {
                Some(Argument::FunctionExpression(executor)) => Some(&executor.params),
                Some(Argument::ArrowFunctionExpression(executor)) => Some(&executor.params),
                _ => None,
            };
            for parameter in parameters.iter().flat_map(|parameters| &parameters.items) {
                if let BindingPattern::BindingIdentifier(name) = &parameter.pattern {
                    self.scopes.settlers.insert(name.symbol_id());
                }
            }
        }
        walk::walk_new_expression(self, new);
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.suspension(expression.span.start);
        walk::walk_await_expression(self, expression);
    }

    fn visit_yield_expression(&mut self, expression: &YieldExpression<'a>) {
        self.suspension(expression.span.start);
        walk::walk_yield_expression(self, expression);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        if declaration.kind == VariableDeclarationKind::AwaitUsing {
            self.suspension(declaration.span.start);
        }
        walk::walk_variable_declaration(self, declaration);
        let suspended = self.scopes.suspensions.contains_key(&self.function);
        let repeated = declaration.kind == VariableDeclarationKind::Var && self.loops > 0;
        if suspended || repeated {
            let initialised = declaration.declarations.iter().filter(|one| one.init.is_some());
            for declarator in initialised {
                let end = if repeated { u32::MAX } else { declarator.span.end };
                for identifier in declarator.id.get_binding_identifiers() {
                    let known = self.firsts.entry(identifier.symbol_id()).or_default();
                    *known = end.max(*known);
                }
            }
        }
    }

    fn visit_identifier_reference(&mut self, reference: &IdentifierReference<'a>) {
        self.offsets.insert(reference.reference_id(), reference.span.start);
    }

    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
}
