//! The walk that inserts hooks.

use crate::Goal;
use crate::edits::Edits;
use crate::goal::Parsed;
use crate::instrument::Pieces;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

/// A hook that was inserted.
pub(super) struct Hook {
    pub(super) offset: u32,
    pub(super) is_first: bool,
    pub(super) is_last: bool,
    pub(super) suspends: bool,
    pub(super) is_debugger: bool,
}

/// Inserts all hooks.
pub(super) fn walk(
    parsed: &Parsed<'_>,
    names: &[&str],
    pieces: &Pieces,
    first: u32,
    edits: &mut Edits,
) -> Vec<Hook> {
    let is_module = parsed.goal == Goal::Module;
    let frame = Frame { has_this: !is_module, ..Frame::default() };
    let mut walker = Walker { pieces, first, edits, hooks: Vec::new(), frame, is_derived: false };
    let program = &parsed.program;
    let start = program.body.first().map_or(0, |statement| statement.span().start);
    let slot = walker.edits.reserve(start);
    walker.list(&program.body);
    if !walker.hooks.is_empty() {
        // A function that sees all of the module's variables, and is never called.
        let wrapper: &[&str] = match is_module {
            true => &[],
            false => &["exports", "require", "module", "__filename", "__dirname"],
        };
        let names = [names, wrapper].concat().join(",");
        let code = format!("$step_m({first},()=>[{names}]);");
        walker.edits.fill(slot, pieces.inserted(&code));
    }
    walker.hooks
}

struct Walker<'s> {
    pieces: &'s Pieces,
    first: u32,
    edits: &'s mut Edits,
    hooks: Vec<Hook>,
    frame: Frame,
    /// Whether the innermost class extends another.
    is_derived: bool,
}

/// What is known of the innermost function.
#[derive(Default)]
struct Frame {
    /// Whether `this` can be asked for at its start.
    has_this: bool,
    has_first: bool,
    /// The statement that is visited.
    current: Option<usize>,
    /// How many loops are around that wait for each round.
    waiting_loops: usize,
}

impl<'a> Walker<'_> {
    fn insert(&mut self, offset: u32, code: &str) {
        let piece = self.pieces.inserted(code);
        self.edits.insert(offset, piece);
    }

    /// Notes a hook at a place; gives its code.
    fn hook(&mut self, offset: u32) -> String {
        let index = self.hooks.len();
        let is_first = !std::mem::replace(&mut self.frame.has_first, true);
        self.frame.current = Some(index);
        let suspends = self.frame.waiting_loops > 0;
        self.hooks.push(Hook { offset, is_first, is_last: false, suspends, is_debugger: false });
        let number = self.first as usize + index;
        // The engine keeps `this` for a function that asks for it, and frames have it no other way.
        let this = if is_first && self.frame.has_this { ",0,this" } else { "" };
        format!("--$step_n||($step_n=$step_s({number}{this}))")
    }

    /// Puts a hook before an expression.
    fn before(&mut self, expression: &Expression<'a>) {
        let start = expression.span().start;
        let hook = self.hook(start);
        self.insert(start, &format!("{hook},"));
    }

    /// Puts a hook before an expression that stands where no comma may be.
    fn around(&mut self, expression: &Expression<'a>) {
        let span = expression.span();
        let hook = self.hook(span.start);
        self.insert(span.start, &format!("({hook},"));
        self.visit_expression(expression);
        self.insert(span.end, ")");
    }

