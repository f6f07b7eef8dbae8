//! The walk that inserts calls: functions, scopes, variables and loops.

use super::pieces::Pieces;
use super::places::{Place, place};
use super::scopes::{Home, Scopes};
use super::{ACCESS_MODULE, Draft, Mode, Target};
use crate::Goal;
use crate::edits::{Edits, Slot};
use crate::goal::Parsed;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_span::GetSpan;
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use oxc_syntax::symbol::SymbolId;
use std::collections::BTreeSet;

/// Inserts all calls; gives the sites.
pub(super) fn walk(
    parsed: &Parsed<'_>,
    text: &str,
    scoping: &Scoping,
    scopes: &Scopes,
    pieces: &Pieces,
    first: u32,
    edits: &mut Edits,
) -> Vec<Draft> {
    let frame = Frame {
        scope: scoping.root_scope_id(),
        temporaries: 0,
        is_root: true,
        patterns: String::new(),
    };
    let mut walker = Walker {
        text,
        scoping,
        scopes,
        pieces,
        first,
        edits,
        drafts: Vec::new(),
        frame,
        in_parameters: false,
        in_with: false,
        lookers: BTreeSet::new(),
        library: BTreeSet::new(),
    };
    walker.find_library(&parsed.program);
    let start = walker.edits.reserve(0);
    walker.visit_program(&parsed.program);
    if parsed.goal == Goal::Module && !walker.drafts.is_empty() {
        let import = format!("import {} from {ACCESS_MODULE:?};", pieces.object);
        walker.edits.fill(start, pieces.inserted(&import));
    }
    walker.drafts
}

/// The walk's state. As in the other walk, what goes before a node is added before its parts are
/// visited, and what goes after it afterwards, so that all nests.
pub(super) struct Walker<'s> {
    pub(super) text: &'s str,
    pub(super) scoping: &'s Scoping,
    pub(super) scopes: &'s Scopes,
    pub(super) pieces: &'s Pieces,
    first: u32,
    edits: &'s mut Edits,
    drafts: Vec<Draft>,
    pub(super) frame: Frame,
    /// Parameters do not see the variables of the body.
    pub(super) in_parameters: bool,
    /// In a `with` no name is certain.
    pub(super) in_with: bool,
    /// Names of library parts whose functions look at everything that they are given.
    pub(super) lookers: BTreeSet<SymbolId>,
    /// Names of all library parts.
    pub(super) library: BTreeSet<SymbolId>,
}

/// What is known of the innermost function.
pub(super) struct Frame {
    pub(super) scope: ScopeId,
    /// How many variables for objects it needs.
    temporaries: u32,
    is_root: bool,
    /// Code that tells what its parameters take out of arguments.
    patterns: String,
}

