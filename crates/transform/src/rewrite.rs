//! One walk over the syntax tree that collects all changes.

use crate::awaits::{is_awaiting_loop, keeps_error};
use crate::edits::{Edits, Slot};
use crate::enums::Enums;
use crate::goal::Parsed;
use crate::names::{Names, Token};
use crate::{Goal, Language, SyntaxError, elide, merged, patterns};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;
use std::collections::{BTreeMap, BTreeSet};

/// What is known before the walk.
pub(crate) struct Options {
    /// Where names are imported that are types only.
    unused: BTreeSet<u32>,
    /// Where a name means what another piece of a namespace exports, and the namespace.
    merged: BTreeMap<u32, String>,
    /// Whether fields are assigned, and so not declared.
    assigned_fields: bool,
    /// Whether the text uses the runtime's context object already.
    uses_context: bool,
}

impl Options {
    pub(crate) fn of(language: Language, program: &Program<'_>, uses_context: bool) -> Self {
        let dialect = language.dialect().filter(|dialect| dialect.types);
        let elides = dialect.is_some_and(|dialect| !dialect.verbatim_imports);
        Self {
            unused: if elides { elide::unused(program) } else { BTreeSet::new() },
            merged: dialect.map_or_else(BTreeMap::new, |_| merged::references(program)),
            assigned_fields: dialect.is_some_and(|dialect| dialect.assigned_fields),
            uses_context,
        }
    }
}

/// What the changes of a text use.
pub(crate) struct Uses {
    /// The runtime's context object.
    pub(crate) context: bool,
    /// Letters of patterns that are written in another way.
    pub(crate) spellings: bool,
}

/// Collects the changes that a text needs.
pub(crate) fn rewrite(
    parsed: &Parsed<'_>,
    text: &str,
    names: &Names,
    options: Options,
    edits: &mut Edits,
) -> Result<Uses, SyntaxError> {
    let mut rewriter = Rewriter {
        text,
        names,
        edits,
        function: Frame::default(),
        uses_context: options.uses_context,
        uses_spellings: false,
        unused: options.unused,
        merged: options.merged,
        assigned_fields: options.assigned_fields,
        hazard: None,
        error: None,
        open_end: None,
        enums: Enums::default(),
        members_of: None,
    };
    rewriter.program(&parsed.program, parsed.goal);
    match rewriter.error {
        Some(error) => Err(error),
        None => Ok(Uses { context: rewriter.uses_context, spellings: rewriter.uses_spellings }),
    }
}

/// The walk's state. Changes before a node are added before its parts are visited, changes after
/// it afterwards, so that those at the same place nest as the nodes do.
pub(crate) struct Rewriter<'s> {
    pub(crate) text: &'s str,
    pub(crate) names: &'s Names,
    pub(crate) edits: &'s mut Edits,
    pub(crate) function: Frame,
    pub(crate) uses_context: bool,
    pub(crate) uses_spellings: bool,
    /// Where names are imported that are types only.
    pub(crate) unused: BTreeSet<u32>,
    /// Where a name means what another piece of a namespace exports, and the namespace.
    pub(crate) merged: BTreeMap<u32, String>,
    /// Whether fields are assigned, and so not declared.
    pub(crate) assigned_fields: bool,
    /// Where a statement begins that the one before would swallow if it began with a parenthesis.
    pub(crate) hazard: Option<u32>,
    pub(crate) error: Option<SyntaxError>,
    /// Where the innermost statement or field ends, unless with a semicolon.
    pub(crate) open_end: Option<u32>,
    pub(crate) enums: Enums,
    /// The enum whose member's value is visited.
    pub(crate) members_of: Option<String>,
}

/// Where statements stand.
pub(crate) struct List<'n> {
    /// What declares a variable of an enum or namespace here.
    pub(crate) keyword: &'static str,
    /// The namespace whose body it is.
    pub(crate) namespace: Option<&'n str>,
}