    fn list(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            if self.has_hook(statement) {
                let offset = statement.span().start;
                let mut hook = self.hook(offset);
                if matches!(statement, Statement::DebuggerStatement(_)) {
                    // It is told of whatever the count is.
                    let number = self.first as usize + self.hooks.len() - 1;
                    hook = format!("$step_n=$step_s({number},--$step_n)");
                }
                self.insert(offset, &format!("{hook};"));
            }
            self.inside(statement);
        }
    }

    /// A statement that stands alone where a list could be.
    fn single(&mut self, statement: &Statement<'a>) {
        if matches!(statement, Statement::FunctionDeclaration(_)) || !self.has_hook(statement) {
            self.inside(statement);
            return;
        }
        let span = statement.span();
        let hook = self.hook(span.start);
        self.insert(span.start, &format!("{{{hook};"));
        self.inside(statement);
        self.insert(span.end, "}");
    }

    /// Whether a hook goes before a statement. Not where nothing happens but in statements within, and
    /// not where a loop has one at each round, unless a function begins with it.
    fn has_hook(&self, statement: &Statement<'a>) -> bool {
        match statement {
            Statement::BlockStatement(_)
            | Statement::EmptyStatement(_)
            | Statement::TryStatement(_)
            | Statement::FunctionDeclaration(_)
            | Statement::ImportDeclaration(_)
            | Statement::ExportAllDeclaration(_)
            | Statement::ExportNamedDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::TSTypeAliasDeclaration(_)
            | Statement::TSInterfaceDeclaration(_)
            | Statement::TSExternalModuleDeclaration(_)
            | Statement::TSGlobalDeclaration(_)
            | Statement::TSNamespaceExportDeclaration(_)
            | Statement::TSNamespaceDeclaration(_)
            | Statement::TSImportEqualsDeclaration(_) => false,
            Statement::WhileStatement(_) | Statement::DoWhileStatement(_) => !self.frame.has_first,
            Statement::LabeledStatement(statement) => match &statement.body {
                Statement::BlockStatement(_) | Statement::FunctionDeclaration(_) => false,
                body => self.has_hook(body),
            },
            // A variable of that name alone: in a block it is read as the beginning of a declaration.
            Statement::ExpressionStatement(statement) => !matches!(
                &statement.expression,
                Expression::Identifier(variable) if variable.name == "let"
            ),
            Statement::VariableDeclaration(declaration) => does_something(declaration),
            Statement::ClassDeclaration(class) => !class.declare,
            Statement::TSEnumDeclaration(declaration) => !declaration.declare,
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::VariableDeclaration(declaration) => does_something(declaration),
                Declaration::ClassDeclaration(class) => !class.declare,
                Declaration::TSEnumDeclaration(declaration) => !declaration.declare,
                _ => false,
            },
            Statement::ExportDefaultDeclaration(export) => !matches!(
                export.declaration,
                ExportDefaultDeclarationKind::FunctionDeclaration(_)
                    | ExportDefaultDeclarationKind::TSInterfaceDeclaration(_)
            ),
            _ => true,
        }
    }

    /// The parts of a statement whose hook is there, if it has one.
    fn inside(&mut self, statement: &Statement<'a>) {
        let outer = self.frame.current;
        match statement {
            Statement::BlockStatement(block) => self.list(&block.body),
            Statement::LabeledStatement(statement) => self.inside(&statement.body),
            Statement::IfStatement(statement) => {
                self.visit_expression(&statement.test);
                self.single(&statement.consequent);
                if let Some(alternate) = &statement.alternate {
                    self.single(alternate);
                }
            }
            Statement::WhileStatement(statement) => {
                self.before(&statement.test);
                self.visit_expression(&statement.test);
                self.single(&statement.body);
            }
            Statement::DoWhileStatement(statement) => {
                self.single(&statement.body);
                self.before(&statement.test);
                self.visit_expression(&statement.test);
            }
            Statement::ForStatement(statement) => self.for_statement(statement),
            Statement::ForInStatement(statement) => {
                self.visit_for_statement_left(&statement.left);
                self.visit_expression(&statement.right);
                self.loop_body(&statement.body, false);
            }
            Statement::ForOfStatement(statement) => self.for_of(statement),
            // A name could be a property of the object.
            Statement::WithStatement(statement) => self.visit_expression(&statement.object),
            Statement::ReturnStatement(statement) => {
                self.note(|hook| hook.is_last = true);
                if let Some(argument) = &statement.argument {
                    self.visit_expression(argument);
                }
            }
            Statement::ThrowStatement(statement) => {
                let span = statement.argument.span();
                self.insert(span.start, "$step_t((");
                self.visit_expression(&statement.argument);
                self.insert(span.end, "))");
            }
            Statement::DebuggerStatement(_) => self.note(|hook| hook.is_debugger = true),
            _ => walk::walk_statement(self, statement),
        }
        self.frame.current = outer;
    }

    fn for_statement(&mut self, statement: &ForStatement<'a>) {
        if let Some(init) = &statement.init {
            self.visit_for_statement_init(init);
        }
        if let Some(test) = &statement.test {
            if statement.update.is_none() {
                self.before(test);
            }
            self.visit_expression(test);
        }
        if let Some(update) = &statement.update {
            self.before(update);
            self.visit_expression(update);
        }
        self.loop_body(&statement.body, statement.test.is_some() || statement.update.is_some());
    }

    fn for_of(&mut self, statement: &ForOfStatement<'a>) {
        self.visit_for_statement_left(&statement.left);
        self.visit_expression(&statement.right);
        if statement.r#await {
            self.note(|hook| hook.suspends = true);
            self.frame.waiting_loops += 1;
            self.loop_body(&statement.body, false);
            self.frame.waiting_loops -= 1;
        } else {
            self.loop_body(&statement.body, false);
        }
    }

    /// A body without a statement gets a hook of its own: nobody could stop its loop, unless that has one at each round.
    fn loop_body(&mut self, body: &Statement<'a>, has_hook: bool) {
        let is_stuck = !has_hook && is_quiet(body);
        match body {
            Statement::BlockStatement(block) if is_stuck || block.body.is_empty() => {
                let offset = block.span.start + 1;
                let hook = self.hook(offset);
                self.insert(offset, &format!("{hook};"));
                self.list(&block.body);
            }
            body if is_stuck => {
                let span = body.span();
                let hook = self.hook(span.start);
                self.insert(span.start, &format!("{{{hook};"));
                self.inside(body);
                self.insert(span.end, "}");
            }
            body => self.single(body),
        }
    }

    fn note(&mut self, act: impl FnOnce(&mut Hook)) {
        if let Some(current) = self.frame.current {
            act(&mut self.hooks[current]);
        }
    }

    fn in_function(&mut self, has_this: bool, visit: impl FnOnce(&mut Self)) {
        let frame = Frame { has_this, ..Frame::default() };
        let outer = std::mem::replace(&mut self.frame, frame);
        visit(self);
        self.frame = outer;
    }

    /// A value that a field gets, unless it is a function that the field names.
    fn field(&mut self, value: &Expression<'a>) {
        self.in_function(false, |this| match value.without_parentheses() {
            Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ClassExpression(_) => this.visit_expression(value),
            _ => this.around(value),
        });
    }
}