impl Walker<'_> {
    /// Notes a site; gives its number.
    pub(super) fn site(&mut self, offset: u32, target: Target, mode: Mode, name: &str) -> u32 {
        self.drafts.push(Draft { offset, target, mode, name: name.into() });
        self.first + self.drafts.len() as u32 - 1
    }

    pub(super) fn insert(&mut self, offset: u32, code: &str) {
        let piece = self.pieces.inserted(code);
        self.edits.insert(offset, piece);
    }

    pub(super) fn replace(&mut self, span: Span, code: &str) {
        let original = &self.text[span.start as usize..span.end as usize];
        let piece = self.pieces.replacing(original, code);
        self.edits.replace(span, piece);
    }

    /// Puts a call around what `visit` visits: `$a.NAME(` and `,ARGUMENTS)`.
    pub(super) fn around(
        &mut self,
        span: Span,
        name: &str,
        arguments: &str,
        visit: impl FnOnce(&mut Self),
    ) {
        let open = format!("{}.{name}(", self.pieces.object);
        self.insert(span.start, &open);
        visit(self);
        self.insert(span.end, &format!(",{arguments})"));
    }

    /// A variable for an object that is needed again within its expression. The main program's are
    /// properties of the runtime's object: as variables they could be seen.
    pub(super) fn temporary(&mut self) -> String {
        let object = &self.pieces.object;
        if self.frame.is_root || self.in_parameters {
            return format!("{object}.s{}", self.first + self.drafts.len() as u32);
        }
        self.frame.temporaries += 1;
        format!("{object}t{}", self.frame.temporaries)
    }

    /// Whether the function is suspended within a piece of its text.
    pub(super) fn suspends(&self, span: Span) -> bool {
        self.scopes.suspends(self.frame.scope, span)
    }

    /// The symbol of a name, if it is certain which it is.
    pub(super) fn symbol(&self, reference: &IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping.get_reference(reference.reference_id()).symbol_id()
    }

    /// The site of an access to a variable and the argument for its scope; nothing if no one else can
    /// see the access.
    pub(super) fn variable(
        &mut self,
        reference: &IdentifierReference<'_>,
        mode: Mode,
    ) -> Option<String> {
        if self.in_with {
            return None;
        }
        let offset = reference.span.start;
        match self.symbol(reference) {
            Some(symbol) => {
                let home = self.scopes.home(symbol, offset)?;
                Some(self.access(home, offset, &reference.name, mode))
            }
            None if is_known_global(&reference.name) && mode == Mode::Read => None,
            None => Some(self.site(offset, Target::Global, mode, &reference.name).to_string()),
        }
    }

    /// The arguments that tell of an access to a shared variable.
    pub(super) fn access(&mut self, home: Home, offset: u32, name: &str, mode: Mode) -> String {
        match home {
            Home::Root(number) => self.site(offset, Target::Root(number), mode, name).to_string(),
            Home::Scope(scope, number) => {
                let site = self.site(offset, Target::Variable(number), mode, name);
                format!("{site},{}", self.token(scope))
            }
        }
    }

    /// The variable that holds the number of a scope.
    fn token(&self, scope: ScopeId) -> String {
        format!("{}n{}", self.pieces.object, scope.index())
    }

    /// The code that numbers a scope, if one of its variables is shared.
    fn numbering(&self, scope: ScopeId) -> Option<String> {
        let count = self.scopes.counts.get(&scope)?;
        Some(format!("{}={}.n({count})", self.token(scope), self.pieces.object))
    }

    fn in_function(&mut self, scope: ScopeId, visit: impl FnOnce(&mut Self)) {
        let frame = Frame { scope, temporaries: 0, is_root: false, patterns: String::new() };
        let outer = std::mem::replace(&mut self.frame, frame);
        let parameters = std::mem::take(&mut self.in_parameters);
        visit(self);
        self.in_parameters = parameters;
        self.frame = outer;
    }

    fn in_parameters(&mut self, visit: impl FnOnce(&mut Self)) {
        self.in_parameters = true;
        visit(self);
        self.in_parameters = false;
    }

    /// What a function declares at its start.
    fn declarations(&self) -> Option<String> {
        let temporaries = 1..=self.frame.temporaries;
        let temporaries = temporaries.map(|number| format!("{}t{number}", self.pieces.object));
        let variables: Vec<_> =
            self.numbering(self.frame.scope).into_iter().chain(temporaries).collect();
        let mut code = self.frame.patterns.clone();
        if !variables.is_empty() {
            code += &format!("var {};", variables.join(","));
        }
        (!code.is_empty()).then_some(code)
    }

    fn declare(&mut self, slot: Slot, before: &str, after: &str) -> bool {
        let Some(declarations) = self.declarations() else { return false };
        let piece = self.pieces.inserted(&format!("{before}{declarations}{after}"));
        self.edits.fill(slot, piece);
        true
    }
}