/// The body of a function or a program.
const BODY: List<'_> = List { keyword: "var", namespace: None };
const BLOCK: List<'_> = List { keyword: "let", namespace: None };

/// What is known of the innermost function.
#[derive(Default)]
pub(crate) struct Frame {
    pub(crate) is_async_generator: bool,
    /// Whether it needs the variables that inserted code uses.
    pub(crate) needs_variables: bool,
    /// How many places were seen at which it is suspended.
    pub(crate) suspensions: usize,
}

impl Rewriter<'_> {
    fn program(&mut self, program: &Program<'_>, goal: Goal) {
        let start = self.edits.reserve(0);
        self.visit_directives(&program.directives);
        self.hazard = match (program.directives.last(), program.body.first()) {
            (Some(directive), Some(first)) => self.hazard_after(directive.span, first),
            _ => None,
        };
        self.list(&program.body, &BODY);
        if goal == Goal::Module && self.uses_context {
            let mut text = self.names.import();
            if self.function.needs_variables {
                text += &self.names.declare();
            }
            self.edits.fill(start, text);
        }
    }

    /// Visits a function's parts with a frame of its own.
    fn in_function(&mut self, is_async_generator: bool, visit: impl FnOnce(&mut Self)) {
        let frame = Frame { is_async_generator, ..Frame::default() };
        let outer = std::mem::replace(&mut self.function, frame);
        visit(self);
        self.function = outer;
    }

    fn declare_variables(&mut self, slot: Slot, text: String) {
        if self.function.needs_variables {
            self.edits.fill(slot, text);
        }
    }

    /// Notes where a statement or field ends; gives what was noted before.
    pub(crate) fn open_at(&mut self, span: Span) -> Option<u32> {
        let end = (!self.text[..span.end as usize].ends_with(';')).then_some(span.end);
        std::mem::replace(&mut self.open_end, end)
    }

    fn hazard_after(&self, before: Span, statement: &Statement<'_>) -> Option<u32> {
        let ended = self.text[..before.end as usize].ends_with(';');
        match statement {
            Statement::ExpressionStatement(statement) if !ended => Some(statement.span.start),
            _ => None,
        }
    }
}

impl<'a> Rewriter<'_> {
    pub(crate) fn list(&mut self, statements: &[Statement<'a>], list: &List<'_>) {
        for (index, statement) in statements.iter().enumerate() {
            let span = statement.span();
            if let Some(before) = index.checked_sub(1) {
                self.hazard = self.hazard_after(statements[before].span(), statement);
            }
            if let Some(found) = awaiting_loop(statement) {
                self.for_await_statement(statement, found);
                continue;
            }
            let outer = self.open_at(span);
            if !self.typescript_statement(statements, index, list) {
                walk::walk_statement(self, statement);
            }
            self.open_end = outer;
        }
    }
}

impl<'a> Rewriter<'_> {
    /// The arguments of a call: `RegExp(a, 'v')` becomes `RegExp($h.e(a/*  $h*/), 'v')`.
    pub(crate) fn arguments(&mut self, callee: &Expression<'a>, arguments: &[Argument<'a>]) {
        let pattern = patterns::pattern_in(callee, arguments).map(GetSpan::span);
        for argument in arguments {
            let pattern = pattern.filter(|pattern| *pattern == argument.span());
            if let Some(pattern) = pattern {
                self.uses_context = true;
                self.edits.insert(pattern.start, self.names.pattern_start());
            }
            self.visit_argument(argument);
            if let Some(pattern) = pattern {
                self.edits.insert(pattern.end, self.names.pattern_end());
            }
        }
    }