impl<'a> Visit<'a> for Walker<'_> {
    fn visit_statements(&mut self, statements: &oxc_allocator::Vec<'a, Statement<'a>>) {
        self.list(statements);
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        self.single(statement);
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        self.list(&block.body);
    }

    fn visit_function(&mut self, function: &Function<'a>, _: ScopeFlags) {
        if function.declare {
            return;
        }
        // The constructor of a class that extends another has no `this` at first.
        let has_this = !std::mem::take(&mut self.is_derived);
        self.in_function(has_this, |this| {
            this.visit_formal_parameters(&function.params);
            if let Some(body) = &function.body {
                this.visit_function_body(body);
            }
        });
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        self.in_function(false, |this| {
            this.visit_formal_parameters(&function.params);
            match &function.body {
                ArrowFunctionBody::FunctionBody(body) => this.visit_function_body(body),
                body => {
                    let Some(expression) = body.as_expression() else { return };
                    this.around(expression);
                    this.note(|hook| hook.is_last = true);
                }
            }
        });
    }

    fn visit_formal_parameters(&mut self, parameters: &FormalParameters<'a>) {
        let this = std::mem::take(&mut self.frame.has_this);
        walk::walk_formal_parameters(self, parameters);
        self.frame.has_this = this;
    }

    fn visit_function_body(&mut self, body: &FunctionBody<'a>) {
        self.list(&body.statements);
        if let Some(Statement::ExpressionStatement(last)) = body.statements.last()
            && let Some(hook) = self.hooks.iter_mut().rfind(|hook| hook.offset == last.span.start)
        {
            hook.is_last = true;
        }
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.note(|hook| hook.suspends = true);
        walk::walk_await_expression(self, expression);
    }

    fn visit_yield_expression(&mut self, expression: &YieldExpression<'a>) {
        self.note(|hook| hook.suspends = true);
        walk::walk_yield_expression(self, expression);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        if class.declare {
            return;
        }
        if let Some(heritage) = &class.heritage {
            self.visit_expression(&heritage.expression);
        }
        for element in &class.body.body {
            if let ClassElement::MethodDefinition(method) = element {
                self.is_derived =
                    class.heritage.is_some() && method.kind == MethodDefinitionKind::Constructor;
                if method.computed {
                    let is_derived = std::mem::take(&mut self.is_derived);
                    self.visit_property_key(&method.key);
                    self.is_derived = is_derived;
                }
                self.visit_function(&method.value, ScopeFlags::Function);
            } else {
                self.visit_class_element(element);
            }
        }
        self.is_derived = false;
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        if property.declare
            || property.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
        {
            return;
        }
        if property.computed {
            self.visit_property_key(&property.key);
        }
        if let Some(value) = &property.value {
            self.field(value);
        }
    }

    fn visit_static_block(&mut self, block: &StaticBlock<'a>) {
        self.in_function(false, |this| this.list(&block.body));
    }

    // What has no meaning when it runs is left alone, and so is what the rest of the transform makes
    // anew.
    fn visit_decorator(&mut self, _: &Decorator<'a>) {}
    fn visit_ts_enum_declaration(&mut self, _: &TSEnumDeclaration<'a>) {}
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_external_module_declaration(&mut self, _: &TSExternalModuleDeclaration<'a>) {}
    fn visit_ts_global_declaration(&mut self, _: &TSGlobalDeclaration<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_namespace_declaration(&mut self, declaration: &TSNamespaceDeclaration<'a>) {
        if !declaration.declare {
            // Its body becomes a function.
            self.in_function(false, |this| walk::walk_ts_namespace_declaration(this, declaration));
        }
    }
}

/// Whether a statement may come to its end without a hook.
fn is_quiet(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::EmptyStatement(_) | Statement::FunctionDeclaration(_) => true,
        Statement::BlockStatement(block) => block.body.iter().all(is_quiet),
        Statement::LabeledStatement(statement) => is_quiet(&statement.body),
        Statement::TryStatement(statement) => {
            let ending =
                statement.finalizer.as_ref().is_none_or(|end| end.body.iter().all(is_quiet));
            ending && statement.block.body.iter().all(is_quiet)
        }
        Statement::VariableDeclaration(declaration) => !does_something(declaration),
        _ => false,
    }
}

/// Whether a declaration gives a value to something.
fn does_something(declaration: &VariableDeclaration<'_>) -> bool {
    !declaration.declare && declaration.declarations.iter().any(|one| one.init.is_some())
}