impl<'a> Visit<'a> for Walker<'_> {
    fn visit_function(&mut self, function: &Function<'a>, _: ScopeFlags) {
        self.in_function(function.scope_id(), |this| {
            this.in_parameters(|this| this.visit_formal_parameters(&function.params));
            if let Some(body) = &function.body {
                this.frame.patterns = this.parameter_patterns(&function.params);
                this.visit_function_body(body);
            }
        });
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        self.in_function(function.scope_id(), |this| {
            this.in_parameters(|this| this.visit_formal_parameters(&function.params));
            match &function.body {
                ArrowFunctionBody::FunctionBody(body) => this.visit_function_body(body),
                body => {
                    let Some(expression) = body.as_expression() else { return };
                    let span = expression.span();
                    let slot = this.edits.reserve(span.start);
                    this.visit_expression(expression);
                    if this.declare(slot, "{", "return ") {
                        this.insert(span.end, "}");
                    }
                }
            }
        });
    }

    fn visit_function_body(&mut self, body: &FunctionBody<'a>) {
        let (offset, before) = match body.directives.last() {
            None => (body.span.start + 1, ""),
            Some(directive) => (directive.span.end, ";"),
        };
        let slot = self.edits.reserve(offset);
        self.visit_statements(&body.statements);
        self.declare(slot, before, "");
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        if let Some(numbering) = self.numbering(block.scope_id()) {
            self.insert(block.span.start + 1, &format!("let {numbering};"));
        }
        self.visit_statements(&block.body);
    }

    fn visit_for_statement(&mut self, statement: &ForStatement<'a>) {
        let numbering = self.numbering(statement.scope_id());
        if let Some(init) = &statement.init {
            self.visit_for_statement_init(init);
            if let Some(numbering) = &numbering {
                self.insert(init.span().end, &format!(",{numbering}"));
            }
        }
        if let Some(test) = &statement.test {
            self.visit_expression(test);
        }
        if let Some(update) = &statement.update {
            if let Some(numbering) = &numbering {
                self.insert(update.span().start, &format!("{numbering},"));
            }
            self.visit_expression(update);
        }
        self.visit_statement(&statement.body);
    }

    fn visit_for_in_statement(&mut self, statement: &ForInStatement<'a>) {
        self.visit_for_statement_left(&statement.left);
        self.told_as(&statement.right, "i", Target::Keys);
        self.loop_body(&statement.left, &statement.body);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        self.visit_for_statement_left(&statement.left);
        let span = statement.right.span();
        let site = self.site(span.start, Target::Whole, Mode::Read, "").to_string();
        // Where others run between two rounds, each round is a read of its own.
        let steps = !statement.r#await && self.suspends(statement.body.span());
        let name = if steps { "f" } else { "i" };
        self.around(span, name, &site, |this| this.visit_expression(&statement.right));
        self.loop_body(&statement.left, &statement.body);
    }

    fn visit_with_statement(&mut self, statement: &WithStatement<'a>) {
        self.visit_expression(&statement.object);
        let outer = std::mem::replace(&mut self.in_with, true);
        self.visit_statement(&statement.body);
        self.in_with = outer;
    }

    fn visit_expression(&mut self, expression: &Expression<'a>) {
        match expression {
            Expression::Identifier(reference) => self.read_variable(reference),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::UpdateExpression(update) => self.update(update),
            Expression::UnaryExpression(unary) => self.unary(unary),
            Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::In => {
                self.presence(binary);
            }
            Expression::CallExpression(call) => self.call(call),
            Expression::NewExpression(new) => self.construction(new),
            Expression::ChainExpression(chain) => self.chain(chain),
            _ => match expression.as_member_expression() {
                Some(member) => self.member(member, Mode::Read),
                None => walk::walk_expression(self, expression),
            },
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if property.shorthand {
            let Expression::Identifier(reference) = &property.value else { return };
            if let Some(arguments) = self.variable(reference, Mode::Read) {
                let object = &self.pieces.object;
                let open = format!("{}:{object}.v(", reference.name);
                self.insert(reference.span.start, &open);
                self.insert(reference.span.end, &format!(",{arguments})"));
            }
        } else {
            walk::walk_object_property(self, property);
        }
    }

    fn visit_spread_element(&mut self, spread: &SpreadElement<'a>) {
        self.whole(&spread.argument);
    }

    fn visit_tagged_template_expression(&mut self, template: &TaggedTemplateExpression<'a>) {
        self.visit_expression(&template.tag);
        template.quasi.expressions.iter().for_each(|expression| self.visit_expression(expression));
    }

    fn visit_template_literal(&mut self, template: &TemplateLiteral<'a>) {
        template.expressions.iter().for_each(|expression| self.looked_at(expression));
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        self.declarator(declarator);
    }

    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'a>) {
        if let Some(Place::Member(member)) = place(target) {
            self.member(member, Mode::Write);
        }
    }

    // A name that stands for itself in a pattern or an export, or in a type, is no expression.
    fn visit_identifier_reference(&mut self, _: &IdentifierReference<'a>) {}
    fn visit_export_named_declaration(&mut self, _: &ExportNamedDeclaration<'a>) {}
    fn visit_decorator(&mut self, _: &Decorator<'a>) {}
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_class_implements(&mut self, _: &TSClassImplements<'a>) {}
    fn visit_ts_enum_declaration(&mut self, _: &TSEnumDeclaration<'a>) {}
    fn visit_ts_namespace_declaration(&mut self, _: &TSNamespaceDeclaration<'a>) {}
    fn visit_ts_global_declaration(&mut self, _: &TSGlobalDeclaration<'a>) {}
    fn visit_ts_external_module_declaration(&mut self, _: &TSExternalModuleDeclaration<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}
    fn visit_ts_import_equals_declaration(&mut self, _: &TSImportEqualsDeclaration<'a>) {}
    fn visit_ts_export_assignment(&mut self, _: &TSExportAssignment<'a>) {}
}

impl<'a> Walker<'_> {
    pub(super) fn read_variable(&mut self, reference: &IdentifierReference<'a>) {
        if let Some(arguments) = self.variable(reference, Mode::Read) {
            self.around(reference.span, "v", &arguments, |_| {});
        }
    }

    /// The body of a loop that assigns to a variable of someone else in its head.
    fn loop_body(&mut self, left: &ForStatementLeft<'a>, body: &Statement<'a>) {
        if let ForStatementLeft::AssignmentTargetIdentifier(reference) = left
            && let Statement::BlockStatement(block) = body
            && let Some(arguments) = self.variable(reference, Mode::Write)
        {
            let code = format!("{}.v(0,{arguments});", self.pieces.object);
            self.insert(block.span.start + 1, &code);
        }
        self.visit_statement(body);
    }
}

/// Names that every program finds and none is expected to replace.
pub(super) fn is_known_global(name: &str) -> bool {
    const KNOWN: &[&str] = &[
        "AbortController",
        "AbortSignal",
        "AggregateError",
        "Array",
        "ArrayBuffer",
        "Atomics",
        "BigInt",
        "BigInt64Array",
        "BigUint64Array",
        "Blob",
        "Boolean",
        "BroadcastChannel",
        "Buffer",
        "DOMException",
        "DataView",
        "Date",
        "Error",
        "EvalError",
        "Event",
        "EventTarget",
        "File",
        "FinalizationRegistry",
        "Float32Array",
        "Float64Array",
        "FormData",
        "Function",
        "Headers",
        "Infinity",
        "Int16Array",
        "Int32Array",
        "Int8Array",
        "Intl",
        "Iterator",
        "JSON",
        "Map",
        "Math",
        "MessageChannel",
        "MessagePort",
        "NaN",
        "Number",
        "Object",
        "Promise",
        "Proxy",
        "RangeError",
        "ReadableStream",
        "ReferenceError",
        "Reflect",
        "RegExp",
        "Request",
        "Response",
        "Set",
        "SharedArrayBuffer",
        "String",
        "Symbol",
        "SyntaxError",
        "TextDecoder",
        "TextEncoder",
        "TransformStream",
        "TypeError",
        "URIError",
        "URL",
        "URLSearchParams",
        "Uint16Array",
        "Uint32Array",
        "Uint8Array",
        "Uint8ClampedArray",
        "WeakMap",
        "WeakRef",
        "WeakSet",
        "WebSocket",
        "WritableStream",
        "__dirname",
        "__filename",
        "arguments",
        "atob",
        "btoa",
        "clearImmediate",
        "clearInterval",
        "clearTimeout",
        "console",
        "crypto",
        "currentTime",
        "decodeURI",
        "decodeURIComponent",
        "encodeURI",
        "encodeURIComponent",
        "eval",
        "exports",
        "fetch",
        "global",
        "globalThis",
        "isFinite",
        "isNaN",
        "module",
        "obs",
        "parseFloat",
        "parseInt",
        "performance",
        "process",
        "queueMicrotask",
        "require",
        "setImmediate",
        "setInterval",
        "setTimeout",
        "structuredClone",
        "undefined",
    ];
    KNOWN.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_last_and_the_first_known_global_are_found() {
        for name in ["AbortController", "Uint8Array", "__dirname", "undefined", "console"] {
            assert!(super::is_known_global(name), "{name}");
        }
        assert!(!super::is_known_global("counter"));
    }
}
