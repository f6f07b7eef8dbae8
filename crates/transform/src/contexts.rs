//! Scripts that run in a context of their own: what they declare belongs to the context, and not to the program.
//!
//! Such a script is evaluated where the objects of its context are around it, by `with`. So its names are found there,
//! and what it declares as a variable is a property of the context's global object. What the language does not do by
//! itself is put in here: before anything else the script tells what it declares, a function that is called on nothing
//! has the context's global object as `this`, and asking for the type of a name that is not there is no mistake.

use crate::edits::Edits;
use crate::goal::{self, Parsed};
use crate::namespaces::bound_names;
use crate::positions::Positions;
use crate::{Goal, Language};
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

/// What the function is called that evaluates a script, where the script can see it.
const CONTEXT_OF_SCRIPT: &str = "$vmOf";

/// The script's own name for what it gets of that.
const OWN: &str = "$vm";
/// The global object, for a function that is called on nothing.
const THIS: &str = "($vm.program===this?$vm.global:this)";
/// The same where a statement begins: it goes with no line before it.
const FIRST_THIS: &str = "0,($vm.program===this?$vm.global:this)";
const TYPE_BEGINS: &str = "$vm.told($vm.ask(),";
const TYPE_ENDS: &str = "/*$vm*/)";

/// A script that is ready for a context.
pub struct InContext {
    /// The text. Lines stay where they are.
    pub code: String,
    /// From places in it to places in the source.
    pub positions: Positions,
    /// Whether all of it is strict.
    pub is_strict: bool,
    /// What it declares by `var`.
    pub variables: Vec<String>,
    /// Functions at its top.
    pub functions: Vec<String>,
    /// What it declares by `let`, `const` and `class` at its top.
    pub lexical: Vec<String>,
}

/// `eval` where it is not called by that name.
const EVALUATE: &str = "$vm.eval";

/// What is put into functions, with what it stands for: replacing each in this order makes the source's text.
#[must_use]
pub fn undo_in_context() -> Vec<(String, &'static str)> {
    [(FIRST_THIS, "this"), (THIS, "this"), (EVALUATE, "eval"), (TYPE_BEGINS, ""), (TYPE_ENDS, "")]
        .map(|(inserted, original)| (inserted.to_owned(), original))
        .into()
}

/// A script for a context; nothing if it does not parse.
#[must_use]
pub fn in_context(source: &str) -> Option<InContext> {
    u32::try_from(source.len()).ok()?;
    crate::depth::with_room(source, || {
        let allocator = Allocator::default();
        let parsed = goal::parse(&allocator, source, Language::JavaScript, Goal::CommonJs).ok()?;
        Some(made(&parsed, source))
    })?
}

fn made(parsed: &Parsed<'_>, source: &str) -> InContext {
    let program = &parsed.program;
    let mut maker = Maker {
        is_strict: program.directives.iter().any(|one| one.directive == "use strict"),
        ..Maker::default()
    };
    for statement in &program.body {
        maker.declaration(statement);
    }
    let start = program.directives.last().map_or(program.span.start, |last| last.span.end);
    let top = maker.edits.reserve(start);
    maker.visit_program(program);
    let Maker { mut edits, is_strict, mut variables, mut functions, mut lexical, .. } = maker;
    for names in [&mut variables, &mut functions, &mut lexical] {
        names.sort_unstable();
        names.dedup();
    }
    variables.retain(|name| !functions.contains(name));
    let accessors = |names: &[String]| -> String {
        names
            .iter()
            .map(|name| format!("get {name}(){{return {name}}},set {name}($v){{{name}=$v}},"))
            .collect()
    };
    // A strict script keeps its variables to itself, as text that is evaluated does: so they are handed out as well.
    let own: Vec<String> = if is_strict { [&*variables, &*functions].concat() } else { Vec::new() };
    let begin = format!(
        ";const {OWN}={CONTEXT_OF_SCRIPT}.begin({{__proto__:null,{}}},{{__proto__:null,{}}});",
        accessors(&own),
        accessors(&lexical),
    );
    edits.fill(top, begin);
    let (code, positions) = edits.apply(source);
    InContext { code, positions, is_strict, variables, functions, lexical }
}

#[derive(Default)]
struct Maker {
    edits: Edits,
    is_strict: bool,
    /// Whether `this` is that of a function that is not strict.
    is_in_sloppy: bool,
    /// Where the statement begins that is an expression, and that was met last.
    statement: u32,
    /// How many functions of any kind, and classes.
    depth: usize,
    variables: Vec<String>,
    functions: Vec<String>,
    lexical: Vec<String>,
}