    /// A loop with its labels. To leave it awaits the iterator's end, wherever the jump goes.
    fn for_await_statement(&mut self, statement: &Statement<'a>, found: &ForOfStatement<'a>) {
        let span = statement.span();
        let (before, after) = if keeps_error(found) {
            (self.names.loop_start(), self.names.loop_end())
        } else {
            (self.names.scope_start(), self.names.scope_end())
        };
        self.edits.insert(span.start, before);
        let outer = self.open_at(span);
        walk::walk_statement(self, statement);
        self.open_end = outer;
        self.edits.insert(span.end, after);
    }
}

impl<'a> Visit<'a> for Rewriter<'_> {
    fn visit_statements(&mut self, statements: &oxc_allocator::Vec<'a, Statement<'a>>) {
        self.list(statements, &BLOCK);
    }

    /// A statement that is not in a list but the body of another.
    fn visit_statement(&mut self, statement: &Statement<'a>) {
        if let Some(found) = awaiting_loop(statement) {
            self.for_await_statement(statement, found);
        } else {
            let outer = self.open_at(statement.span());
            walk::walk_statement(self, statement);
            self.open_end = outer;
        }
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        self.scope(&block.body, block.span, &BLOCK);
    }

    fn visit_labeled_statement(&mut self, statement: &LabeledStatement<'a>) {
        // What follows a loop follows its labels too.
        walk::walk_statement(self, &statement.body);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.in_function(function.r#async && function.generator, |this| {
            walk::walk_function(this, function, flags);
        });
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        self.in_function(false, |this| {
            this.arrow_signature(function);
            this.visit_arrow_function_body(&function.body);
        });
    }

    fn visit_function_body(&mut self, body: &FunctionBody<'a>) {
        let (offset, text) = match body.directives.last() {
            None => (body.span.start + 1, self.names.declare()),
            Some(directive) if self.text[..directive.span.end as usize].ends_with(';') => {
                (directive.span.end, self.names.declare())
            }
            Some(directive) => (directive.span.end, self.names.declare_after_directive()),
        };
        self.visit_directives(&body.directives);
        let slot = self.edits.reserve(offset);
        self.scope(&body.statements, body.span, &BODY);
        self.declare_variables(slot, text);
    }

    fn visit_arrow_function_body(&mut self, body: &ArrowFunctionBody<'a>) {
        let Some(expression) = body.as_expression() else {
            walk::walk_arrow_function_body(self, body);
            return;
        };
        let span = expression.span();
        let slot = self.edits.reserve(span.start);
        self.visit_expression(expression);
        if self.function.needs_variables {
            self.edits.insert(span.end, self.names.block_end());
        }
        self.declare_variables(slot, self.names.arrow_start());
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.await_expression(expression);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        if is_awaiting_loop(statement) {
            self.for_await(statement);
        } else {
            walk::walk_for_of_statement(self, statement);
        }
    }

    fn visit_try_statement(&mut self, statement: &TryStatement<'a>) {
        self.try_statement(statement);
    }

    fn visit_return_statement(&mut self, statement: &ReturnStatement<'a>) {
        match &statement.argument {
            Some(argument) if self.function.is_async_generator => {
                self.function.suspensions += 1;
                self.awaited_value(argument, Token::Await);
            }
            _ => walk::walk_return_statement(self, statement),
        }
    }

    fn visit_yield_expression(&mut self, expression: &YieldExpression<'a>) {
        if self.function.is_async_generator {
            self.yield_expression(expression);
        } else {
            walk::walk_yield_expression(self, expression);
        }
    }

    fn visit_decorator(&mut self, decorator: &Decorator<'a>) {
        self.refuse(decorator.span, "Decorators are not supported");
    }

    fn visit_ts_type_annotation(&mut self, types: &TSTypeAnnotation<'a>) {
        self.blank(types.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, types: &TSTypeParameterDeclaration<'a>) {
        self.blank(types.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, types: &TSTypeParameterInstantiation<'a>) {
        self.blank(types.span);
    }

    fn visit_ts_this_parameter(&mut self, parameter: &TSThisParameter<'a>) {
        self.this_parameter(parameter);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        self.formal_parameter(parameter);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if declarator.definite {
            self.blank_next(declarator.id.span().end, '!');
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_ts_as_expression(&mut self, expression: &TSAsExpression<'a>) {
        self.typed_expression(&expression.expression, expression.span);
    }

    fn visit_ts_satisfies_expression(&mut self, expression: &TSSatisfiesExpression<'a>) {
        self.typed_expression(&expression.expression, expression.span);
    }

    fn visit_ts_type_assertion(&mut self, assertion: &TSTypeAssertion<'a>) {
        self.type_assertion(assertion);
    }

    fn visit_ts_non_null_expression(&mut self, expression: &TSNonNullExpression<'a>) {
        self.non_null(expression);
    }

    fn visit_identifier_reference(&mut self, reference: &IdentifierReference<'a>) {
        self.enum_reference(reference);
        self.merged_reference(reference);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        property: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.merged_property(&property.binding);
        walk::walk_assignment_target_property_identifier(self, property);
    }

    fn visit_expression(&mut self, expression: &Expression<'a>) {
        if self.is_exchanged(expression) {
            self.exchange(expression);
        } else {
            walk::walk_expression(self, expression);
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        self.object_property(property);
    }

    fn visit_import_expression(&mut self, expression: &ImportExpression<'a>) {
        self.import_expression(expression);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.call(call);
    }

    fn visit_new_expression(&mut self, expression: &NewExpression<'a>) {
        self.new_expression(expression);
    }

    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        for (letter, spelled) in patterns::changes(literal) {
            self.uses_spellings = true;
            self.edits.replace(letter, spelled);
        }
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        self.static_member(member);
    }

    fn visit_computed_member_expression(&mut self, member: &ComputedMemberExpression<'a>) {
        self.untaken(&member.object);
        self.visit_expression(&member.expression);
    }

    fn visit_unary_expression(&mut self, expression: &UnaryExpression<'a>) {
        self.untaken(&expression.argument);
    }

    fn visit_binary_expression(&mut self, expression: &BinaryExpression<'a>) {
        if self.compares_strings(expression) {
            self.compared(expression);
        } else {
            let is_exchanged = self.compares_exchanged(expression);
            self.operand(&expression.left, is_exchanged);
            self.operand(&expression.right, is_exchanged);
        }
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        self.class(class);
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        self.property(property);
    }

    fn visit_accessor_property(&mut self, property: &AccessorProperty<'a>) {
        self.accessor(property);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        self.method(method);
    }

    fn visit_ts_index_signature(&mut self, signature: &TSIndexSignature<'a>) {
        self.blank_with_semicolon(signature.span);
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        self.import(import);
    }

    fn visit_export_named_declaration(&mut self, export: &ExportNamedDeclaration<'a>) {
        self.export_specifiers(export.span, export.export_kind, &export.specifiers);
    }

    fn visit_export_from_declaration(&mut self, export: &ExportFromDeclaration<'a>) {
        self.export_specifiers(export.span, export.export_kind, &export.specifiers);
    }

    fn visit_export_default_declaration(&mut self, export: &ExportDefaultDeclaration<'a>) {
        self.export_default(export);
    }

    fn visit_ts_import_equals_declaration(&mut self, import: &TSImportEqualsDeclaration<'a>) {
        self.import_equals(import);
    }

    fn visit_ts_export_assignment(&mut self, export: &TSExportAssignment<'a>) {
        self.export_assignment(export);
    }
}

/// The loop that a statement is, below its labels, if it awaits.
fn awaiting_loop<'b, 'a>(statement: &'b Statement<'a>) -> Option<&'b ForOfStatement<'a>> {
    match statement {
        Statement::ForOfStatement(statement) => is_awaiting_loop(statement).then_some(statement),
        Statement::LabeledStatement(statement) => awaiting_loop(&statement.body),
        _ => None,
    }
}