impl Maker {
    /// What a statement at the top declares.
    fn declaration(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::FunctionDeclaration(function) => {
                self.functions.extend(function.id.iter().map(|id| id.name.to_string()));
            }
            Statement::ClassDeclaration(class) => {
                self.lexical.extend(class.id.iter().map(|id| id.name.to_string()));
            }
            Statement::VariableDeclaration(declaration) if !declaration.kind.is_var() => {
                for declarator in &declaration.declarations {
                    bound_names(&declarator.id, &mut self.lexical);
                }
            }
            _ => {}
        }
    }

    /// Visits what has a `this` of its own.
    fn within(&mut self, is_sloppy: bool, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_in_sloppy, is_sloppy);
        self.depth += 1;
        visit(self);
        self.depth -= 1;
        self.is_in_sloppy = outer;
    }
}

impl<'a> Visit<'a> for Maker {
    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        if self.depth == 0 && declaration.kind.is_var() {
            for declarator in &declaration.declarations {
                bound_names(&declarator.id, &mut self.variables);
            }
        }
        walk::walk_variable_declaration(self, declaration);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let is_strict = self.is_strict
            || function.body.as_ref().is_some_and(|body| body.has_use_strict_directive());
        let outer = std::mem::replace(&mut self.is_strict, is_strict);
        self.within(!is_strict, |maker| walk::walk_function(maker, function, flags));
        self.is_strict = outer;
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        self.depth += 1;
        walk::walk_arrow_function_expression(self, function);
        self.depth -= 1;
    }

    /// All of a class is strict.
    fn visit_class(&mut self, class: &Class<'a>) {
        let outer = std::mem::replace(&mut self.is_strict, true);
        self.within(false, |maker| walk::walk_class(maker, class));
        self.is_strict = outer;
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'a>) {
        self.statement = statement.span.start;
        walk::walk_expression_statement(self, statement);
    }

    fn visit_this_expression(&mut self, this: &ThisExpression) {
        if self.is_in_sloppy {
            let begins = this.span.start == self.statement;
            self.edits.replace(this.span, if begins { FIRST_THIS } else { THIS });
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if matches!(&call.callee, Expression::Identifier(id) if id.name == "eval") {
            self.visit_arguments(&call.arguments);
        } else {
            walk::walk_call_expression(self, call);
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        match &property.value {
            Expression::Identifier(id) if property.shorthand && id.name == "eval" => {
                self.edits.insert(id.span.end, format!(":{EVALUATE}"));
            }
            _ => walk::walk_object_property(self, property),
        }
    }

    fn visit_identifier_reference(&mut self, id: &IdentifierReference<'a>) {
        if id.name == "eval" {
            self.edits.replace(id.span, EVALUATE);
        }
    }

    fn visit_unary_expression(&mut self, expression: &UnaryExpression<'a>) {
        let is_name = matches!(&expression.argument, Expression::Identifier(_));
        if expression.operator == UnaryOperator::Typeof && is_name {
            self.edits.insert(expression.span.start, TYPE_BEGINS);
            self.edits.insert(expression.argument.span().end, TYPE_ENDS);
            return;
        }
        walk::walk_unary_expression(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::in_context;

    fn code(source: &str) -> String {
        in_context(source).expect("it parses").code
    }

    #[test]
    fn what_a_script_declares_is_told() {
        let made = in_context(
            "var a = 1, { b } = c; for (var d of e) { var f; let g } function h() { var i } let j; class K {}",
        );
        let made = made.expect("it parses");
        assert_eq!(made.variables, ["a", "b", "d", "f"]);
        assert_eq!(made.functions, ["h"]);
        assert_eq!(made.lexical, ["K", "j"]);
        assert!(!made.is_strict);
    }

    #[test]
    fn nothing_becomes_the_global_object_of_the_context() {
        let this = "($vm.program===this?$vm.global:this)";
        let begin = ";const $vm=$vmOf.begin({__proto__:null,},{__proto__:null,});";
        assert_eq!(
            code("this.a; (function () {\n b\n this.c = this; return () => this })()"),
            format!(
                "{begin}this.a; (function () {{\n b\n 0,{this}.c = {this}; return () => {this} }})()"
            )
        );
        assert_eq!(
            code("'use strict';\n(function () { this })"),
            format!("'use strict';{begin}\n(function () {{ this }})")
        );
        assert_eq!(
            code("(class { a() { this } }); (function () { 'use strict'; this })"),
            format!("{begin}(class {{ a() {{ this }} }}); (function () {{ 'use strict'; this }})")
        );
    }

    #[test]
    fn text_that_is_evaluated_under_another_name_is_a_script() {
        let begin = ";const $vm=$vmOf.begin({__proto__:null,},{__proto__:null,});";
        assert_eq!(
            code("eval(a); (0, eval)(b); c = { eval }; d.eval(e)"),
            format!("{begin}eval(a); (0, $vm.eval)(b); c = {{ eval:$vm.eval }}; d.eval(e)")
        );
    }

    #[test]
    fn the_type_of_what_is_not_there_is_asked_for() {
        let begin = ";const $vm=$vmOf.begin({__proto__:null,},{__proto__:null,});";
        assert_eq!(
            code("typeof a // b\n + typeof c.d"),
            format!("{begin}$vm.told($vm.ask(),typeof a/*$vm*/) // b\n + typeof c.d")
        );
    }
}
